"""A failure that an image reports, typed."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .profile import Profile


class Conflict(NamedTuple):
    """A change that is not undone, since what it made is not what is there now."""

    change: int
    reason: str


class Variable(NamedTuple):
    """An argument or a temporary of a frame."""

    name: str
    print_string: str


class Frame(NamedTuple):
    """A frame of a stack, with the number that it has there from 1.

    `variables` are the first of its arguments and temporaries, `variable_count` counts all.
    """

    number: int
    receiver: str
    variables: tuple[Variable, ...] = ()
    variable_count: int = 0

    def shows_more_than(self, receiver: str) -> bool:
        """Whether it has variables, or another receiver than that, which is shown elsewhere."""
        return self.receiver != receiver or self.variable_count > 0

    def __str__(self) -> str:
        variables = (f"{each.name} = {each.print_string}" for each in self.variables)
        values = [f"self = {self.receiver}", *variables]
        more = self.variable_count - len(self.variables)
        return f"Frame {self.number}: {', '.join(values)}{f' … and {more} more' if more > 0 else ''}"


def numbered(stack: Iterable[str]) -> Iterator[str]:
    """Yield the lines of a stack with their numbers, by which frames are named.

    Notes on what is left out have none; neither has a frame after `...`, where others were left out.
    """
    number = 0
    lines = iter(stack)
    for line in lines:
        if line == "...":
            yield from (line, *lines)
        elif line.startswith(("…", "(")):
            yield line
        else:
            number += 1
            yield f"{number} {line}"


class Failure(NamedTuple):
    """A failure that an image reports: its `kind`, and what is known of the cause.

    `stack` is innermost first; `frames` are the first two of them that run the user's own code, and
    `error_id` is what the stack is kept by; `line` and `column` count from 1. `inherited` is the superclass
    that has the method which the class itself has not; `allowed` are the folders that the user allows.
    `printing` is the class of the value that was being printed when an evaluation whose code was done was
    ended. `declined` says why a question was not answered; `ability` is what the client lacks. `event` is the
    last one that happened before; `changes` are the changes of code that were made all the same; `profile` is
    where the time went until then. `item` is the class or method of a text that is wrong, and `failures` are
    all failures of an edit.
    """

    kind: str
    message_text: str
    class_: str | None = None
    receiver: str | None = None
    selector: str | None = None
    stack: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    error_id: str | None = None
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
    profile: Profile | None = None
    declined: str | None = None
    item: str | None = None
    failures: tuple[dict[str, object], ...] = ()
    ability: str | None = None
