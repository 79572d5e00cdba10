"""The commands that use a live image: `eval`, `call`, `images` and `watch`."""

import logging
import os
import sys
from base64 import b64decode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from time import monotonic
from typing import Any

from pharo_mcp import how_to_install, strict_json
from pharo_mcp.app.backend import Backend, client_for
from pharo_mcp.app.settings import Settings
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection_files import folder_in
from pharo_mcp.image.images import FoundImages
from pharo_mcp.image.replies.evaluations import Evaluation, Running
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import CallFailed, ImageContent, TextContent, Tool, ToolResult
from pharo_mcp.strict_json import write_shape
from pharo_mcp.times import WAIT_SECONDS
from pharo_mcp.watch.watcher import Watcher, as_json, lines_of

from .ending import CommandFailed
from .installed import Host
from .terminal import Progress, print_json, print_result, print_table, similar, text_of

LIST_IMAGES_SECONDS = 5.0
"""The wait of `images` for images to answer."""

Arguments = Mapping[str, object]
CallTool = Callable[[str, Arguments], ToolResult]
"""Calls a tool by its name."""


@contextmanager
def open_image(settings: Settings) -> Iterator[CallTool]:
    """Open the image that the settings select, and yield a function that calls its tools.

    A signal, such as Ctrl-C, also stops the call in the image, which notices that its connection is closed.

    Raises:
        CommandFailed: If the image has no tool of that name.
    """
    with closing(Backend(settings, os.environ)) as image:
        image.start()

        def call_tool(name: str, arguments: Arguments) -> ToolResult:
            tool = image.find_tool(name)
            if tool is None:
                known = [tool.name for tool in image.catalog().tools]
                reason = f"unknown tool {name}{similar(name, known)}; the tools are {', '.join(known)}"
                raise CommandFailed(image.catalog().left_out.get(name) or reason, 2)
            return _call(tool, arguments)

        yield call_tool


def standard_input() -> str:
    """Return all of standard input: in UTF-8, as most files are, or else in the encoding of the locale."""
    if sys.stdin is None:  # closed
        return ""
    read = sys.stdin.buffer.read()
    try:
        return read.decode("utf-8-sig")
    except UnicodeDecodeError:
        return read.decode(sys.stdin.encoding, "backslashreplace")


def _call(tool: Tool, arguments: Arguments) -> ToolResult:
    progress = Progress("")

    def show(done: float, message: str | None, total: float | None) -> None:
        progress.show(f"{done:.0f}{f' of {total:.0f}' if total else ''}  {message or ''}")

    call = Call(on_progress=show if progress.overwrites else None)
    try:
        return tool.call(arguments, call)
    except CallFailed as failure:
        return ToolResult.from_error(str(failure))
    finally:
        progress.clear()


def run_call(options: Mapping[str, Any]) -> int:
    """Call the tool and print its result."""
    given = read(options["arguments"])
    with open_image(Settings.read(os.environ, options)) as call_tool:
        result = call_tool(options["tool"], given)
        if "output" in options and not result.is_error:
            result = save_picture(result, options["output"])
        return print_result(result, as_json="json" in options)


def save_picture(result: ToolResult, path: str) -> ToolResult:
    """Write the picture of a result into a file; return the result with a sentence in its place.

    Raises:
        CommandFailed: If the result has no picture.
        OSError: If the file cannot be written.
    """
    pictures = [content for content in result.contents if isinstance(content, ImageContent)]
    if not pictures:
        raise CommandFailed(f"the result has no picture, so {path} was not written:\n{text_of(result)}", 2)
    with open(path, "wb") as file:
        size = file.write(b64decode(pictures[0].base64))
    said = TextContent(f"The picture ({pictures[0].mime_type}, {size:,} bytes) was written to {path}.")
    return result._replace(
        contents=tuple(said if content is pictures[0] else content for content in result.contents)
    )


