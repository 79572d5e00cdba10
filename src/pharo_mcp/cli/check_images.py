"""What the doctor looks at of images: their connection files, and the one that would be worked in."""

import os
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from pharo_mcp.image import FoundImages, ImageError, LiveImage, folder_in, read_connection_file
from pharo_mcp.protocol import TextContent, ToolResult

from .calling import calling
from .finding import Finding, good, note, problem
from .host import Host

PATIENCE = 2.0
"""Seconds that an image has for a first word."""


def check_connection_files(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """The files by which images are found: readable, private, and alive."""
    folder = folder_in(host.home)
    try:
        paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        paths = []
    if not paths:
        yield note(
            f"No connection file in {folder}: no image ever said `PharoMcp start`, or all were stopped"
        )
    urls = {}
    for path in paths:
        yield from _check_mode(path)
        try:
            urls[read_connection_file(path).url] = path
        except (OSError, ValueError, RecursionError) as error:
            yield problem(f"{path} is no connection file: {error}", "Delete it.")
    try:
        live = {image.url: image for image in FoundImages(folder).live(monotonic() + PATIENCE)}
    except ImageError as error:
        what, _, fix = error.message.partition("\n")
        yield problem(what, fix)
        return
    for image in live.values():
        yield _alive(image)
    if gone := [path for url, path in urls.items() if url not in live]:
        files = "connection file was" if len(gone) == 1 else "connection files were"
        yield note(
            f"{len(gone)} {files} left by images that are gone",
            f"Passed over; delete if you like: {' '.join(gone)}",
        )


def check_image(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """The image that a client would work in: what it says of itself, and a trial evaluation."""
    try:
        with calling(options) as call:
            status = call("get_status", {})
            if status.is_error:
                yield _failed(status)
                return
            told: Any = status.structured
            yield good(f"{told['name']} answers: {told.get('system')}, companion {told['version']}")
            yield from _check_interface(told.get("userInterface") or {})
            if told["readOnly"]:
                yield note("It is read-only: nothing can be evaluated", "`PharoMcp stop; start` opens it.")
                return
            trial = call("evaluate", {"expression": "3 + 4", "timeout_seconds": 5})
    except ValueError as error:
        yield problem(str(error), "Correct the options, or the variables PHARO_MCP_….")
        return
    if (trial.structured or {}).get("printString") == "7":
        yield good("3 + 4 is 7 there")
    else:
        yield _failed(trial, "3 + 4 cannot be evaluated there: ")


def _check_mode(path: str) -> Iterator[Finding]:
    if os.name == "posix" and os.stat(path).st_mode & 0o077:
        yield problem(f"{path} can be read by others, and it holds a token", f"chmod 600 '{path}'")


def _check_interface(interface: Mapping[str, Any]) -> Iterator[Finding]:
    if not interface.get("present") or interface.get("answers"):
        return
    windows = [*interface.get("debuggers", ()), *interface.get("dialogs", ())]
    blocker = f" behind {' and '.join(repr(title) for title in windows)}" if windows else ""
    yield problem(
        f"Its user interface does not answer{blocker}",
        "Close that window in the image." if windows else "Interrupt in the image what keeps it (Cmd-.).",
    )


def _alive(image: LiveImage) -> Finding:
    if image.trouble:
        return note(f"{image}: {image.trouble}", f"`pharo-mcp doctor --image '{image.name}'` says more.")
    return good(str(image))


def _failed(result: ToolResult, what: str = "") -> Finding:
    text = "\n".join(content.text for content in result.contents if isinstance(content, TextContent))
    first, _, rest = text.partition("\n")
    return problem(f"{what}{first}", rest.strip() or "See above.")
