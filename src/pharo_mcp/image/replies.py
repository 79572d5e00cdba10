"""The replies of the companion: named tuples, which `shapes.read` reads from JSON.

First what evaluations reply, then what is replied about code, about whole projects, and about the image.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple


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
    during which other processes ran, and `sampling`, which the samples took. `left_out` counts the rows
    that the tree does not have; `notes` say what else is not exact.
    """

    samples: int
    total: int
    tree: tuple[ProfileRow, ...]
    leaves: tuple[ProfileLeaf, ...]
    waiting: int = 0
    displaced: int = 0
    sampling: int = 0
    left_out: int = 0
    memory: MemoryCounts = MemoryCounts()
    notes: tuple[str, ...] = ()


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


# Code: searches, sources, edits, changes and undos.


class MethodProtocol(NamedTuple):
    """A protocol and its selectors."""

    name: str
    selectors: tuple[str, ...]


class MethodSource(NamedTuple):
    """A method. `origin` is the trait that it comes from, `overrides` the superclass that has it, too."""

    class_name: str
    side: str
    selector: str
    protocol: str
    package: str
    source: str
    is_extension: bool = False
    origin: str | None = None
    overrides: str | None = None
    abstract: bool | None = None


class ClassSource(NamedTuple):
    """A page of the methods of a class, from `offset` on, of `total` in all."""

    total: int
    offset: int
    items: tuple[MethodSource, ...]


class ClassDetails(NamedTuple):
    """A class or a trait (`kind`), both sides; `superclasses` begins with its own.

    What was not asked for is None.
    """

    name: str
    kind: str
    package: str
    tag: str
    definition: str | None = None
    comment: str | None = None
    superclasses: tuple[str, ...] | None = None
    subclasses: tuple[str, ...] | None = None
    slots: tuple[str, ...] | None = None
    class_slots: tuple[str, ...] | None = None
    class_variables: tuple[str, ...] | None = None
    traits: tuple[str, ...] | None = None
    protocols: tuple[MethodProtocol, ...] | None = None
    class_protocols: tuple[MethodProtocol, ...] | None = None
    source: "ClassSource | None" = None


class FoundClass(NamedTuple):
    """A class or a trait (`kind`) that a search found, with the first line of its comment."""

    class_name: str
    kind: str
    package: str
    comment: str


class FoundSelector(NamedTuple):
    """A selector that a search found, and how many methods implement it."""

    selector: str
    implementors: int


class FoundMethod(NamedTuple):
    """A method that a search found; `text` is the first line that matches, at `line` from 1."""

    class_name: str
    side: str
    selector: str
    protocol: str
    package: str
    line: int | None = None
    text: str | None = None


class SearchHints(NamedTuple):
    """How many would be found in other ways: in the whole image, by substring, or by other kinds."""

    elsewhere: int | None = None
    substring: int | None = None
    classes: int | None = None
    selectors: int | None = None
    implementors: int | None = None
    senders: int | None = None


class Search(NamedTuple):
    """A page of what a search found, from `offset` on, of `total` in all, or more (`at_least`).

    Where it found nothing, `near` are similar names, and `hints` tell what would find more.
    """

    kind: str
    total: int
    offset: int
    items: tuple[FoundClass | FoundSelector | FoundMethod, ...]
    at_least: bool = False
    near: tuple[str, ...] = ()
    hints: SearchHints | None = None


class PackageSize(NamedTuple):
    """A package, how many classes it has, and how many methods of classes of others."""

    name: str
    classes: int
    extensions: int


class Packages(NamedTuple):
    """A page of the packages, from `offset` on, of `total` in all."""

    total: int
    offset: int
    packages: tuple[PackageSize, ...]


class PackagedClass(NamedTuple):
    """A class or a trait (`kind`) of a package, with the first line of its comment."""

    class_name: str
    kind: str
    comment: str


class Tag(NamedTuple):
    """Classes of a package that are filed together; those without a tag are under the empty name."""

    name: str
    classes: tuple[PackagedClass, ...]


class Extension(NamedTuple):
    """Methods of a package on one side of a class of another."""

    class_name: str
    side: str
    selectors: tuple[str, ...]


