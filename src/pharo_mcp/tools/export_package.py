"""Tool `export_package`: write a package into a folder."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.projects import Exported
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import DESTROYS, flag, schema_of_arguments, string
from .text.wording import count, warned

DESCRIPTION = """\
Write a package as Tonel files into an allowed folder, replacing its files."""


def export_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def export_package(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        exported = image.projects.export_package(**arguments)
        files = f" ({count(len(exported.files), 'file')})" if exported.files else ""
        text = f"Exported package {exported.package_name} to {exported.folder}{files}."
        return ToolResult.from_text("\n".join((text, *warned(exported.warnings))), write(exported))

    return Tool(
        name="export_package",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("package_name", "folder"),
            package_name=string("Name of the package."),
            folder=string("Folder of packages, such as `/home/me/zoo/src`."),
            confirm=flag("Delete files of removed classes.", default=False),
        ),
        handler=export_package,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Exported)) if structured else None,
    )
