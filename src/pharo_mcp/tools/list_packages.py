"""Tool `list_packages`: list the packages of the image."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Packages, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import CURSOR, READS, integer, schema_of_arguments, string
from .text.packages import package_lines
from .text.paging import offset_in, rest_after

DESCRIPTION = "List the packages of the image with their sizes."


def list_packages_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def list_packages(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        packages = image.code.packages(arguments.get("query"), offset_in(arguments), arguments["limit"])
        return ToolResult.from_text("\n".join(_lines(packages)), write(packages))

    return Tool(
        name="list_packages",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            query=string("Part of the name; omit for all."),
            cursor=CURSOR,
            limit=integer("Results per page.", minimum=1, maximum=500, default=100),
        ),
        handler=list_packages,
        annotations=READS,
        output_schema=Schema(schema_of(Packages)) if structured else None,
    )


def _lines(packages: Packages) -> Iterator[str]:
    if not packages.total:
        yield "No package name contains the query. Try a shorter query, or omit it to list all packages."
        return
    yield from package_lines(packages)
    if rest := rest_after(packages.offset, len(packages.packages), packages.total):
        yield rest