class Package(NamedTuple):
    """The contents of a package."""

    name: str
    tags: tuple[Tag, ...]
    extensions: tuple[Extension, ...]
    test_classes: tuple[str, ...]


class Completed(NamedTuple):
    """Names that complete a prefix, best first; `total` also counts those that are omitted."""

    values: tuple[str, ...]
    total: int
    has_more: bool = False


def method_name(class_name: str, side: str | None, selector: str) -> str:
    """Return a method as Smalltalkers write it: `Point class>>x:y:`."""
    return f"{class_name}{' class' if side == 'class' else ''}>>{selector}"


class Loss(NamedTuple):
    """What a definition takes away, of one kind: how many, and some of the names.

    Of slots, also the number of live `instances`; of traits and the superclass, of the `methods` that go with
    them. The kind `methods` is for those that no longer compile.
    """

    kind: str
    total: int
    names: tuple[str, ...]
    instances: int | None = None
    methods: int | None = None


class Site(NamedTuple):
    """A method that a refactoring touches."""

    class_name: str
    side: str
    selector: str


class Impact(NamedTuple):
    """How many sends in how many classes a refactoring touches, and some of the methods."""

    sends: int
    classes: int
    items: tuple[Site, ...] = ()


class Refactoring(NamedTuple):
    """The impact of a refactoring (`preview`), or its effect."""

    preview: bool
    impact: Impact
    changes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


class Change(NamedTuple):
    """A change that the companion saw a job of its own make: number, tool, what happened to what, when.

    With details also what was there before and after: source or definition, and protocol.
    """

    change: int
    tool: str
    action: str
    at: str
    class_name: str | None = None
    side: str | None = None
    selector: str | None = None
    package_name: str | None = None
    package_tag: str | None = None
    undone: bool = False
    before: str | None = None
    after: str | None = None
    protocol_before: str | None = None
    protocol_after: str | None = None

    @property
    def subject(self) -> str:
        """The class, method, package or tag that was changed."""
        if self.class_name and self.selector:
            return method_name(self.class_name, self.side, self.selector)
        if self.package_tag:
            return f"{self.package_tag} in {self.package_name}"
        return self.class_name or self.package_name or ""


class ChangeLog(NamedTuple):
    """A page of the changes, newest first, of `total` that are kept; `dropped` older ones are forgotten.

    `in_effect` counts those that are neither undone nor made by an undo; `opened_after` is the number of the
    last one that was made before the image was opened.
    """

    total: int
    changes: tuple[Change, ...]
    dropped: int = 0
    in_effect: int | None = None
    opened_after: int | None = None


class Undone(NamedTuple):
    """The changes that were undone, and the new ones that did it; to undo the undo is to undo one of these.

    If a change was undone already, `undone_by` is the number of that undo. Selectors that are still sent, but
    lost their last implementor, are in `no_implementors`.
    """

    undone: tuple[int, ...]
    changes: tuple[int, ...] = ()
    undone_by: int | None = None
    no_implementors: tuple[str, ...] = ()
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()


class Saving(NamedTuple):
    """The image saves itself now. The result is in its status then, with this number."""

    saving: bool
    number: int | None = None


class MissingItem(NamedTuple):
    """A name that stands for no code, and similar ones."""

    item: str
    message_text: str
    near: tuple[str, ...] = ()


class CodeText(NamedTuple):
    """A page of code: `shown` definitions and methods of `total`, from `offset` on, as one text.

    `superclasses` are chains, such as `LinkedList (firstLink lastLink) < Collection`, that the text lacks.
    """

    text: str
    total: int
    offset: int
    shown: int
    superclasses: tuple[str, ...] = ()
    missing: tuple[MissingItem, ...] = ()


class EditedPart(NamedTuple):
    """A class, trait or method that an edit has created or changed, with what a class has lost by it.

    In a preview it would be, and has its definition or source before, which may be empty, and after.
    """

    class_name: str
    created: bool
    side: str | None = None
    selector: str | None = None
    losses: tuple[Loss, ...] | None = None
    before: str | None = None
    after: str | None = None

    @property
    def name(self) -> str:
        """The name of the class or method: `ShOrder`, `ShOrder class>>new`."""
        return method_name(self.class_name, self.side, self.selector) if self.selector else self.class_name


