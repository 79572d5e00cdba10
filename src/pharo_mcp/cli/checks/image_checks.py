"""Checks of images: their connection files, and the image that a client would use."""

import os
from collections.abc import Iterator, Mapping
from time import monotonic
from typing import Any

from pharo_mcp.cli.calling import open_image
from pharo_mcp.cli.host import Host
from pharo_mcp.cli.output import SEVERAL_IMAGES, SHELL_HINTS, text_of
from pharo_mcp.image.connection.connection_files import folder_in, read_connection_file
from pharo_mcp.image.connection.images import FoundImages, LiveImage
from pharo_mcp.image.errors.base import ImageError, to_the_user
from pharo_mcp.protocol.tools import ToolResult
from pharo_mcp.times import DOCTOR_SECONDS

from .finding import Finding, good, note, problem


def check_connection_files(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Check that connection files are readable, private, and belong to live images."""
    folder = folder_in(host.home)
    try:
        paths = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".json"))
    except OSError:
        paths = []
    if not paths:
        yield note(f"No connection file in {folder}: no image has run `PharoMcp start`, or all were stopped")
    urls = {}
    for path in paths:
        yield from _check_mode(path)
        try:
            urls[read_connection_file(path).url] = path
        except (OSError, ValueError, RecursionError) as error:
            yield problem(f"{path} is not a valid connection file: {error}", "Delete it.")
    try:
        live = {image.url: image for image in FoundImages(folder).live(monotonic() + DOCTOR_SECONDS)}
    except ImageError as error:
        text, _, fix = to_the_user(error.message).partition("\n")
        yield problem(text, fix)
        return
    for image in live.values():
        yield _check_live(image)
    if stale := [path for url, path in urls.items() if url not in live]:
        files = "connection file was" if len(stale) == 1 else "connection files were"
        yield note(
            f"{len(stale)} {files} left behind by images that no longer run",
            f"pharo-mcp ignores them; you can delete them: {' '.join(stale)}",
        )


def check_image(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Check the status of the image that a client would use, and evaluate an expression in it.

    Of several images among which the client can choose, each is checked.
    """
    try:
        with open_image(options) as call_tool:
            status = call_tool("get_status", {})
            if status.error and status.error["kind"] == SEVERAL_IMAGES:
                yield from _check_each(host, options)
                return
            if status.is_error:
                yield _failed(status)
                return
            details: Any = status.structured
            yield good(f"{details['name']} responds: {details.get('system')}, companion {details['version']}")
            yield from _check_interface(details.get("userInterface") or {})
            if details["readOnly"]:
                yield note(
                    "The image is read-only: nothing can be evaluated",
                    "In the image, evaluate `PharoMcp start` to allow changes.",
                )
                return
            trial = call_tool("evaluate", {"expression": "3 + 4", "timeout_seconds": 5})
    except ValueError as error:
        yield problem(str(error), "Fix the options or the PHARO_MCP_… environment variables.")
        return
    if (trial.structured or {}).get("printString") == "7":
        yield good("The image evaluates 3 + 4 to 7")
    else:
        yield _failed(trial, "The image cannot evaluate 3 + 4: ")


def _check_each(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    images = FoundImages(folder_in(host.home)).live(monotonic() + DOCTOR_SECONDS)
    yield note(
        f"{len(images)} images are live and none was chosen: the assistant is told to choose one",
        SHELL_HINTS[SEVERAL_IMAGES],
    )
    for image in images:
        yield from check_image(host, {**options, "image": image.url})


def _check_mode(path: str) -> Iterator[Finding]:
    if os.name == "posix" and os.stat(path).st_mode & 0o077:
        yield problem(f"{path} contains a token and can be read by other users", f"chmod 600 '{path}'")


def _check_interface(interface: Mapping[str, Any]) -> Iterator[Finding]:
    if not interface.get("present") or interface.get("answers"):
        return
    windows = [*interface.get("debuggers", ()), *interface.get("dialogs", ())]
    blocker = f": it waits for {' and '.join(repr(title) for title in windows)}" if windows else ""
    yield problem(
        f"The user interface of the image does not respond{blocker}",
        "Close that window in the image." if windows else "Interrupt the code that blocks it (Cmd-.).",
    )


def _check_live(image: LiveImage) -> Finding:
    if image.trouble:
        return note(
            f"{image}: {image.trouble}", f"Run `pharo-mcp doctor --image '{image.name}'` for details."
        )
    return good(str(image))


def _failed(result: ToolResult, prefix: str = "") -> Finding:
    first, _, rest = text_of(result).partition("\n")
    return problem(f"{prefix}{first}", rest.strip("\n") or "See above.")
