"""Tool `commit`: commit what was changed in the image, with Iceberg."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.projects import Committed, Repositories
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import DESTROYS, flag, names, schema_of_arguments, string
from .text.repositories import changes_lines
from .text.wording import count, warned

DESCRIPTION = """\
Commit the changes of an Iceberg repository to its current branch, without pushing. Without a message, list \
the repositories with location, branch and uncommitted changes."""
MOST_NAMES = 10
"""Names that are listed: Pharo's own repository has hundreds of packages."""
SHORT = 7
"""Digits of a commit that are shown, as git does."""


def commit_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def commit(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if not arguments.get("message") and not arguments["preview"]:
            repositories = image.projects.repositories()
            return ToolResult.from_text("\n".join(_listed(repositories)), write(repositories))
        committed = image.projects.commit(**arguments)
        return ToolResult.from_text(
            "\n".join((*_lines(committed), *warned(committed.warnings))), write(committed)
        )

    return Tool(
        name="commit",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            repository=string("Name or folder; omit for the only one with changes."),
            message=string("Commit message; omit to list the repositories."),
            packages=names("Packages to commit; omit for all."),
            preview=flag("Only list the changes.", default=False),
        ),
        handler=commit,
        annotations=DESTROYS,
        output_schema=Schema({"type": "object", "anyOf": [schema_of(Committed), schema_of(Repositories)]})
        if structured
        else None,
    )


def _listed(repositories: Repositories) -> Iterator[str]:
    if not repositories.repositories:
        yield "Iceberg has no repositories in this image."
    for each in repositories.repositories:
        branch = f" on {each.branch}" if each.branch else ""
        state = "uncommitted changes" if each.modified else "all committed"
        yield f"{each.name}{branch}, {state}{f', in {each.location}' if each.location else ''}"
        if each.packages:
            yield f"    {count(len(each.packages), 'package')}: {_first(each.packages)}"
        if each.obstacle:
            yield f"    No commit is possible now: {each.obstacle}"
        if each.changes:
            yield from changes_lines(each.changes)
    yield from warned(repositories.warnings)


def _first(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    rest = len(names) - MOST_NAMES
    return f"{', '.join(names[:MOST_NAMES])}{f', … and {rest:,} more' if rest > 0 else ''}"


def _staged(committed: Committed) -> Iterator[str]:
    if committed.staged:
        yield f"Staged in git, not part of this commit, and left as they are: {_first(committed.staged)}"


def _lines(committed: Committed) -> Iterator[str]:
    place = f"{committed.repository} on {committed.branch}"
    if committed.commit is None:
        yield f"This would be committed in {place}:"
        yield from changes_lines(committed.changes)
        yield from _staged(committed)
        return
    yield f"Committed {committed.commit[:SHORT]} in {place}; nothing was pushed."
    yield from changes_lines(committed.changes)
    yield from _staged(committed)
    where = f"git -C {quote(committed.location)}" if committed.location else "git"
    yield f"undo_change cannot take it back; `{where} reset --soft HEAD~1` can."
