"""Tool `set_breakpoint`."""

import pytest

from image.servers import Remembering, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.debugging import set_breakpoint as set_breakpoint_tool
from tools.calling import answering, result, text

SUM = {
    "className": "Sum",
    "side": "instance",
    "selector": "of:",
    "line": 6,
    "sourceLine": "sum := sum + each.",
    "hits": 1,
}
NEW = {
    "className": "Sum",
    "side": "class",
    "selector": "new",
    "line": 3,
    "sourceLine": "^ super new",
    "hits": 2,
    "condition": "x >\r\t3",
    "gone": True,
}


def sent(**arguments: object) -> object:
    """Return what is sent to the image."""
    breakpoints = Remembering(lambda _: value({"breakpoints": [], "removed": 0}))
    with asking(breakpoints=breakpoints) as image:
        set_breakpoint_tool.make(image).call(arguments, Call())
    return breakpoints.asked[0]


def refused(**arguments: object) -> str:
    tool_result = result(
        set_breakpoint_tool, "breakpoints", answering(breakpoints=[], removed=0), **arguments
    )
    assert tool_result.is_error
    [content] = tool_result.contents
    assert isinstance(content, TextContent)
    return content.text


OF = {"class_name": "Sum", "selector": "of:"}


def test_it_sends_the_side() -> None:
    assert sent(**OF, side="class") == {
        "className": "Sum",
        "side": "class",
        "selector": "of:",
        "remove": False,
    }
    assert refused(side="class") == "A breakpoint needs class_name and selector. No breakpoint was set."


def test_it_sends_the_place_and_the_condition() -> None:
    assert sent(**OF, line=6, condition="x > 3") == {
        "className": "Sum",
        "selector": "of:",
        "line": 6,
        "condition": "x > 3",
        "remove": False,
    }


def test_it_removes_the_breakpoint_of_a_method_or_all() -> None:
    assert sent(**OF, remove=True) == {"className": "Sum", "selector": "of:", "remove": True}
    assert sent(remove=True) == {"remove": True}


def test_without_arguments_it_lists_the_breakpoints() -> None:
    assert sent() == {"remove": False}
    shown = text(set_breakpoint_tool, "breakpoints", answering(breakpoints=[SUM, NEW], removed=0))
    assert shown.splitlines() == [
        "Breakpoints:",
        "    Sum>>of:, line 6: sum := sum + each. [1 hit]",
        "    Sum class>>new, line 3: ^ super new [2 hits, if x > 3; gone: the method was compiled again]",
    ]


def test_it_says_who_pauses_there_and_what_was_removed() -> None:
    one = answering(breakpoints=[SUM], removed=0)
    assert text(set_breakpoint_tool, "breakpoints", one, **OF).startswith(
        "The breakpoint is set. Only evaluations and tests with on_error pause will pause there."
    )
    none = answering(breakpoints=[], removed=1)
    assert text(set_breakpoint_tool, "breakpoints", none, **OF, remove=True) == (
        "Removed breakpoints: 1.\nBreakpoints: none."
    )


@pytest.mark.parametrize(
    "arguments",
    [{"class_name": "Sum"}, {"selector": "of:"}, {"line": 3}, {"condition": "true"}],
    ids=lambda arguments: " ".join(arguments),
)
def test_a_place_without_class_and_selector_is_refused(arguments: dict[str, object]) -> None:
    assert refused(**arguments).startswith("A breakpoint needs class_name and selector.")
