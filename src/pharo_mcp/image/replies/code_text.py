"""Replies to reading and editing code as text, typed."""

from typing import NamedTuple

from .changes import Loss
from .code import method_name


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
