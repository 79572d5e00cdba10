"""Tool `debug_step`."""

import pytest

from image.servers import Remembering, asking, exchange
from pharo_mcp.image import RequestRefused
from pharo_mcp.protocol import Call
from pharo_mcp.tools.debug_step import debug_step_tool


def test_it_sends_the_action_with_its_frame_and_value_and_tells_where_it_is_then() -> None:
    step = Remembering(exchange("debug_step_return"))
    arguments = {"evaluation_id": "e-1", "action": "return", "frame": 2, "value": "self"}
    with asking(**{"debug/step": step}) as image:
        text = debug_step_tool(image, structured=False).call(arguments, Call()).contents[0].text
    assert text.startswith("Paused after a step.\nStack:\n    1 UndefinedObject>>DoIt -- ")
    assert step.asked == [
        {"evaluation": "e-1", "action": "return", "frame": 2, "value": "self", "waitSeconds": 40}
    ]


def test_an_evaluation_that_ends_tells_its_value() -> None:
    with asking(**{"debug/step": exchange("debug_step_proceed")}) as image:
        tool = debug_step_tool(image, structured=True)
        result = tool.call({"evaluation_id": "e-1", "action": "proceed"}, Call())
    assert result.contents[0].text == "12"
    assert tool.output_schema is not None
    assert result.structured is not None
    assert tool.output_schema.check(result.structured)["printString"] == "12"


def test_the_line_to_reach_is_sent_as_a_number() -> None:
    step = Remembering(exchange("debug_step_return"))
    with asking(**{"debug/step": step}) as image:
        debug_step_tool(image, structured=False).call(
            {"evaluation_id": "e-1", "action": "to_line", "value": "12"}, Call()
        )
    assert step.asked == [{"evaluation": "e-1", "action": "line", "frame": 1, "line": 12, "waitSeconds": 40}]


@pytest.mark.parametrize("value", [{}, {"value": "five"}, {"value": "0"}, {"value": "-1"}])
def test_a_line_that_is_none_is_refused(value: dict[str, str]) -> None:
    arguments = {"evaluation_id": "e-1", "action": "to_line", **value}
    with asking() as image:
        result = debug_step_tool(image, structured=False).call(arguments, Call())
    assert result.is_error
    assert result.contents[0].text.startswith("to_line needs value, the number of a line")


def test_what_cannot_be_done_is_refused() -> None:
    with (
        asking(**{"debug/step": exchange("debug_step_not_resumable")}) as image,
        pytest.raises(RequestRefused, match="cannot be resumed: use over"),
    ):
        debug_step_tool(image, structured=False).call({"evaluation_id": "e-1", "action": "proceed"}, Call())
