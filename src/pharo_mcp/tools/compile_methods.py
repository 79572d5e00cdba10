"""Tool `compile_methods`: add or replace several methods of a class."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import CompiledMethods, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, TextContent, Tool, ToolResult

from .declaration import ADDS, CLASS_NAME, CONFIRM, SIDE, as_methods, schema_of_arguments, sources
from .text.compiled import compiled_lines, has_failed
from .text.wording import changes_made, warned

DESCRIPTION = "Add or replace methods of a class. If one does not compile, the others are compiled."


def compile_methods_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def compile_methods(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        options = dict(arguments)
        methods = as_methods(options.pop("sources"))
        compiled = image.changes.compile_methods(methods=methods, **options)
        lines = [
            *compiled_lines(compiled),
            *changes_made(compiled.changes),
            *warned(compiled.warnings),
            *image.changes.report_once(compiled.unavailable),
        ]
        text = TextContent("\n".join(lines))
        return ToolResult((text,), write(compiled), is_error=has_failed(compiled.methods))

    return Tool(
        name="compile_methods",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("class_name", "sources"),
            class_name=CLASS_NAME,
            sources=sources("Source of each method, plain or in Tonel's form."),
            side=SIDE,
            confirm=CONFIRM,
        ),
        handler=compile_methods,
        annotations=ADDS,
        output_schema=Schema(schema_of(CompiledMethods)) if structured else None,
    )