class EditedCode(NamedTuple):
    """What an edit did: classes, methods, removals, how much was as in the text already, the change's number.

    `failures` are what it left undone because of `keep_going`.
    """

    classes: tuple[EditedPart, ...]
    methods: tuple[EditedPart, ...]
    removed: tuple[str, ...]
    unchanged: int
    changes: tuple[int, ...] = ()
    failures: tuple[dict[str, object], ...] = ()
    preview: bool = False
    warnings: tuple[str, ...] = ()


class Names(NamedTuple):
    """How many names there are, and some of them."""

    total: int
    names: tuple[str, ...]


class MethodByExample(NamedTuple):
    """A method that answers the result; `print_string` is its answer if that is of another class."""

    class_name: str
    selector: str
    expression: str
    print_string: str | None = None


class MethodsByExample(NamedTuple):
    """The methods that answer the result of an example, of `total` in all.

    `tried` messages were sent, and `failed` of them signalled an error. `not_tried` are the other selectors
    with as many arguments. Not `complete` if the time was over before; `unfinished` is the expression that
    took too long.
    """

    receiver_class: str
    total: int
    items: tuple[MethodByExample, ...]
    tried: int
    failed: int
    not_tried: Names
    complete: bool
    unfinished: str | None = None


# Projects: tests, loads, packages, repositories, screenshots.


class PackageCoverage(NamedTuple):
    """How many methods of a package the tests reached, and how many of the blocks in them."""

    name: str
    methods: int
    reached: int
    blocks: int
    reached_blocks: int


class LineNotReached(NamedTuple):
    """The line in which a block begins that was not reached, from 1."""

    line: int
    source_line: str


class PartlyReached(NamedTuple):
    """A method that was reached, and the lines of what was not reached in it; `more` are not listed."""

    selector: str
    lines: tuple[LineNotReached, ...]
    more: int = 0


class ClassCoverage(NamedTuple):
    """One side of a class: its totals, the selectors that were not reached, and those reached in part."""

    class_name: str
    side: str
    methods: int
    reached: int
    blocks: int
    reached_blocks: int
    not_reached: tuple[str, ...] = ()
    partly: tuple[PartlyReached, ...] = ()


class NotCounted(NamedTuple):
    """How many methods do not count; `why` follows the number, as in `2 methods with a primitive`."""

    methods: int
    why: str


class Coverage(NamedTuple):
    """What tests reached in some packages. Classes of which everything was reached are not listed.

    `unlisted` is the number of methods that were too many to list. It was `interrupted` if the image was
    saved while the tests ran: what they reached afterwards does not count.
    """

    packages: tuple[PackageCoverage, ...]
    classes: tuple[ClassCoverage, ...]
    unlisted: int = 0
    not_counted: tuple[NotCounted, ...] = ()
    interrupted: bool = False


class RanTest(NamedTuple):
    """The result of one test: `outcome`, `seconds`, and unless it passed its exception, message and stack.

    The stack is innermost first and ends at the test method; `frames` and `error_id` are as in `Failure`.
    """

    class_name: str
    selector: str
    outcome: str
    seconds: float = 0
    class_: str | None = None
    message_text: str | None = None
    stack: tuple[str, ...] | None = None
    frames: tuple[Frame, ...] | None = None
    error_id: str | None = None


class RanTests(NamedTuple):
    """The results of tests: counts, the tests, and the names of those that did not run (`not_run`).

    `total` is the number of selected tests; `note` explains an incomplete run; `coverage` is there if it was
    asked for.
    """

    total: int
    passed: int
    failures: int
    errors: int
    skipped: int = 0
    expected_defects: int = 0
    unexpected_passes: int = 0
    tests: tuple[RanTest, ...] = ()
    not_run: tuple[str, ...] = ()
    note: str | None = None
    coverage: Coverage | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()
    profile: Profile | None = None


