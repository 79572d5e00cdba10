"""Tool `commit`: commit what was changed in the image, with Iceberg."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import Committed, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .declaration import DESTROYS, flag, names, schema_of_arguments, string
from .text.repositories import changes_lines
from .text.wording import warned

DESCRIPTION = "Commit the changes of an Iceberg repository to its current branch, without pushing."
SHORT = 7
"""Digits of a commit that are shown, as git does."""


def commit_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def commit(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if not arguments.get("message") and not arguments["preview"]:
            raise ToolError("commit needs a message, or preview: true. Nothing was committed.", "badRequest")
        committed = image.projects.commit(**arguments)
        return ToolResult.from_text(
            "\n".join((*_lines(committed), *warned(committed.warnings))), write(committed)
        )

    return Tool(
        name="commit",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            repository=string("Name or folder; omit for the only one with changes."),
            message=string("Commit message."),
            packages=names("Packages to commit; omit for all."),
            preview=flag("Only list the changes.", default=False),
        ),
        handler=commit,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Committed)) if structured else None,
    )


def _lines(committed: Committed) -> Iterator[str]:
    place = f"{committed.repository} on {committed.branch}"
    if committed.commit is None:
        yield f"This would be committed in {place}:"
        yield from changes_lines(committed.changes)
        return
    yield f"Committed {committed.commit[:SHORT]} in {place}; nothing was pushed."
    yield from changes_lines(committed.changes)
    from shlex import quote  # here: few sessions commit

    where = f"git -C {quote(committed.location)}" if committed.location else "git"
    yield f"undo_change cannot take it back; `{where} reset --soft HEAD~1` can."
