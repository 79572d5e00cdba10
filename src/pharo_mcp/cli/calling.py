"""Calling tools from a terminal."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from pharo_mcp.app.session import open_backend
from pharo_mcp.app.settings import Settings
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import CallFailed, Tool, ToolResult

from .ending import Signalled
from .progress import Progress
from .spelling import similar

Arguments = Mapping[str, object]
CallTool = Callable[[str, Arguments | Callable[[Arguments], Arguments]], ToolResult]
"""Calls a tool by its name, with arguments or with a function that makes them from the tool's schema."""


class UnknownTool(ValueError):
    """No tool has that name; the message lists the tools."""


@contextmanager
def open_image(options: Mapping[str, object]) -> Iterator[CallTool]:
    """Open the image that the options select, and yield a function that calls its tools.

    A signal, such as Ctrl-C, also stops the call in the image.

    Raises:
        ValueError: If the options are invalid.
        UnknownTool: If the image has no tool of that name.
    """
    chosen = {name: options[name] for name in Settings._fields if name in options}
    settings = Settings.read(os.environ, chosen)._replace(structured=True)
    with open_backend(settings, os.environ) as image:

        def call_tool(name: str, arguments: Arguments | Callable[[Arguments], Arguments]) -> ToolResult:
            tool = image.find_tool(name)
            if tool is None:
                known = [tool.name for tool in image.catalog.tools]
                reason = f"unknown tool {name}{similar(name, known)}; the tools are {', '.join(known)}"
                raise UnknownTool(image.catalog.left_out.get(name) or reason)
            if callable(arguments):
                arguments = arguments(tool.input_schema.definition)
            return _call(tool, arguments)

        yield call_tool


def standard_input() -> str:
    """All of standard input: in UTF-8, as most files are, or else in the encoding of the locale."""
    if sys.stdin is None:  # closed
        return ""
    read = sys.stdin.buffer.read()
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError:
        return read.decode(sys.stdin.encoding, "backslashreplace")


def _call(tool: Tool, arguments: Arguments) -> ToolResult:
    progress = Progress("")

    def show(_: Call, done: float, message: str | None, total: float | None) -> None:
        progress.show(f"{done:.0f}{f' of {total:.0f}' if total else ''}  {message or ''}")

    call = Call(on_progress=show if progress.overwrites else None)
    try:
        return tool.call(arguments, call)
    except CallFailed as failure:
        return ToolResult.from_error(str(failure))
    except Signalled:
        call.cancel()
        raise
    finally:
        progress.clear()
