"""Tool `export_package`: write a package into a folder."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import Exported, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments, name
from .hints import DESTROYS
from .wording import count

DESCRIPTION = """\
Write a package of the live image into a folder of Tonel files, over those of the same package. Only folders \
that the user allowed when the companion was started, by default the image's own."""


def export_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def export_package(given: Mapping[str, Any], call: Call) -> ToolResult:
        exported = image.projects.export_package(**given)
        files = f", {count(len(exported.files), 'file')}" if exported.files else ""
        text = f"Package {exported.package_name} is in {exported.folder}{files}."
        return ToolResult.from_text(text, write(exported))

    return Tool(
        name="export_package",
        title="Export a package",
        description=DESCRIPTION,
        input_schema=arguments(
            ("package_name", "folder"),
            package_name=name("Its name."),
            folder=name("Where packages are, like `/home/me/zoo/src`."),
        ),
        handler=export_package,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Exported)) if structured else None,
    )
