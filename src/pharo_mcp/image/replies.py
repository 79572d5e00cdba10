"""What an image answers, typed."""

from typing import NamedTuple


class RunningEvaluation(NamedTuple):
    """One that runs now: its id, for how many seconds, and its first line."""

    evaluation: str
    elapsed: float
    expression: str


class UserInterface(NamedTuple):
    """Whether there is one and its process answers, and the titles of windows that hold it up."""

    present: bool = True
    answers: bool = True
    debuggers: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()


class Status(NamedTuple):
    """Who is there, and how it is. `session` is another one after each start of the companion."""

    product: str
    version: str
    session: str
    name: str
    system: str | None = None
    image: str | None = None
    started_at: str | None = None
    uptime_seconds: float | None = None
    memory_bytes: int | None = None
    read_only: bool = False
    running: tuple[RunningEvaluation, ...] = ()
    user_interface: UserInterface | None = None


class Version(NamedTuple):
    """What runs there: `system` is such as `Pharo 13.0`, `image` a path."""

    system: str
    companion: str
    image: str
    vm: str


class Evaluation(NamedTuple):
    """The value of an expression, and what there is to know beside it.

    `print_string` may be a part; `length` is then that of the whole, or more (`length_is_at_least`).
    `object_id` names the value where it is no literal; `transcript` is what was written, or the last
    of `transcript_length` characters; `warnings` were resumed on the way; `elapsed` is in seconds.
    """

    print_string: str
    class_name: str
    warnings: tuple[str, ...] = ()
    evaluation: str | None = None
    length: int | None = None
    length_is_at_least: bool | None = None
    object_id: str | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    elapsed: float | None = None


class Running(NamedTuple):
    """An evaluation that is not over; of tests, how many are `done` of how many, and the `current` one.

    Of what an image offers by itself: the `progress` that it tells, of how much, and its `message`.
    """

    evaluation: str
    elapsed: float
    running: bool = True
    done: int | None = None
    total: float | None = None
    current: str | None = None
    progress: float | None = None
    message: str | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()


class Stopped(NamedTuple):
    """Ids of the evaluations that were ended, and of those that could only be frozen."""

    stopped: tuple[str, ...]
    frozen: tuple[str, ...] = ()


class Part(NamedTuple):
    """A variable (`name`), an element (`index_` from 1) or an association (`key`) of an object."""

    print_string: str
    class_name: str
    name: str | None = None
    index_: int | None = None
    key: str | None = None


class Inspection(NamedTuple):
    """An object and a page of its parts; `path` leads to it from the object of that id."""

    object_id: str
    path: tuple[str | int, ...]
    class_name: str
    print_string: str
    variables: tuple[Part, ...]
    elements: tuple[Part, ...]
    element_count: int
    size: int | None = None


class Workspace(NamedTuple):
    """A workspace and the names of the variables that it had."""

    workspace: str
    variables: tuple[str, ...]


class Conflict(NamedTuple):
    """A change that is not undone, since what it made is not what is there now."""

    change: int
    reason: str


class Failure(NamedTuple):
    """How an image says no: whose fault it is (`kind`), and what it knows of the cause.

    `stack` is innermost first; `line` and `column` count from 1. `inherited` is the superclass that has the
    method which the class itself has not; `allowed` are the folders that the user allows.
    `printing` is the class of the value that was being printed when an evaluation whose code was done was
    ended. `event` is the last one that happened before.
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
    event: int | None = None
    allowed: tuple[str, ...] = ()
