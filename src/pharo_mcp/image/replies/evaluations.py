"""What evaluations reply: a value, a failure, a pause, questions; and objects, profiles and frames."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


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


class TestDraft(NamedTuple):
    """The test that shows an error in a frame of its stack, as text for /code/edit.

    The receiver or arguments in `missing` could not be written as expressions.
    """

    frame: int
    text: str
    missing: tuple[str, ...]


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


class FoundObject(NamedTuple):
    """An object; `by` is how the object before it, or the one asked for, and it are connected.

    It has an `object_id` if its print string does not show it completely.
    """

    class_name: str
    print_string: str
    object_id: str | None = None
    by: str | None = None
    bytes: int | None = None


class ClassMemory(NamedTuple):
    """How many instances a class has, and how many bytes these take; the changes are those since a mark."""

    class_name: str
    count_: int
    bytes: int
    count_change: int | None = None
    bytes_change: int | None = None


class FoundObjects(NamedTuple):
    """What was found in the whole image.

    `relation` says what for: instances or subinstances of a class (`count_`, `bytes`, the first `items`, and
    for subinstances the `classes` with most bytes), the holders of the `subject` (`items`, and in `own` the
    tables of pharo-mcp that hold it, too), the path to it from the `root` (`items`; with `is_ours` only
    pharo-mcp holds it, in `own`), or what `grew` and `shrank` since a `mark`: None if it was set only now.
    `notes` say what was not looked at.
    """

    relation: str
    subject: FoundObject | None = None
    count_: int | None = None
    bytes: int | None = None
    items: tuple[FoundObject, ...] = ()
    classes: tuple[ClassMemory, ...] = ()
    own: tuple[str, ...] = ()
    root: str | None = None
    is_ours: bool | None = None
    visited: int | None = None
    mark: str | None = None
    count_change: int | None = None
    bytes_change: int | None = None
    grew: tuple[ClassMemory, ...] | None = None
    shrank: tuple[ClassMemory, ...] | None = None
    notes: tuple[str, ...] = ()


class ProfileRow(NamedTuple):
    """A method or block in the call tree: its `total` time, of which `waiting`, and its `own` time.

    It was called by the last row before it with a smaller `depth`; if it is `recursive`, also by itself or
    by those below it.
    """

    depth: int
    method: str
    total: int
    own: int = 0
    waiting: int = 0
    recursive: bool = False


class ProfileLeaf(NamedTuple):
    """A method with its blocks: the time that it was itself on top of the stack, and of that `waiting`."""

    method: str
    own: int
    waiting: int = 0


class MemoryCounts(NamedTuple):
    """What the virtual machine counted meanwhile, as far as it counts."""

    allocated_bytes: int | None = None
    full_collections: int | None = None
    full_collection_milliseconds: int | None = None
    scavenges: int | None = None
    scavenge_milliseconds: int | None = None


class Profile(NamedTuple):
    """The time of the user's code, by samples of its stack.

    `total` includes what it spent `waiting` for semaphores and delays; it does not include `displaced`,
    during which other processes ran. `left_out` counts the rows that the tree does not have; `notes` say
    what else is not exact.
    """

    samples: int
    total: int
    tree: tuple[ProfileRow, ...]
    leaves: tuple[ProfileLeaf, ...]
    waiting: int = 0
    displaced: int = 0
    left_out: int = 0
    memory: MemoryCounts = MemoryCounts()
    notes: tuple[str, ...] = ()

    def share(self, time: int) -> str:
        """Return a part of the time in percent."""
        return f"{100 * time / self.total if self.total else 0:.1f} %"


class Comparison(NamedTuple):
    """How long code takes with the methods as they were `before` a change and as they are `now`.

    Both are medians of the microseconds of one run. `ratio` is the median of the rounds' ratios, which reach
    from `least` to `greatest`. `not_compared` also changed, but stays as it is.
    """

    before: float
    now: float
    ratio: float
    rounds: int
    least: float | None = None
    greatest: float | None = None
    methods: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()
    interrupted: bool = False


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
        """Return whether it has variables, or another receiver than that, which is shown elsewhere."""
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
    (`no_picture`); `profile` says where its time went, or `comparison` how it differs from what it was before
    a change, if that was asked for.
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
    comparison: Comparison | None = None


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
    """An evaluation that waits for the answers to its questions."""

    evaluation: str
    elapsed: float
    asks: tuple[Question, ...]
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
    is not `resumable` cannot go on from here. In a debugger window, the user has selected `selected_frame`.
    """

    kind: str
    message_text: str
    stack: tuple[str, ...]
    frames: tuple[Frame, ...] = ()
    resumable: bool = True
    class_: str | None = None
    selected_frame: int | None = None


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
