"""What is replied about code: searches, classes, packages, code as text; edits, the log and undos."""

from typing import NamedTuple


class MethodProtocol(NamedTuple):
    """A protocol and its selectors."""

    name: str
    selectors: tuple[str, ...]


class MethodSource(NamedTuple):
    """A method."""

    class_name: str
    side: str
    selector: str
    protocol: str
    package: str
    source: str


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
    """A method that a search found; `text` is the first line that matches, at `line` from 1.

    The use of a selector or a class has its whole `source`.
    """

    class_name: str
    side: str
    selector: str
    protocol: str
    package: str
    line: int | None = None
    text: str | None = None
    source: str | None = None


class TriedExample(NamedTuple):
    """An example in a comment, as `3 squared >>> 9`; `outcome` is holds, differs, failed or notTried."""

    source: str
    outcome: str
    print_string: str | None = None
    message_text: str | None = None


class FoundDocumentation(NamedTuple):
    """Documentation that a search found: of a package, class or method, or a test, example or page of help.

    `text` is a line of it; of code, at `line` from 1. `level` says where the last word was found: name,
    sentence, example or text; the words in `missing` were not.
    """

    kind: str
    level: str
    text: str
    package: str
    class_name: str | None = None
    side: str | None = None
    selector: str | None = None
    line: int | None = None
    missing: tuple[str, ...] | None = None
    examples: tuple[TriedExample, ...] | None = None


class SearchHints(NamedTuple):
    """How many would be found in other ways: in the whole image, by substring, or by other kinds.

    `package` is a package of the name that was searched for.
    """

    elsewhere: int | None = None
    substring: int | None = None
    classes: int | None = None
    selectors: int | None = None
    implementors: int | None = None
    senders: int | None = None
    package: str | None = None


class Search(NamedTuple):
    """A page of what a search found, from `offset` on, of `total` in all, or more (`at_least`).

    Of documentation, `complete` have all words, except the `unknown` ones, which are nowhere; `unread` is
    the number of methods that may have some and were not read. Where it found nothing, `near` are similar
    names, and `hints` tell what would find more.
    """

    kind: str
    total: int
    offset: int
    items: tuple[FoundDocumentation | FoundClass | FoundSelector | FoundMethod, ...]
    at_least: bool = False
    near: tuple[str, ...] = ()
    hints: SearchHints | None = None
    unread: int = 0
    complete: int | None = None
    unknown: tuple[str, ...] = ()


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


def method_name(class_name: str, side: str | None, selector: str) -> str:
    """Return a method as Smalltalkers write it: `Point class>>x:y:`."""
    return f"{class_name}{' class' if side == 'class' else ''}>>{selector}"


class MissingItem(NamedTuple):
    """A name that stands for no code, and similar ones."""

    item: str
    message_text: str
    near: tuple[str, ...] = ()


class CodeText(NamedTuple):
    """A page of code: `shown` definitions and methods of `total`, from `offset` on, as one text.

    `superclasses` are chains, such as `LinkedList (firstLink lastLink) < Collection`, that the text lacks.
    `omitted` are manifests, which are read by their names; `outlined` are items that are longer than a page.
    """

    text: str
    total: int
    offset: int
    shown: int
    superclasses: tuple[str, ...] = ()
    omitted: tuple[str, ...] = ()
    outlined: tuple[str, ...] = ()
    missing: tuple[MissingItem, ...] = ()


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


class NameUse(NamedTuple):
    """A method that uses some of the names asked for, or overrides one; without selector, a class."""

    class_name: str
    side: str
    names: tuple[str, ...]
    selector: str | None = None
    overrides: bool = False

    def __str__(self) -> str:
        if self.selector is None:
            return self.class_name
        return method_name(self.class_name, self.side, self.selector)


class NameUses(NamedTuple):
    """Where packages use some names, in an image of a version of Pharo, which lacks others (`missing`)."""

    version: int
    methods: int
    uses: tuple[NameUse, ...]
    missing: tuple[str, ...]


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


class Place(NamedTuple):
    """The class or method that a change is about."""

    class_name: str
    side: str | None = None
    selector: str | None = None

    def __str__(self) -> str:
        return method_name(self.class_name, self.side, self.selector) if self.selector else self.class_name


class Impact(NamedTuple):
    """How many methods (`sends`) of how many classes a refactoring touches, and some of the methods.

    `places` is how often a rewriting replaces code in them, or how many repairs there are; `remarks` are the
    first of `remark_count` faults that cannot be repaired by themselves.
    """

    sends: int
    classes: int
    items: tuple[Place, ...] = ()
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


class Change(NamedTuple):
    """A change that the companion saw a job of its own make: number, tool, what happened to what, when.

    With details also what was there before and after: source or definition, and protocol.
    """

    change: int
    tool: str
    action: str
    at: str
    class_name: str
    side: str | None = None
    selector: str | None = None
    undone: bool = False
    before: str | None = None
    after: str | None = None
    protocol_before: str | None = None
    protocol_after: str | None = None

    @property
    def subject(self) -> str:
        """The class or method that was changed."""
        return str(Place(self.class_name, self.side, self.selector))

    @property
    def is_taken_back(self) -> bool:
        """Whether it was undone. What an undo did also counts as `undone`, since it cannot be undone."""
        return self.undone and self.tool != "/undo"


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
