"""Calls of a tool whose image gives the reply that a test provides."""

from image.servers import Answer, asking, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent, ToolResult
from pharo_mcp.tools.declaration import BuiltInTool


def result(tool: BuiltInTool, path: str, answer: Answer, **arguments: object) -> ToolResult:
    """Return the result of a tool when the image replies so at a path."""
    with asking(**{path: answer}) as image:
        return tool.make(image).call(arguments, Call())


def text(tool: BuiltInTool, path: str, answer: Answer, **arguments: object) -> str:
    """Return the text of that result."""
    return "\n---\n".join(
        content.text
        for content in result(tool, path, answer, **arguments).contents
        if isinstance(content, TextContent)
    )


def answering(**members: object) -> Answer:
    """Return a reply with these members."""
    return lambda _: value(members)
