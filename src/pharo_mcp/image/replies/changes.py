"""What is replied about changes of code: edits, refactorings, the log and undos."""

from typing import NamedTuple

from .code import method_name


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
    """How many sends in how many classes a refactoring touches, and some of the methods.

    `places` is how often a rewriting replaces code in them, or how many repairs there are; `remarks` are the
    first of `remark_count` faults that cannot be repaired by themselves.
    """

    sends: int
    classes: int
    items: tuple[Site, ...] = ()
    places: int | None = None
    remarks: tuple[str, ...] | None = None
    remark_count: int | None = None


class RefactoredPart(NamedTuple):
    """A method that a refactoring changes, with its source before, which may be empty, and after."""

    name: str
    before: str
    after: str


class Refactoring(NamedTuple):
    """The impact of a refactoring (`preview`), or its effect.

    A preview has the `number` by which it is applied, and the first of the `parts` that it would change,
    unless they are only named.
    """

    preview: bool
    impact: Impact
    changes: tuple[int, ...] = ()
    number: int | None = None
    parts: tuple[RefactoredPart, ...] = ()
    warnings: tuple[str, ...] = ()


class Place(NamedTuple):
    """The class, method, package or tag that a change is about."""

    class_name: str | None = None
    side: str | None = None
    selector: str | None = None
    package_name: str | None = None
    package_tag: str | None = None

    def __str__(self) -> str:
        if self.class_name and self.selector:
            return method_name(self.class_name, self.side, self.selector)
        if self.package_tag:
            return f"{self.package_tag} in {self.package_name}"
        return self.class_name or self.package_name or ""


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
        return str(Place(self.class_name, self.side, self.selector, self.package_name, self.package_tag))


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

    `places` are what was undone, newest first, fifty at most.

    If a change was undone already, `undone_by` is the number of that undo. Selectors that are still sent, but
    lost their last implementor, are in `no_implementors`.
    """

    undone: tuple[int, ...]
    places: tuple[Place, ...] = ()
    changes: tuple[int, ...] = ()
    undone_by: int | None = None
    no_implementors: tuple[str, ...] = ()
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()


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
