"""Tool `read_code`: the source of packages, classes, protocols and methods as one text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code_text import CodeText, MissingItem
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import TextContent, Tool, ToolResult

from .declaration import CURSOR, READS, choice, integer, names, schema_of_arguments
from .text.paging import offset_in

DESCRIPTION = """\
Read code as text: whole packages, classes, protocols and methods, as many as needed in one call. \
edit_code takes text of the same form."""

MOST_CHARACTERS = 30_000
"""Of a page, unless the caller wants another length."""

ARGUMENTS = schema_of_arguments(
    items=names(
        "What to read: `Shop` (a package or class), `Shop-*` (packages), `ShOrder>>total`, "
        "`ShOrder class>>new`, `ShOrder>>accessing` (a protocol). Omit it to list all packages."
    ),
    detail=choice(
        "`source`; `tonel`: source with protocols; or `outline`: names, protocols, first lines of comments, "
        "counts.",
        "source",
        "tonel",
        "outline",
        default="source",
    ),
    max_characters=integer("Longest text to return.", minimum=1, maximum=200_000, default=MOST_CHARACTERS),
    cursor=CURSOR,
)


def read_code_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def read_code(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        code = image.code.read(
            arguments.get("items", ()),
            arguments.get("detail"),
            offset=offset_in(arguments),
            max_characters=arguments.get("max_characters"),
        )
        text = TextContent("\n\n".join(_parts(code)))
        return ToolResult((text,), write(code), is_error=bool(code.missing) and not code.total)

    return Tool(
        name="read_code",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=read_code,
        annotations=READS,
        output_schema=Schema(schema_of(CodeText)) if structured else None,
    )


def _parts(code: CodeText) -> Iterator[str]:
    """Yield what was not found, the code, and how to go on."""
    if code.missing:
        yield "\n".join(map(_missing, code.missing))
    if code.text:
        yield code.text
    if code.superclasses:
        yield "\n".join(("Superclasses (with slots):", *code.superclasses))
    yield from _rest(code)


def _missing(item: MissingItem) -> str:
    near = f" Similar names: {', '.join(item.near)}." if item.near else ""
    return item.message_text + near


def _rest(code: CodeText) -> Sequence[str]:
    end = code.offset + code.shown
    if end < code.total:
        return (f"{code.total - end:,} more definitions and methods; next_cursor: p{end}",)
    return ("There are no more pages.",) if code.offset and not code.shown else ()
