"""What comes of evaluating code and of looking at objects, typed."""

from typing import NamedTuple


class Evaluation(NamedTuple):
    """The value of an expression, and information about its evaluation.

    `print_string` may be a part; `length` is then that of the whole, or more (`length_is_at_least`).
    `object_id` names the value where it is no literal; `transcript` is what was written, or the last
    of `transcript_length` characters; `warnings` were resumed on the way; `elapsed` is in seconds; `changes`
    are the changes of code that it made.
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
    changes: tuple[int, ...] = ()


class Running(NamedTuple):
    """An evaluation that is not over; of tests, how many are `done` of how many, and the `current` one.

    Of something registered: the `progress` that it reports, its total, and its `message`.
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
    changes: tuple[int, ...] = ()


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
