"""Tool `stop_evaluation`."""

import pytest

from image.servers import Remembering, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.evaluating import stop_evaluation as stop_evaluation_tool


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [({"evaluation_id": "e-1"}, {"evaluation": "e-1"}), ({"all": True}, {"all": True})],
)
def test_it_stops_one_or_all(arguments: dict[str, object], asked: dict[str, object]) -> None:
    stop = Remembering(lambda _: value({"stopped": ["e-1"], "frozen": ["e-2"]}))
    with asking(stop=stop) as image:
        [content] = stop_evaluation_tool.make(image).call(arguments, Call()).contents
    assert stop.asked == [asked]
    assert isinstance(content, TextContent)
    assert content.text.splitlines() == [
        "Stopped: e-1. What was done until then is not undone.",
        "Stopped in the middle of its ensure: blocks, because it could not be terminated: e-2. "
        "It no longer runs, but may hold locks until the image is restarted.",
    ]


def test_stopping_a_finished_evaluation_is_not_an_error() -> None:
    with asking(stop=lambda _: value({"stopped": [], "frozen": []})) as image:
        result = stop_evaluation_tool.make(image).call({"evaluation_id": "e-1"}, Call())
    assert not result.is_error
    assert result.contents == (TextContent("No evaluation with that id was running. Nothing was stopped."),)


def test_stopping_all_without_evaluations_is_not_an_error() -> None:
    with asking(stop=lambda _: value({"stopped": [], "frozen": []})) as image:
        result = stop_evaluation_tool.make(image).call({"all": True}, Call())
    assert result.contents == (TextContent("No evaluation was running. Nothing was stopped."),)


def test_it_interrupts_another_process() -> None:
    what = "the user interface has been running Clock>>step for 12 seconds"
    stop = Remembering(lambda _: value({"stopped": [], "frozen": [], "interrupted": what}))
    with asking(stop=stop) as image:
        [content] = stop_evaluation_tool.make(image).call({"interrupt": True}, Call()).contents
    assert stop.asked == [{"interrupt": True}]
    assert isinstance(content, TextContent)
    assert content.text.startswith(f"Interrupted: {what}. The process is suspended, not ended.")


def test_interrupting_is_not_an_error_if_no_process_blocks() -> None:
    with asking(stop=lambda _: value({"stopped": [], "frozen": [], "interrupted": None})) as image:
        result = stop_evaluation_tool.make(image).call({"interrupt": True}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.startswith("Nothing was interrupted: no process keeps evaluations from running")
    assert not result.is_error


@pytest.mark.parametrize(
    "arguments", [{}, {"evaluation_id": "e-1", "all": True}, {"all": True, "interrupt": True}]
)
def test_it_needs_one_of_its_arguments(arguments: dict[str, object]) -> None:
    with asking() as image:
        result = stop_evaluation_tool.make(image).call(arguments, Call())
    assert result.is_error
    assert result.contents == (
        TextContent(
            "stop_evaluation needs one of evaluation_id, all: true and interrupt: true. Nothing was stopped."
        ),
    )
