"""What clients do in an image, typed, for people who watch it."""

from typing import NamedTuple

from .system import RunningEvaluation


class CallError(NamedTuple):
    """Why a call has no value: the kind of the failure, its text, and the class of an exception."""

    kind: str
    message_text: str = ""
    class_: str | None = None


class AnsweredCall(NamedTuple):
    """A request that the image has answered, with its number: when, where, about what, and for how long.

    It has the beginning of a value (`print_string`) or an `error`; `running` if its evaluation goes on.
    """

    call: int
    at: str
    path: str
    subject: str
    status: int
    elapsed: float
    evaluation: str | None = None
    running: bool | None = None
    print_string: str | None = None
    error: CallError | None = None


class EndedEvaluation(NamedTuple):
    """An evaluation that has finished, after `elapsed` seconds, with its value's beginning or an error."""

    evaluation: str
    elapsed: float
    print_string: str | None = None
    error: CallError | None = None


class Activity(NamedTuple):
    """The calls since the last request, the running evaluations, and those asked about that have ended.

    `last_change` is the number of the newest change of code.
    """

    next: int
    calls: tuple[AnsweredCall, ...] = ()
    running: tuple[RunningEvaluation, ...] = ()
    ended: tuple[EndedEvaluation, ...] = ()
    last_change: int = 0
