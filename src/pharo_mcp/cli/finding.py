"""What a check finds."""

from typing import NamedTuple

GOOD = "ok"
NOTE = "--"
"""Nothing wrong, but good to know."""
PROBLEM = "!!"


class Finding(NamedTuple):
    """One line of the doctor's report: what was found, and for a problem its fix."""

    mark: str
    text: str
    fix: str | None = None


def good(text: str) -> Finding:
    """All is as it should be."""
    return Finding(GOOD, text)


def note(text: str, fix: str | None = None) -> Finding:
    """It need not be mended."""
    return Finding(NOTE, text, fix)


def problem(text: str, fix: str) -> Finding:
    """It must be mended for things to work."""
    return Finding(PROBLEM, text, fix)
