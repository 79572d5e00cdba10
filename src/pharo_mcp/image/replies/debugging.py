"""Replies about paused evaluations, typed."""

from typing import NamedTuple

from .evaluation import Part
from .failure import Frame


class Breakpoint(NamedTuple):
    """A breakpoint: the line of its statement, and how often an evaluation paused there.

    It is `gone` if its method was compiled again meanwhile.
    """

    class_name: str
    side: str
    selector: str
    line: int
    source_line: str
    hits: int
    condition: str | None = None
    gone: bool | None = None


class Breakpoints(NamedTuple):
    """The breakpoints that there are, the newest last, and how many were removed."""

    breakpoints: tuple[Breakpoint, ...]
    removed: int


class Pause(NamedTuple):
    """Why and where an evaluation is paused.

    `kind` is that of the error, or `breakpoint`, or `step`, or `limit` for a step that did not end in
    time. `stack` is innermost first; `frames` are the first two of it that run the user's own code. What
    is not `resumable` cannot go on from here.
    """

    kind: str
    message_text: str
    stack: tuple[str, ...]
    frames: tuple[Frame, ...] = ()
    resumable: bool = True
    class_: str | None = None


class Paused(NamedTuple):
    """An evaluation that is paused; for tests, how many are `done` of how many, and the `current` one."""

    evaluation: str
    elapsed: float
    paused: Pause
    done: int | None = None
    total: int | None = None
    current: str | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class PausedFrame(NamedTuple):
    """A frame of a paused evaluation: its source, where it stands, and its variables.

    `line` and `column` count from 1; `statement` is the message that the frame is sending. The first of the
    `variables` is the receiver, whose own are `receiver_variables`.
    """

    evaluation: str
    frame: int
    frame_count: int
    method: str
    variables: tuple[Part, ...]
    receiver_variables: tuple[Part, ...]
    source: str | None = None
    line: int | None = None
    column: int | None = None
    statement: str | None = None
