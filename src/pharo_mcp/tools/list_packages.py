"""Tool `list_packages`: which packages there are."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Packages, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import CURSOR, arguments, integer, text
from .hints import READS
from .paging import offset_in, rest_after
from .wording import count

DESCRIPTION = """\
List the packages of the live image, or those with `query` in their names, with their sizes; get_package \
shows what is in one."""


def list_packages_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def list_packages(given: Mapping[str, Any], call: Call) -> ToolResult:
        packages = image.code.packages(given.get("query"), offset_in(given), given["limit"])
        return ToolResult.from_text("\n".join(_lines(packages)), write(packages))

    return Tool(
        name="list_packages",
        title="List packages",
        description=DESCRIPTION,
        input_schema=arguments(
            query=text("Part of the name."),
            cursor=CURSOR,
            limit=integer("In a page.", minimum=1, maximum=500, default=100),
        ),
        handler=list_packages,
        annotations=READS,
        output_schema=Schema(schema_of(Packages)) if structured else None,
    )


def _lines(packages: Packages) -> Iterator[str]:
    if not packages.total:
        yield "No package has that in its name. A shorter query finds more; without one all are listed."
        return
    yield f"{count(packages.total, 'package')}. get_package shows what is in one."
    for each in packages.packages:
        extensions = f", {count(each.extensions, 'extension')}" if each.extensions else ""
        yield f"    {each.name}: {count(each.classes, 'class', 'classes')}{extensions}"
    if rest := rest_after(packages.offset, len(packages.packages), packages.total):
        yield rest
