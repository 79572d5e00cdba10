"""Replies about methods that were found by an example, typed."""

from typing import NamedTuple


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
