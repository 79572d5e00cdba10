"""What is replied about tests: their results, and what they reached."""

from typing import NamedTuple

from .evaluations import Comparison, Frame, Profile


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


class AffectedTests(NamedTuple):
    """How the tests that reach changed code are known.

    `methods` and `classes` count what changed; `changed`, `by_coverage` and `by_senders` the tests that are
    themselves among that, that reached it when coverage was measured, and that may reach it by senders.
    `not_followed` are selectors that are too common; `steps` is how many senders in a row were followed.
    """

    methods: int
    classes: int = 0
    changed: int = 0
    by_coverage: int = 0
    by_senders: int = 0
    not_followed: tuple[str, ...] = ()
    steps: int = 0


class Mutant(NamedTuple):
    """A small change of a method that no test noticed, as the lines before and after; `tests` reach it."""

    class_name: str
    side: str
    selector: str
    kind: str
    line: int
    before: str
    after: str
    tests: int = 0


class Mutants(NamedTuple):
    """How many small changes of some methods the tests noticed, and the first that they did not (`items`).

    `not_reached` are methods that no test reached, so that they were not changed. There was no time for those
    of `not_tried`, or the image was saved meanwhile: then it was `interrupted`.
    """

    total: int
    methods: int
    noticed: int
    unnoticed: int
    not_tried: int = 0
    not_reached: tuple[str, ...] = ()
    items: tuple[Mutant, ...] = ()
    interrupted: bool = False


class ComparedTimes(NamedTuple):
    """How many tests were `compared` with the code before a change, and how many are `slower_than` allowed.

    Those in `failing` did not pass each time, and there was no time for those of `not_tried`. The methods are
    as they were; what is `not_compared` also changed, but stays as it is.
    """

    change: int
    slower_than: float
    compared: int
    slower: int
    failing: tuple[str, ...] = ()
    not_tried: int = 0
    methods: tuple[str, ...] = ()
    not_compared: tuple[str, ...] = ()
    interrupted: bool = False


class Difference(NamedTuple):
    """Where a long value differs from the expected one, with what is around it in both.

    `position` counts characters or elements from 1, `line` lines of a string. Without a position: what only
    one of them has, or their classes.
    """

    actual: str
    expected: str
    position: int | None = None
    line: int | None = None


class RanTest(NamedTuple):
    """The result of one test: `outcome`, `seconds`, and unless it passed its exception, message and stack.

    The stack is innermost first and ends at the test method; `frames` and `error_id` are as in `Failure`.
    A failed comparison of long strings or collections has their first `difference`; a test that is slower
    than with the earlier code a `comparison`.
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
    difference: Difference | None = None
    comparison: Comparison | None = None


class RanTests(NamedTuple):
    """The results of tests: counts, the tests, and the names of those that did not run (`not_run`).

    `total` is the number of selected tests; `note` explains an incomplete run; `coverage` is there if it was
    asked for, `affected` if the tests were chosen by what changed, `mutants` if methods were changed to
    see whether the tests notice, and `times` if they were compared with those of earlier code.
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
    affected: AffectedTests | None = None
    mutants: Mutants | None = None
    times: ComparedTimes | None = None
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()
    profile: Profile | None = None
    comparison: Comparison | None = None
