"""What is wrong at a place in a file."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple, TypeAlias


class Severity(StrEnum):
    """Of a problem; only errors make a check fail."""

    ERROR = "error"
    WARNING = "warning"


Hint: TypeAlias = Callable[[], str]
"""Makes the end of a message; called only when that is shown, since finding similar names takes long."""


class Problem(NamedTuple):
    """One of a file; the position is an offset in its text."""

    position: int
    severity: Severity
    message: str
    hint: Hint | None = None


def error(position: int, message: str, hint: Hint | None = None) -> Problem:
    """A problem that makes the check fail."""
    return Problem(position, Severity.ERROR, message, hint)


def warning(position: int, message: str, hint: Hint | None = None) -> Problem:
    """A problem that is only shown."""
    return Problem(position, Severity.WARNING, message, hint)
