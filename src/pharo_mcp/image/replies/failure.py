"""A failure that an image reports, typed."""

from typing import NamedTuple


class Conflict(NamedTuple):
    """A change that is not undone, since what it made is not what is there now."""

    change: int
    reason: str


class Failure(NamedTuple):
    """A failure that an image reports: its `kind`, and what is known of the cause.

    `stack` is innermost first; `line` and `column` count from 1. `inherited` is the superclass that has the
    method which the class itself has not; `allowed` are the folders that the user allows.
    `printing` is the class of the value that was being printed when an evaluation whose code was done was
    ended. `event` is the last one that happened before;
    `changes` are the changes of code that were made all the same.
    """

    kind: str
    message_text: str
    class_: str | None = None
    receiver: str | None = None
    selector: str | None = None
    stack: tuple[str, ...] = ()
    line: int | None = None
    column: int | None = None
    source_line: str | None = None
    variable: str | None = None
    near: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    evaluation: str | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    elapsed: float | None = None
    frozen: bool = False
    printing: str | None = None
    inherited: str | None = None
    done: int | None = None
    total: int | None = None
    current: str | None = None
    conflicts: tuple[Conflict, ...] = ()
    changes: tuple[int, ...] = ()
    event: int | None = None
    allowed: tuple[str, ...] = ()
