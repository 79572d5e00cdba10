"""Tool `list_repositories`: the repositories that Iceberg knows."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Repositories, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments
from .hints import READS

DESCRIPTION = """\
List the repositories that Iceberg knows in the live image: where each is, its branch and packages, and \
whether anything in it is not committed."""


def list_repositories_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def list_repositories(given: Mapping[str, Any], call: Call) -> ToolResult:
        repositories = image.projects.repositories()
        return ToolResult.from_text("\n".join(_lines(repositories)), write(repositories))

    return Tool(
        name="list_repositories",
        title="List repositories",
        description=DESCRIPTION,
        input_schema=arguments(),
        handler=list_repositories,
        annotations=READS,
        output_schema=Schema(schema_of(Repositories)) if structured else None,
    )


def _lines(repositories: Repositories) -> Iterator[str]:
    if not repositories.repositories:
        yield "Iceberg knows no repository in this image."
    for each in repositories.repositories:
        branch = f" on {each.branch}" if each.branch else ""
        state = "modified" if each.modified else "all committed"
        yield f"{each.name}{branch}, {state}{f', in {each.location}' if each.location else ''}"
        yield from (f"    {package}" for package in each.packages)
