"""Tool `import_package`: read packages from a folder."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Imported, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments, flag, name, names
from .hints import DESTROYS
from .wording import how_to_undo

DESCRIPTION = """\
Read packages from a folder of Tonel files into the live image, over what it has of them. Only folders that \
the user allowed when the companion was started, by default the image's own."""


def import_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def import_package(given: Mapping[str, Any], call: Call) -> ToolResult:
        imported = image.projects.import_packages(**given)
        return ToolResult.from_text("\n".join(_lines(imported)), write(imported))

    return Tool(
        name="import_package",
        title="Import packages",
        description=DESCRIPTION,
        input_schema=arguments(
            ("folder",),
            folder=name("Where packages are, like `/home/me/zoo/src`."),
            packages=names("Only these."),
            overwrite=flag("Also over changes that only the image has.", default=False),
        ),
        handler=import_package,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Imported)) if structured else None,
    )


def _lines(imported: Imported) -> Iterator[str]:
    yield f"Read from {imported.folder}: {', '.join(imported.packages) or 'no package'}."
    yield from how_to_undo(imported.changes)
