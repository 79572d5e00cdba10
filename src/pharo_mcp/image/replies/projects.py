"""What is replied about projects: loads, files and repositories."""

from typing import NamedTuple


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
