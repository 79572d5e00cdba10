"""Tool `import_package`: load packages from a folder."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.projects import Imported
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import DESTROYS, flag, names, schema_of_arguments, string
from .text.wording import changes_made, warned

DESCRIPTION = """\
Load packages of Tonel files from an allowed folder, replacing the image's versions."""


def import_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def import_package(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        imported = image.projects.import_packages(**arguments)
        return ToolResult.from_text("\n".join(_lines(imported)), write(imported))

    return Tool(
        name="import_package",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("folder",),
            folder=string("Folder of packages."),
            packages=names("Packages to load; omit for all."),
            overwrite=flag("Also replace packages changed in the image.", default=False),
        ),
        handler=import_package,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Imported)) if structured else None,
    )


def _lines(imported: Imported) -> Iterator[str]:
    yield f"Loaded from {imported.folder}: {', '.join(imported.packages) or 'no package'}."
    yield from changes_made(imported.changes)
    yield from warned(imported.warnings)
