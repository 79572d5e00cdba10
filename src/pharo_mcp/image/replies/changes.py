"""Replies to changes of code, and the list of changes, typed."""

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

    If a change was undone already, `undone_by` is the number of that undo. Selectors that lost their last
    implementor or sender are in `no_implementors` and `no_senders`.
    """

    undone: tuple[int, ...]
    changes: tuple[int, ...] = ()
    undone_by: int | None = None
    no_implementors: tuple[str, ...] = ()
    no_senders: tuple[str, ...] = ()
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()


class Saving(NamedTuple):
    """The image saves itself now. The result is in its status then, with this number."""

    saving: bool
    number: int | None = None
