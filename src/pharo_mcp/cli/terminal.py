"""Printing in a terminal: results, tables, progress, and suggestions for misspelt words."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from threading import Event, Lock, Thread
from time import monotonic

from pharo_mcp import strict_json
from pharo_mcp.image.errors import SMALLTALK_KINDS, to_the_user
from pharo_mcp.protocol.catalog import (
    Content,
    ImageContent,
    OtherContent,
    ResourceLink,
    TextContent,
    ToolResult,
)
from pharo_mcp.protocol.revisions import NEWEST_LEGACY
from pharo_mcp.strict_json import write_shape
from pharo_mcp.times import PROGRESS_SECONDS

SEVERAL_IMAGES = "severalImages"
"""The kind of the error that several images are live, and none was chosen."""
CHOOSE_ONE = "Choose one with --image NAME, or with --url URL (`pharo-mcp images` lists them)."
"""The last line of that error, where a model is told to call a tool."""


def print_result(result: ToolResult, *, as_json: bool) -> int:
    """Print the result of a tool, errors on standard error; return the exit status.

    As JSON, an error is printed on standard output, and has its kind and details as `error`.
    """
    text = text_of(result)
    if as_json:
        members = result.encode(NEWEST_LEGACY)
        if result.reply is not None:
            members["structuredContent"] = write_shape(result.reply)
        if result.error:
            members["error"] = {**result.error, "message": text}
        print_json(members)
    else:
        print(text, file=sys.stderr if result.is_error else sys.stdout)
    return int(result.is_error)


def text_of(result: ToolResult) -> str:
    """Return the contents of a result as text for a person."""
    text = "\n\n".join(map(_text, result.contents))
    kind = str(result.error["kind"]) if result.error else None
    if kind is None or kind in SMALLTALK_KINDS:
        return text
    if kind == SEVERAL_IMAGES:
        text = "\n".join([*text.splitlines()[:-1], CHOOSE_ONE])
    return to_the_user(text)


def _text(content: Content) -> str:
    match content:
        case ImageContent(base64, mime_type):
            return f"[{mime_type}, {len(base64) * 3 // 4:,} bytes: --output writes it to a file]"
        case OtherContent(members):
            return f"[{members['type']}: use --json to get it]"
        case ResourceLink(uri):
            return f"[{uri}]"
        case TextContent(text):
            return text


def print_json(value: object) -> None:
    """Print a value as one line of JSON, at once."""
    print(strict_json.write(value), flush=True)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, below their headings."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())


CLEAR = "\r\033[K"


class Progress:
    """A line on standard error that each report overwrites.

    A terminal that cannot do that (`TERM=dumb`) shows the title once.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._lock = Lock()
        self.overwrites = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._is_shown = False
        if sys.stderr.isatty() and not self.overwrites and title:
            self._write(f"{title} ...\n")

    def show(self, text: str) -> None:
        """Show how far the work is."""
        if self.overwrites:
            line = " ".join(f"{self._title} {text}".split())
            with self._lock:
                self._write(f"{CLEAR}{line[: shutil.get_terminal_size().columns - 1]}")
                self._is_shown = True

    def clear(self) -> None:
        """Make room for other output."""
        with self._lock:
            if self._is_shown:
                self._write(CLEAR)
                self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def elapsed(title: str) -> Iterator[Progress]:
    """Show how long the block takes, second by second, and clear the line at its end."""
    progress, done, start = Progress(title), Event(), monotonic()

    def tick() -> None:
        while not done.is_set():
            progress.show(f"{monotonic() - start:.0f} s")
            done.wait(PROGRESS_SECONDS)

    thread = Thread(target=tick, name="progress", daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        done.set()
        thread.join()
        progress.clear()


ALIKE = 0.7
"""How similar a word must be, between 0 and 1, to be suggested."""


def similar(word: str, known: Iterable[str]) -> str:
    """Return a question whether the most similar known word was meant; empty if none is similar."""
    found = get_close_matches(word, list(known), n=1, cutoff=ALIKE)
    return f" (did you mean {found[0]}?)" if found else ""
