from collections.abc import Mapping

import pytest

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ImageContent, TextContent, Tool, ToolError, ToolResult
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, NEWEST_LEGACY
from pharo_mcp.protocol.schema import Schema

OLDEST = LEGACY_REVISIONS["2024-11-05"]
SECOND = LEGACY_REVISIONS["2025-03-26"]


def measure(arguments: Mapping[str, object], call: Call) -> ToolResult:
    text = str(arguments["text"])
    if not text:
        raise ToolError("Nothing to measure. Send some text.", "empty")
    return ToolResult.from_text(f"{len(text)}")


TOOL = Tool(
    name="measure",
    title="Measure",
    description="Says how long a text is.",
    input_schema=Schema({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
    handler=measure,
    annotations={"readOnlyHint": True},
)


def test_a_tool_answers_what_its_handler_answers() -> None:
    result = TOOL.call({"text": "seven"}, Call())
    assert result == ToolResult((TextContent("5"),))


def test_arguments_that_do_not_fit_are_an_error_result_and_reach_no_handler() -> None:
    def never(arguments: Mapping[str, object], call: Call) -> ToolResult:
        raise NotImplementedError

    result = TOOL._replace(handler=never).call({"text": 5}, Call())
    assert result.is_error
    assert result.contents == (TextContent("Invalid arguments for measure: `text` must be a string, not 5."),)


def test_a_tool_error_is_an_error_result() -> None:
    assert TOOL.call({"text": ""}, Call()) == ToolResult.from_error(
        "Nothing to measure. Send some text.", "empty"
    )


def test_a_bug_in_a_tool_is_not_a_result() -> None:
    def broken(arguments: Mapping[str, object], call: Call) -> ToolResult:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        TOOL._replace(handler=broken).call({"text": "x"}, Call())


def test_a_tool_is_listed_with_what_the_revision_knows() -> None:
    newest = TOOL.encode(NEWEST_LEGACY)
    assert newest == {
        "name": "measure",
        "title": "Measure",
        "description": "Says how long a text is.",
        "inputSchema": TOOL.input_schema.definition,
        "annotations": {"readOnlyHint": True},
    }
    assert newest.keys() - TOOL.encode(SECOND).keys() == {"title"}
    assert newest.keys() - TOOL.encode(OLDEST).keys() == {"title", "annotations"}


def test_hints_that_say_what_is_assumed_without_them_are_not_listed() -> None:
    for hints, listed in (
        ({"destructiveHint": True}, None),
        ({"readOnlyHint": False}, None),
        ({"readOnlyHint": True, "openWorldHint": True}, {"readOnlyHint": True}),
        ({"destructiveHint": False}, {"destructiveHint": False}),
    ):
        assert TOOL._replace(annotations=hints).encode(NEWEST_LEGACY).get("annotations") == listed


def test_a_result_is_sent_with_what_the_revision_knows() -> None:
    result = ToolResult((TextContent("5"), ImageContent("cGljdHVyZQ==")), reply=TextContent("5"))
    newest = result.encode(NEWEST_LEGACY)
    assert newest == {
        "content": [
            {"type": "text", "text": "5"},
            {"type": "image", "data": "cGljdHVyZQ==", "mimeType": "image/png"},
        ],
        "isError": False,
    }