class Loaded(NamedTuple):
    """The packages that a load brought."""

    loaded: tuple[str, ...]
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class Exported(NamedTuple):
    """A package that was written, the folder it was written to, and the files."""

    package_name: str
    folder: str
    files: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Imported(NamedTuple):
    """The packages that were read from a folder."""

    folder: str
    packages: tuple[str, ...]
    changes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


class RepositoryChange(NamedTuple):
    """A class, trait, method or file that was `added`, `changed` or `removed` since the last commit."""

    action: str
    name: str
    package: str | None = None


class RepositoryChanges(NamedTuple):
    """How many changes, and the first of them."""

    total: int
    items: tuple[RepositoryChange, ...]


class Repository(NamedTuple):
    """A repository of Iceberg: where it is, on which branch, whether anything in it is not committed.

    `obstacle` is the reason why nothing can be committed, if there is one.
    """

    name: str
    branch: str | None = None
    modified: bool = False
    packages: tuple[str, ...] = ()
    location: str | None = None
    obstacle: str | None = None
    changes: RepositoryChanges | None = None


class Repositories(NamedTuple):
    """The repositories that an image knows."""

    repositories: tuple[Repository, ...]
    warnings: tuple[str, ...] = ()


class Committed(NamedTuple):
    """What was committed on a branch, or without a `commit` what would be.

    `staged` are the files that are staged besides, and not committed.
    """

    repository: str
    branch: str
    changes: RepositoryChanges
    location: str | None = None
    commit: str | None = None
    staged: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Screenshot(NamedTuple):
    """A picture of the world, or of the window with that title: PNG, in base64; and the windows there are.

    `note` explains what it shows, such as a red box.
    """

    png: str
    width: int
    height: int
    title: str | None = None
    windows: tuple[str, ...] = ()
    note: str | None = None
    warnings: tuple[str, ...] = ()


# The image: its state, what clients do in it, its objects, its registrations.


class RunningEvaluation(NamedTuple):
    """A running evaluation: its id, its seconds so far, its first line, whether it is paused or asks."""

    evaluation: str
    elapsed: float
    expression: str
    paused: bool = False
    asks: bool = False


class Window(NamedTuple):
    """An open window: `kind` is `browser`, `debugger`, `inspector`, `playground`, or `window` for others."""

    object_id: str
    kind: str
    title: str
    active: bool = False


class UserInterface(NamedTuple):
    """Whether there is one and its process answers, and the open windows, debuggers and dialogs by title."""

    present: bool = True
    answers: bool = True
    debuggers: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()
    windows: tuple[Window, ...] | None = None


class Handover(NamedTuple):
    """What the person handed over last: a window as it was then, kept under the id of an object."""

    object_id: str
    kind: str
    title: str
    at: str


class Busy(NamedTuple):
    """The process that keeps evaluations from running: for how long, and the top of its stack.

    `work` is the evaluation for which it works, if it is one's.
    """

    process: str
    priority: int
    seconds: float
    work: str | None = None
    stack: tuple[str, ...] = ()


class UnhandledError(NamedTuple):
    """An error outside of evaluations that ended its process, but not the image, which has no windows."""

    at: str
    process: str
    message_text: str
    stack: tuple[str, ...] = ()


class LastSave(NamedTuple):
    """The last save that a client requested: when, and whether it succeeded, or why not."""

    at: str
    saved: bool
    number: int | None = None
    reason: str | None = None


class WorkspaceVariables(NamedTuple):
    """A workspace and the names of its variables; of more than a hundred the first, and their number."""

    workspace: str
    variables: tuple[str, ...]
    variable_count: int | None = None


