"""Calls of a tool whose image gives the reply that a test provides."""

from collections.abc import Callable
from typing import Any

from image.servers import Answer, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import TextContent, Tool, ToolResult


def result(make: Callable[..., Tool], path: str, answer: Answer, **arguments: object) -> ToolResult:
    """Return the result of a tool when the image replies so at a path."""
    with asking(**{path: answer}) as image:
        return make(image, structured=True).call(arguments, Call())


def text(make: Callable[..., Tool], path: str, answer: Answer, **arguments: object) -> str:
    """Return the text of that result."""
    return "\n---\n".join(
        content.text
        for content in result(make, path, answer, **arguments).contents
        if isinstance(content, TextContent)
    )


def structured(make: Callable[..., Tool], path: str, answer: Answer, **arguments: object) -> Any:
    """Return the structured part of that result."""
    return result(make, path, answer, **arguments).structured


def answering(**members: object) -> Answer:
    """Return a reply with these members."""
    return lambda _: value(members)


def structured_as_described(
    make: Callable[..., Tool], path: str, answer: Answer, **arguments: object
) -> bool:
    """Return whether the structured result matches its schema and the reply of the image."""
    with asking(**{path: answer}) as image:
        tool = make(image, structured=True)
        structured = tool.call(arguments, Call()).structured
    assert structured is not None
    assert tool.output_schema is not None
    _, body = answer(None)
    checked = tool.output_schema.check(structured)
    return bool(checked | body["value"] == checked)
