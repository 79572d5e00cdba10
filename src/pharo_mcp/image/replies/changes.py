"""Replies to changes of code, and the list of changes, typed."""

from typing import NamedTuple

from .code import method_name
from .failure import Failure
from .shapes import read


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


class Critique(NamedTuple):
    """A finding of the image's own rules about a method."""

    rule: str
    text: str
    severity: str | None = None


class CompiledMethod(NamedTuple):
    """A compiled method; `created` if it is new.

    If the image has no critiques, `unavailable` is the reason.
    """

    class_name: str
    side: str
    selector: str
    created: bool
    protocol: str
    changes: tuple[int, ...] = ()
    critiques: tuple[Critique, ...] = ()
    unavailable: str | None = None
    warnings: tuple[str, ...] = ()


class MethodOutcome(NamedTuple):
    """One of several sources: the method as it is now, or why it was not compiled (`error`)."""

    class_name: str | None = None
    side: str | None = None
    selector: str | None = None
    created: bool | None = None
    protocol: str | None = None
    changes: tuple[int, ...] | None = None
    critiques: tuple[Critique, ...] | None = None
    warnings: tuple[str, ...] | None = None
    error: dict[str, object] | None = None

    @property
    def failure(self) -> Failure:
        """The error, typed.

        Raises:
            ShapeMismatch: If there is none.
        """
        return read(Failure, self.error)


class CompiledMethods(NamedTuple):
    """What came of each of several sources, in their order, and the changes of all."""

    class_name: str
    side: str
    methods: tuple[MethodOutcome, ...]
    changes: tuple[int, ...] = ()
    unavailable: str | None = None
    warnings: tuple[str, ...] = ()


class DefinedClass(NamedTuple):
    """A class or a trait as it is now, or in a `preview` would be; `created` if it was not there before.

    `methods` are those that were compiled into it afterwards, if there were any.
    """

    class_name: str
    created: bool
    definition: str
    losses: tuple[Loss, ...] = ()
    preview: bool = False
    changes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()
    methods: tuple[MethodOutcome, ...] | None = None


class Site(NamedTuple):
    """A method that a refactoring touches."""

    class_name: str
    side: str
    selector: str


class Names(NamedTuple):
    """How many classes, and the names of some."""

    total: int
    names: tuple[str, ...]


class Impact(NamedTuple):
    """How many sends in how many classes a refactoring touches, and some of the methods.

    Of a class that is removed also its subclasses, and the users of a trait, where there are some.
    """

    sends: int
    classes: int
    items: tuple[Site, ...] = ()
    subclasses: Names | None = None
    users: Names | None = None

    @property
    def is_depended_on(self) -> bool:
        """Whether what is to be removed has subclasses, or users."""
        return self.subclasses is not None or self.users is not None


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

    `in_effect` counts those that are neither undone nor made by an undo.
    """

    total: int
    changes: tuple[Change, ...]
    dropped: int = 0
    in_effect: int | None = None


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
    """The image saves itself now."""

    saving: bool
