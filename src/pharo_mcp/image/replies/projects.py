"""Replies to tests, loading and exporting, typed."""

from typing import NamedTuple

from .coverage import Coverage
from .failure import Frame
from .profile import Profile


class RanTest(NamedTuple):
    """The result of one test: `outcome`, `seconds`, and unless it passed its exception, message and stack.

    The stack is innermost first and ends at the test method; `frames` and `error_id` are as in `Failure`.
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


class RanTests(NamedTuple):
    """The results of tests: counts, the tests, and the names of those that did not run (`not_run`).

    `total` is the number of selected tests; `note` explains an incomplete run; `coverage` is there if it was
    asked for.
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
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()
    profile: Profile | None = None


class Loaded(NamedTuple):
    """The packages that a load brought."""

    loaded: tuple[str, ...]
    evaluation: str | None = None
    elapsed: float | None = None
    transcript: str | None = None
    transcript_length: int | None = None
    warnings: tuple[str, ...] = ()
    changes: tuple[int, ...] = ()


class Exported(NamedTuple):
    """A package that was written, the folder it was written to, and the files."""

    package_name: str
    folder: str
    files: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Imported(NamedTuple):
    """The packages that were read from a folder."""

    folder: str
    packages: tuple[str, ...]
    changes: tuple[int, ...] = ()
    warnings: tuple[str, ...] = ()


class RepositoryChange(NamedTuple):
    """A class, trait, method or file that was `added`, `changed` or `removed` since the last commit."""

    action: str
    name: str
    package: str | None = None


class RepositoryChanges(NamedTuple):
    """How many changes, and the first of them."""

    total: int
    items: tuple[RepositoryChange, ...]


class Repository(NamedTuple):
    """A repository of Iceberg: where it is, on which branch, whether anything in it is not committed.

    `obstacle` is the reason why nothing can be committed, if there is one.
    """

    name: str
    branch: str | None = None
    modified: bool = False
    packages: tuple[str, ...] = ()
    location: str | None = None
    obstacle: str | None = None
    changes: RepositoryChanges | None = None


class Repositories(NamedTuple):
    """The repositories that an image knows."""

    repositories: tuple[Repository, ...]
    warnings: tuple[str, ...] = ()


class Committed(NamedTuple):
    """What was committed on a branch, or without a `commit` what would be.

    `staged` are the files that are staged besides, and not committed.
    """

    repository: str
    branch: str
    changes: RepositoryChanges
    location: str | None = None
    commit: str | None = None
    staged: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Screenshot(NamedTuple):
    """A picture of the world, or of the window with that title: PNG, in base64; and the windows there are.

    `note` explains what it shows, such as a red box.
    """

    png: str
    width: int
    height: int
    title: str | None = None
    windows: tuple[str, ...] = ()
    note: str | None = None
    warnings: tuple[str, ...] = ()
