"""Calling a tool of an image that answers as a test says."""

from collections.abc import Callable
from typing import Any

from image.servers import Answer, asking, value
from pharo_mcp.protocol import Call, TextContent, Tool, ToolResult


def result(make: Callable[..., Tool], path: str, answer: Answer, **arguments: object) -> ToolResult:
    """What a tool answers when the image answers so at a path."""
    with asking(**{path: answer}) as image:
        return make(image, structured=True).call(arguments, Call())


def text(make: Callable[..., Tool], path: str, answer: Answer, **arguments: object) -> str:
    """The text of it."""
    return "\n---\n".join(
        content.text
        for content in result(make, path, answer, **arguments).contents
        if isinstance(content, TextContent)
    )


def structured(make: Callable[..., Tool], path: str, answer: Answer, **arguments: object) -> Any:
    """What it answers to programs."""
    return result(make, path, answer, **arguments).structured


def answering(**members: object) -> Answer:
    """An image that answers this value."""
    return lambda _: value(members)


def structured_as_described(
    make: Callable[..., Tool], path: str, answer: Answer, **arguments: object
) -> bool:
    """Whether what a tool answers to programs is what its schema says, and what the image answered."""
    with asking(**{path: answer}) as image:
        tool = make(image, structured=True)
        structured = tool.call(arguments, Call()).structured
    assert structured is not None
    assert tool.output_schema is not None
    _, body = answer(None)
    checked = tool.output_schema.check(structured)
    return bool(checked | body["value"] == checked)
