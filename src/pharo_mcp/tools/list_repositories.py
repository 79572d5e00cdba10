"""Tool `list_repositories`: list the repositories of Iceberg."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image import ImageClient, Repositories, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import READS, schema_of_arguments
from .text.repositories import changes_lines
from .text.wording import count, warned

DESCRIPTION = """\
List Iceberg's repositories with location, branch, packages and uncommitted changes."""
MOST_PACKAGES = 10
"""Names of packages that are listed of a repository: Pharo's own has hundreds."""


def list_repositories_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def list_repositories(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        repositories = image.projects.repositories()
        return ToolResult.from_text("\n".join(_lines(repositories)), write(repositories))

    return Tool(
        name="list_repositories",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(),
        handler=list_repositories,
        annotations=READS,
        output_schema=Schema(schema_of(Repositories)) if structured else None,
    )


def _lines(repositories: Repositories) -> Iterator[str]:
    if not repositories.repositories:
        yield "Iceberg has no repositories in this image."
    for each in repositories.repositories:
        branch = f" on {each.branch}" if each.branch else ""
        state = "uncommitted changes" if each.modified else "all committed"
        yield f"{each.name}{branch}, {state}{f', in {each.location}' if each.location else ''}"
        if each.packages:
            yield f"    {_packages(each.packages)}"
        if each.obstacle:
            yield f"    No commit is possible now: {each.obstacle}"
        if each.changes:
            yield from changes_lines(each.changes)
    yield from warned(repositories.warnings)


def _packages(names: Sequence[str]) -> str:
    """The number of packages and the first names."""
    rest = len(names) - MOST_PACKAGES
    more = f", … and {rest:,} more, which list_packages lists" if rest > 0 else ""
    return f"{count(len(names), 'package')}: {', '.join(names[:MOST_PACKAGES])}{more}"
