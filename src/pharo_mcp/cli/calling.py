"""Calling a tool from a terminal."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from pharo_mcp.app import Settings, offered
from pharo_mcp.protocol import Call, Tool, ToolResult

Arguments = Mapping[str, object]
Calls = Callable[[str, Arguments | Callable[[Arguments], Arguments]], ToolResult]
"""Takes the name of a tool, and its arguments or what makes them for its schema."""

INTERRUPTED = 130
"""Exit status of a program that Ctrl-C ended."""


class UnknownTool(ValueError):
    """There is no tool of that name; the sentence lists those that there are."""


@contextmanager
def calling(options: Mapping[str, object]) -> Iterator[Calls]:
    """The tools of the image that the options name. Ctrl-C ends in the image what was asked of it, too.

    Raises:
        ValueError: If the options cannot be followed.
        UnknownTool: When a tool is called that is not offered.
    """
    which = {name: options[name] for name in Settings._fields if name in options}
    settings = Settings.read(os.environ, which)._replace(structured=True)
    with offered(settings, os.environ) as image:

        def call(name: str, arguments: Arguments | Callable[[Arguments], Arguments]) -> ToolResult:
            tool = image.find_tool(name)
            if tool is None:
                known = ", ".join(tool.name for tool in image.offers.tools)
                raise UnknownTool(f"there is no tool {name}. There are {known}")
            given = arguments(tool.input_schema.definition) if callable(arguments) else arguments
            return _call(tool, given)

        yield call


def _call(tool: Tool, arguments: Arguments) -> ToolResult:
    call = Call(tell=_tell if sys.stderr.isatty() else None)
    try:
        return tool.call(arguments, call)
    except KeyboardInterrupt:
        call.cancel()
        raise


def _tell(_: Call, progress: float, message: str | None, total: float | None) -> None:
    """Show how far a call is, in one line that is written over."""
    sys.stderr.write(f"\r\033[K{progress:.0f}  {message or ''}"[:100])
    sys.stderr.flush()
