"""Tools that load and store code outside of the image: Metacello, Tonel folders, git."""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from shlex import quote
from typing import Any

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.image import Committed, Repositories, RepositoryChanges
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ToolResult
from pharo_mcp.times import LOAD_SECONDS, MAX_EVALUATION_SECONDS
from pharo_mcp.tools.declaration import (
    ANYTHING,
    DESTROYS,
    flag,
    names,
    number,
    schema_of_arguments,
    string,
    tool,
)
from pharo_mcp.tools.outcomes import following, result_of
from pharo_mcp.tools.wording import changes_made, count, indented, listed, warned


@tool(
    "project",
    schema_of_arguments(
        ("baseline", "repository"),
        baseline=string("Name after `BaselineOf`, such as `Mustache`."),
        repository=string("URL, such as `github://owner/project:main/src` or `tonel:///folder`."),
        groups=names("Groups to load; omit for the default."),
        use_incoming=flag("Replace what is loaded from elsewhere, or is newer.", default=False),
        timeout_seconds=number(
            "Seconds until loading is terminated.",
            exclusiveMinimum=0,
            maximum=MAX_EVALUATION_SECONDS,
            default=LOAD_SECONDS,
        ),
    ),
    ANYTHING,
    takes_long=True,
)
def load_project(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Load a project with Metacello; may return an evaluation_id."""
    return result_of(image, partial(image.run, endpoints.LOAD, following(image, call), **arguments))


@tool(
    "project",
    schema_of_arguments(
        ("package_name", "folder"),
        package_name=string("Name of the package."),
        folder=string("Folder of packages, such as `/home/me/zoo/src`."),
        confirm=flag("Delete files of removed classes.", default=False),
    ),
    DESTROYS,
)
def export_package(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Write a package as Tonel files into an allowed folder, replacing its files."""
    exported = image.ask(endpoints.EXPORT, **arguments)
    files = f" ({count(len(exported.files), 'file')})" if exported.files else ""
    yield f"Exported package {exported.package_name} to {exported.folder}{files}."
    yield from warned(exported.warnings)


@tool(
    "project",
    schema_of_arguments(
        ("folder",),
        folder=string("Folder of packages."),
        packages=names("Packages to load; omit for all."),
        overwrite=flag("Also replace packages changed in the image.", default=False),
    ),
    DESTROYS,
)
def import_package(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Load packages of Tonel files from an allowed folder, replacing the image's versions."""
    imported = image.ask(endpoints.IMPORT, **arguments)
    yield f"Loaded from {imported.folder}: {', '.join(imported.packages) or 'no package'}."
    yield from changes_made(imported.changes)
    yield from warned(imported.warnings)


MOST_NAMES = 10
"""Names that are listed: Pharo's own repository has hundreds of packages."""
SHORT = 7
"""Digits of a commit that are shown, as git does."""


@tool(
    "project",
    schema_of_arguments(
        repository=string("Name or folder; omit for the only one with changes."),
        message=string("Commit message; omit to list the repositories."),
        packages=names("Packages to commit; omit for all."),
        preview=flag("Only list the changes.", default=False),
    ),
    DESTROYS,
)
def commit(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Commit the changes of an Iceberg repository to its current branch, without pushing. Without a
    message, list the repositories with location, branch and uncommitted changes.
    """
    if not arguments.get("message") and not arguments["preview"]:
        return _repositories(image.ask(endpoints.REPOSITORIES))
    return _committed(image.ask(endpoints.COMMIT, **arguments))


def _repositories(repositories: Repositories) -> Iterator[str]:
    if not repositories.repositories:
        yield "Iceberg has no repositories in this image."
    folderless = [each for each in repositories.repositories if not each.location and not each.modified]
    for each in repositories.repositories:
        if each in folderless:
            continue
        branch = f" on {each.branch}" if each.branch else ""
        state = "uncommitted changes" if each.modified else "all committed"
        yield f"{each.name}{branch}, {state}{f', in {each.location}' if each.location else ''}"
        if each.packages:
            yield f"    {count(len(each.packages), 'package')}: {listed(each.packages, MOST_NAMES)}"
        if each.obstacle:
            yield f"    No commit is possible now: {each.obstacle}"
        if each.changes:
            yield from changes_lines(each.changes)
    if folderless:
        names = ", ".join(each.name for each in folderless)
        yield f"Without a folder on this computer, so that nothing can be committed there: {names}"
    yield from warned(repositories.warnings)


def _committed(committed: Committed) -> Iterator[str]:
    place = f"{committed.repository} on {committed.branch}"
    if committed.commit is None:
        yield f"This would be committed in {place}:"
    else:
        yield f"Committed {committed.commit[:SHORT]} in {place}; nothing was pushed."
    yield from changes_lines(committed.changes)
    if committed.staged:
        files = listed(committed.staged, MOST_NAMES)
        yield f"Staged in git, not part of this commit, and left as they are: {files}"
    if committed.commit is not None:
        where = f"git -C {quote(committed.location)}" if committed.location else "git"
        yield f"An undo cannot take it back; `{where} reset --soft HEAD~1` can."
    yield from warned(committed.warnings)


def changes_lines(changes: RepositoryChanges) -> Iterator[str]:
    """Yield the number of changes, and each that is listed, under its package."""
    lines: list[str] = []
    for package, items in groupby(changes.items, key=lambda each: each.package):
        parts = [f"{each.action} {each.name}" for each in items]
        lines += [package, *indented(parts)] if package else parts
    yield f"    {count(changes.total, 'change')} since the last commit:"
    yield from indented(indented(lines, changes.total - len(changes.items)))
