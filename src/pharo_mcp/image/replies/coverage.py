"""What tests reached, typed."""

from typing import NamedTuple


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
