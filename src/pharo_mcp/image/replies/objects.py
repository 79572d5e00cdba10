"""What is replied about objects: one with its parts, and those that the whole image was searched for."""

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
