"""Hints: sentences of messages that name a tool, left out where the session does not have it."""

import re
from collections.abc import Iterator, Set
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise

SENTENCE_END = re.compile(r"(?<=[.;])\s+")
_absent: ContextVar[Set[str]] = ContextVar("_absent", default=frozenset())


@contextmanager
def session_without(tools: Set[str]) -> Iterator[None]:
    """Leave out hints at these tools, in this thread, during the block."""
    before = _absent.set(tools)
    try:
        yield
    finally:
        _absent.reset(before)


def usable(text: str) -> str:
    """Return a text of our own without the sentences that name a tool that the session does not have."""
    return without(_absent.get(), text)


def usable_line(text: str) -> Iterator[str]:
    """Yield the text that `usable` returns, unless nothing is left of it."""
    if left := usable(text):
        yield left


def without(tools: Set[str], text: str) -> str:
    """Return a text without the sentences that name one of these tools."""
    if not tools:
        return text
    ends = [0, *(found.end() for found in SENTENCE_END.finditer(text)), len(text)]
    sentences = [text[start:end] for start, end in pairwise(ends)]
    return "".join(each for each in sentences if tools.isdisjoint(re.findall(r"\w+", each))).rstrip(" ;")
