"""Tool `compile_methods`."""

from typing import Any

import pytest

from image.servers import Remembering, asking, exchange, value
from pharo_mcp.protocol import Call, TextContent
from pharo_mcp.tools.compile_methods import compile_methods_tool
from tools.calling import answering, structured_as_described, text

EXCHANGE = exchange("compile_methods")


def compiled(selector: str, change: int, **more: object) -> dict[str, object]:
    """A method as the image reports it."""
    members = {"className": "Zoo", "side": "instance", "selector": selector, "created": True}
    return {**members, "protocol": "opening", "changes": [change], **more}


def failed(kind: str, message: str, **more: object) -> dict[str, object]:
    """A source that was not compiled."""
    return {"error": {"kind": kind, "messageText": message, **more}}


def told(*methods: dict[str, Any]) -> list[str]:
    """The lines of the tool's result when the image reports these methods."""
    changes = [number for method in methods for number in method.get("changes", ())]
    answer = answering(className="Zoo", side="instance", methods=list(methods), changes=changes)
    return text(compile_methods_tool, "methods/compile", answer, class_name="Zoo", sources=["x"]).splitlines()


def test_each_method_is_reported_and_the_failures_come_first() -> None:
    with asking(**{"methods/compile": EXCHANGE}) as image:
        tool = compile_methods_tool(image, structured=True)
        result = tool.call({"class_name": "PmcMadeShape", "sources": ["x"]}, Call())
    assert result.is_error
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines() == [
        "Compiled 2 of 4 methods in PmcMadeShape; 2 failed.",
        "",
        "Source 2:",
        "Syntax error: Variable or expression expected (line 2, column 13)",
        "    \t^ radius * )",
        "    \t           ^",
        "The method was not changed.",
        "",
        "Source 3:",
        "An earlier source of this call is of the same method, PmcMadeShape>>area.",
        "The method was not changed.",
        "",
        "Compiled:",
        "    PmcMadeShape>>area (arithmetic, new)",
        "    PmcMadeShape>>hash (comparing, new)",
        "Changes 2\u20133.",
        "Critiques are unavailable: this image does not include Renraku.",
    ]


def test_methods_without_a_failure_are_listed_with_one_range_of_changes() -> None:
    changed = compiled("close", 4, created=False, warnings=["Odd."])
    assert told(compiled("open", 3), changed) == [
        "Compiled 2 methods in Zoo.",
        "    Zoo>>open (opening, new)",
        "    Zoo>>close (opening)",
        "        Warning: Odd.",
        "Changes 3\u20134.",
    ]


def test_a_critique_of_several_methods_is_listed_once() -> None:
    unclassified = {"rule": "Unclassified methods", "text": "Put it in a protocol."}
    other = {"rule": "Long methods", "text": "Split it."}
    lines = told(
        compiled("open", 3, critiques=[unclassified]), compiled("close", 4, critiques=[other, unclassified])
    )
    assert lines[-4:] == [
        "Critiques:",
        "    Unclassified methods: Put it in a protocol. (open, close)",
        "    Long methods: Split it. (close)",
        "Changes 3\u20134.",
    ]


def test_sources_are_strings_or_objects_with_a_protocol_and_a_side() -> None:
    asked = Remembering(lambda _: value({"className": "Zoo", "side": "class", "methods": [], "changes": []}))
    sources = ["open ^ 1", {"source": "close ^ 2", "protocol": "closing", "side": "instance"}]
    with asking(**{"methods/compile": asked}) as image:
        tool = compile_methods_tool(image, structured=False)
        tool.call({"class_name": "Zoo", "side": "class", "sources": sources}, Call())
    methods = [{"source": "open ^ 1"}, {"source": "close ^ 2", "protocol": "closing", "side": "instance"}]
    assert asked.asked == [{"className": "Zoo", "side": "class", "methods": methods}]


@pytest.mark.parametrize(
    "sources",
    [
        [],
        [3],
        [{"protocol": "closing"}],
        [{"source": "x", "zork": 1}],
        [{"source": "x", "side": "left"}],
        ["x"] * 101,
        "[x",
        7,
    ],
)
def test_other_sources_are_refused_without_a_request(sources: object) -> None:
    with asking() as image:
        tool = compile_methods_tool(image, structured=False)
        result = tool.call({"class_name": "Zoo", "sources": sources}, Call())
    assert result.is_error
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.startswith("Invalid arguments for compile_methods")


@pytest.mark.parametrize(
    ("failure", "note"),
    [
        (failed("undeclared", "Undeclared variable: zork"), "The method was not changed."),
        (failed("notReached", "The call had ended before this method."), "The method was not changed."),
        (failed("confirmation", "Nothing was changed."), "Nothing was changed."),
        (
            failed("timeout", "It was terminated."),
            "The method may have been changed; get_method shows it.",
        ),
        (
            failed("exception", "", **{"class": "ZeroDivide"}),
            "The method may have been changed; get_method shows it.",
        ),
    ],
)
def test_a_failure_says_whether_the_method_was_changed(failure: dict[str, Any], note: str) -> None:
    lines = told(failure)
    assert lines[0] == "Compiled 0 of 1 method in Zoo; 1 failed."
    assert lines[-1] == note


def test_missing_critiques_are_reported_once_by_all_tools() -> None:
    answer = answering(
        className="Zoo", side="instance", methods=[compiled("open", 3)], changes=[3], unavailable="No rules."
    )
    with asking(**{"methods/compile": answer}) as image:
        tool = compile_methods_tool(image, structured=True)
        again = compile_methods_tool(image, structured=True)
        first, second = (each.call({"class_name": "Zoo", "sources": ["x"]}, Call()) for each in (tool, again))
    assert [
        "No rules." in content.text
        for result in (first, second)
        for content in result.contents
        if isinstance(content, TextContent)
    ] == [True, False]


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(
        compile_methods_tool, "methods/compile", EXCHANGE, class_name="Zoo", sources=["x"]
    )