def read(words: Sequence[str]) -> dict[str, object]:
    """Return the arguments in words: `key=value`, JSON objects, and `-` for one on standard input.

    A value after `=` is text, which the schema of the tool makes a number or an array where it wants one.

    Raises:
        CommandFailed: If a word is none of these, or gives an argument again.
    """
    arguments: dict[str, object] = {}
    for word in words:
        given = _arguments_in(word)
        if again := sorted(given.keys() & arguments.keys()):
            raise CommandFailed(f"{again[0]} is given twice: several values are a JSON array", 2)
        arguments |= given
    return arguments


def _arguments_in(word: str) -> Mapping[str, object]:
    if word == "-":
        return _json_object(standard_input())
    if word.lstrip().startswith("{"):
        return _json_object(word)
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise CommandFailed(f"invalid argument {word}: use key=value, or a JSON object in quotes", 2)
    return {name: value}


def _json_object(text: str) -> Mapping[str, object]:
    try:
        value = strict_json.read(text)
    except (ValueError, RecursionError) as error:
        raise CommandFailed(f"the arguments are not valid JSON ({error}): {text}", 2) from error
    if not isinstance(value, dict):
        raise CommandFailed(f"the arguments are not a JSON object: {text}", 2)
    return value


MOST = 200_000
"""Characters of a value that are printed: a person asked, and an image keeps no more."""


def run_eval(options: Mapping[str, Any]) -> int:
    """Print the value of an expression, and its Transcript output on standard error.

    The value is awaited: the time limit in the image bounds that.
    """
    expression = standard_input() if options["expression"] == "-" else options["expression"]
    with open_image(Settings.read(os.environ, options)) as call_tool:
        result = call_tool("evaluate", {"expression": expression, "max_characters": MOST})
        while isinstance(running := result.reply, Running):
            poll = {"evaluation_id": running.evaluation, "wait_seconds": WAIT_SECONDS, "max_characters": MOST}
            result = call_tool("get_evaluation", poll)
    value = result.reply
    if "json" in options or result.is_error or not isinstance(value, Evaluation):
        return print_result(result, as_json="json" in options)
    print(value.transcript or "", end="", file=sys.stderr)
    print(value.print_string)
    return 0


def run_images(options: Mapping[str, object]) -> int:
    """Print the live images; that there are none is no failure."""
    folder = folder_in(Host.current().home)
    live = FoundImages(folder).live(monotonic() + LIST_IMAGES_SECONDS)
    if "json" in options:
        print_json([write_shape(image) for image in live])
    elif live:
        rows = [(each.name, each.system, each.url, each.image, each.trouble or "") for each in live]
        print_table(("name", "system", "address", "image", ""), rows)
    else:
        print(
            f"No live image was found: no connection file in {folder} leads to one.\n"
            "Open your image and evaluate there: PharoMcp start\n"
            "(`pharo-mcp load` prints how to load the companion; `pharo-mcp doctor` finds problems.)",
            file=sys.stderr,
        )
    return 0


HISTORY = 10
"""Calls and changes from before that are printed first."""


def run_watch(options: Mapping[str, Any]) -> int:
    """Watch until the person ends it."""
    settings = Settings.read(os.environ, options)
    has_screen = all(os.isatty(each) for each in (0, 1, 2))  # textual uses all three
    with closing(client_for(settings, os.environ)) as client:
        if has_screen and options.keys().isdisjoint(("json", "plain")):
            show_screen(client)
            return 0
        for observation in Watcher(client, HISTORY).observations():
            if "json" not in options:
                for line in lines_of(observation):
                    print(line, flush=True)
            elif members := as_json(observation):
                print_json(members)
    return 0


def show_screen(client: ImageClient) -> None:
    """Show what happens in the image on a screen until the person quits."""
    try:
        from pharo_mcp.watch.application import WatchApplication  # here: optional, and slow to import
    except ImportError as error:
        raise CommandFailed(
            f"watching in a terminal requires textual: {how_to_install('watch')}; "
            "or run `pharo-mcp watch --plain`, which works without it"
        ) from error
    client.status()  # raises ImageError if there is no image
    logging.getLogger("pharo_mcp").addHandler(logging.NullHandler())  # its lines would spoil the screen
    WatchApplication(client).run()
