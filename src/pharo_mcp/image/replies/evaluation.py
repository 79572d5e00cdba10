"""Replies to evaluations and inspections, typed."""

from typing import NamedTuple

from .profile import Profile


class Picture(NamedTuple):
    """A value as a picture: PNG, in base64; `note` explains what it shows, such as a red box."""

    png: str
    width: int
    height: int
    note: str | None = None


class Evaluation(NamedTuple):
    """The value of an expression, and information about its evaluation.

    `print_string` may be cut; `length` is the full length, or a lower bound (`length_is_at_least`).
    `object_id` is the id of a value that is not a literal; `transcript` is the output, or the last of
    `transcript_length` characters; `warnings` were signalled and resumed; `elapsed` is in seconds; `changes`
    are the changes of code that it made. If a `picture` was asked for, there is one, or the reason why not
    (`no_picture`); `profile` says where its time went, if that was asked for.
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
    picture: Picture | None = None
    no_picture: str | None = None
    profile: Profile | None = None


class Running(NamedTuple):
    """A running evaluation; for tests, how many are `done` of how many, and the `current` one.

    For a registered tool, resource or prompt: the `progress` that it reports, its total, and its `message`.
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


class Question(NamedTuple):
    """A question of an evaluation, with its name there.

    `kind` is `confirmation`, `text` (with a `default`), `choice` (one of the `choices`), or `form` (with a
    `schema`), all for the person at the client; `model` (at most `max_tokens`); or `roots`.
    """

    id: str
    kind: str
    text: str
    default: str | None = None
    choices: tuple[str, ...] | None = None
    schema: dict[str, object] | None = None
    max_tokens: int | None = None


class Asking(NamedTuple):
    """An evaluation that waits for the answers to its questions; for tests, how many are `done`.

    For a registered tool, resource or prompt: the `progress` that it reports, its total, and its `message`.
    """

    evaluation: str
    elapsed: float
    asks: tuple[Question, ...]
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
    """Ids of the evaluations that were ended, and of those that could only be frozen.

    `interrupted` says which other process was interrupted.
    """

    stopped: tuple[str, ...]
    frozen: tuple[str, ...] = ()
    interrupted: str | None = None


class Part(NamedTuple):
    """A variable (`name`), an element (`index_` from 1) or an association (`key`) of an object.

    It has an `object_id` if its print string does not show it completely.
    """

    print_string: str
    class_name: str
    name: str | None = None
    index_: int | None = None
    key: str | None = None
    object_id: str | None = None


class Selection(NamedTuple):
    """What is selected in a text, from one character to another, counted from 1.

    Without a selection `to` is less than `from_`, the character behind the cursor.
    """

    from_: int
    to: int
    text: str


class WindowContent(NamedTuple):
    """What a window shows: its largest text, or the one with the cursor; `edited` if that is not saved.

    `field` is the selected one of an inspector, `stack` and `frame` are those of a debugger.
    """

    kind: str
    title: str
    active: bool
    text: str | None = None
    text_length: int | None = None
    edited: bool = False
    selection: Selection | None = None
    field: str | None = None
    stack: tuple[str, ...] | None = None
    frame: int | None = None


class Inspection(NamedTuple):
    """An object and a page of its parts; `path` leads to it from the object of that id.

    At the end of a path, `found_id` is its own id, unless its print string shows it completely. The parts of
    a `window` are what is selected in it.
    """

    object_id: str
    path: tuple[str | int, ...]
    class_name: str
    print_string: str
    variables: tuple[Part, ...]
    elements: tuple[Part, ...]
    element_count: int
    size: int | None = None
    found_id: str | None = None
    window: WindowContent | None = None


class Workspace(NamedTuple):
    """A workspace and the names of the variables that it had."""

    workspace: str
    variables: tuple[str, ...]
