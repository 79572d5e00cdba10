"""The findings of checks."""

from typing import NamedTuple

GOOD = "ok"
NOTE = "--"
"""Not a problem, but worth knowing."""
PROBLEM = "!!"


class Finding(NamedTuple):
    """One line of the report: what was found and, for a problem, how to fix it."""

    mark: str
    text: str
    fix: str | None = None


def good(text: str) -> Finding:
    """A check that passed."""
    return Finding(GOOD, text)


def note(text: str, fix: str | None = None) -> Finding:
    """Something that need not be fixed."""
    return Finding(NOTE, text, fix)


def problem(text: str, fix: str) -> Finding:
    """Something that must be fixed."""
    return Finding(PROBLEM, text, fix)