class Status(NamedTuple):
    """The identity and the state of an image.

    `session` changes with each start of the companion, `image_session` when the image is opened.
    `stuck` are the evaluations that have ended, but whose code still runs in the user interface's process.
    `workspaces` are those that have variables; `workspace_count` is given if some are left out.
    """

    product: str
    version: str
    session: str
    name: str
    image_session: str | None = None
    system: str | None = None
    image: str | None = None
    started_at: str | None = None
    uptime_seconds: float | None = None
    memory_bytes: int | None = None
    read_only: bool = False
    running: tuple[RunningEvaluation, ...] = ()
    stuck: tuple[str, ...] = ()
    breakpoints: int = 0
    user_interface: UserInterface | None = None
    busy: Busy | None = None
    errors: tuple[UnhandledError, ...] = ()
    last_save: LastSave | None = None
    handover: Handover | None = None
    workspaces: tuple[WorkspaceVariables, ...] = ()
    workspace_count: int | None = None


class Version(NamedTuple):
    """The versions: `system` is for example `Pharo 13.0`, `image` a path."""

    system: str
    companion: str
    image: str
    vm: str


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


class FoundObject(NamedTuple):
    """An object; `by` is how the object before it, or the one asked for, and it are connected.

    It has an `object_id` if its print string does not show it completely. A `weak` reference keeps nothing
    alive.
    """

    class_name: str
    print_string: str
    object_id: str | None = None
    by: str | None = None
    weak: bool | None = None
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


class RegisteredTool(NamedTuple):
    """A tool, with the JSON Schema of its arguments; `needs_task` if its calls take too long to wait for."""

    name: str
    description: str
    input_schema: dict[str, object]
    title: str | None = None
    read_only: bool = False
    needs_task: bool | None = None


class RegisteredResource(NamedTuple):
    """A resource with a fixed URI."""

    uri: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class RegisteredTemplate(NamedTuple):
    """A resource template: `{name}` in its URI stands for one value."""

    uri_template: str
    name: str
    description: str
    mime_type: str = "text/plain"
    title: str | None = None


class RegisteredArgument(NamedTuple):
    """One argument of a prompt."""

    name: str
    description: str = ""
    required: bool = False


class RegisteredPrompt(NamedTuple):
    """A prompt with its arguments."""

    name: str
    description: str
    arguments: tuple[RegisteredArgument, ...] = ()
    title: str | None = None


class RegisteredSkill(NamedTuple):
    """Instructions for a kind of work; `text` is Markdown."""

    name: str
    description: str
    text: str


class RegisteredItems(NamedTuple):
    """All registrations of an image; `revision` changes whenever they do."""

    tools: tuple[RegisteredTool, ...] = ()
    resources: tuple[RegisteredResource, ...] = ()
    resource_templates: tuple[RegisteredTemplate, ...] = ()
    prompts: tuple[RegisteredPrompt, ...] = ()
    skills: tuple[RegisteredSkill, ...] = ()
    revision: str = ""
    warnings: tuple[str, ...] = ()


class Block(NamedTuple):
    """A part of a result: of type `text`, `image`, `audio` (`data` in base64) or `resource`."""

    type: str
    text: str | None = None
    data: str | None = None
    mime_type: str | None = None
    uri: str | None = None
    blob: str | None = None


class PromptMessage(NamedTuple):
    """A message of a prompt; the role is `user` or `assistant`."""

    role: str
    content: Block


class Called(NamedTuple):
    """The result of a tool or a resource (`contents`), or of a prompt (`messages`).

    `event` is the number of the last event before the result.
    """

    contents: tuple[Block, ...] = ()
    messages: tuple[PromptMessage, ...] = ()
    is_error: bool = False
    event: int | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class ImageEvent(NamedTuple):
    """An event in an image, by its kind.

    `registrations`: they have changed; `class`, `package`: one was changed; `log`: a log message for clients;
    `progress`: the progress that an evaluation reports.
    """

    event: int
    kind: str
    class_name: str | None = None
    package_name: str | None = None
    level: str | None = None
    logger: str | None = None
    data: object = None
    evaluation: str | None = None
    progress: float | None = None
    total: float | None = None
    message: str | None = None


class Events(NamedTuple):
    """The events since the last request; `lost` if there were more than the image keeps."""

    next: int
    events: tuple[ImageEvent, ...] = ()
    lost: bool = False


Outcome = Evaluation | RanTests | Loaded | Called | Undone | Running | Paused | Asking
"""The result of code, tests, a load, something registered or an undo; or that it runs, is paused or asks."""
