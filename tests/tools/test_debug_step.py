"""Tool `debug_step`."""

import pytest

from image.servers import Remembering, asking, exchange
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.debugging import debug_step as debug_step_tool
from tools.calling import text

PATH = "debug/step"


def test_it_sends_the_action_with_its_frame_and_value_and_tells_where_it_is_then() -> None:
    step = Remembering(exchange("debug_step_return"))
    said = text(debug_step_tool, PATH, step, evaluation_id="e-1", action="return", frame=2, value="self")
    assert said.startswith("Paused after a step.\nStack:\n    1 UndefinedObject>>DoIt -- ")
    assert step.asked == [
        {"evaluation": "e-1", "action": "return", "frame": 2, "value": "self", "waitSeconds": 40}
    ]


def test_an_evaluation_that_ends_tells_its_value() -> None:
    ended = exchange("debug_step_proceed")
    assert text(debug_step_tool, PATH, ended, evaluation_id="e-1", action="proceed") == "12"


def test_the_line_to_reach_is_sent_as_a_number() -> None:
    step = Remembering(exchange("debug_step_return"))
    text(debug_step_tool, PATH, step, evaluation_id="e-1", action="to_line", value="12")
    assert step.asked == [{"evaluation": "e-1", "action": "line", "frame": 1, "line": 12, "waitSeconds": 40}]


@pytest.mark.parametrize("value", [{}, {"value": "five"}, {"value": "0"}, {"value": "-1"}])
def test_a_line_that_is_none_is_refused(value: dict[str, str]) -> None:
    step = Remembering(exchange("debug_step_return"))
    said = text(debug_step_tool, PATH, step, evaluation_id="e-1", action="to_line", **value)
    assert said.startswith("to_line needs value, the number of a line")
    assert step.asked == []


def test_a_method_that_was_not_understood_is_made_in_a_superclass() -> None:
    step = Remembering(exchange("debug_step_return"))
    made = {"action": "create_method", "value": "^ 3", "class_name": "Zoo"}
    text(debug_step_tool, PATH, step, evaluation_id="e-1", **made)
    assert step.asked[0] | {"className": "Zoo", "value": "^ 3"} == step.asked[0]


def test_what_cannot_be_done_is_refused() -> None:
    with (
        asking(**{PATH: exchange("debug_step_not_resumable")}) as image,
        pytest.raises(RequestRefused, match="cannot be resumed: use over"),
    ):
        debug_step_tool.make(image).call({"evaluation_id": "e-1", "action": "proceed"}, Call())
