"""Replies about the objects of the whole image, typed."""

from typing import NamedTuple


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
