"""Tool `compile_method`: add or replace a method."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import CompiledMethod, ImageClient, SmalltalkError, method_name, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import ADDS, CLASS_NAME, CONFIRM, SIDE, schema_of_arguments, string
from .text.compiled import NOT_CHANGED, NOT_COMPILED
from .text.wording import changes_made, in_protocol, warned

DESCRIPTION = "Add or replace a method. If the source does not compile, nothing changes."


def compile_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def compile_method(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        try:
            compiled = image.changes.compile_method(**arguments)
        except SmalltalkError as error:
            if error.kind in NOT_COMPILED:
                raise SmalltalkError(error.failure, NOT_CHANGED) from error
            raise
        lines = [*_lines(compiled), *image.changes.report_once(compiled.unavailable)]
        return ToolResult.from_text("\n".join(lines), write(compiled))

    return Tool(
        name="compile_method",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("class_name", "source"),
            class_name=CLASS_NAME,
            source=string("Source of the method, plain or in Tonel's form."),
            side=SIDE,
            protocol=string("Protocol; default: the one it has or overrides."),
            confirm=CONFIRM,
        ),
        handler=compile_method,
        annotations=ADDS,
        output_schema=Schema(schema_of(CompiledMethod)) if structured else None,
    )


def _lines(compiled: CompiledMethod) -> Iterator[str]:
    compiled_name = method_name(compiled.class_name, compiled.side, compiled.selector)
    new = "the new method " if compiled.created else ""
    yield f"Compiled {new}{compiled_name}, {in_protocol(compiled.protocol)}."
    yield from changes_made(compiled.changes)
    yield from warned(compiled.warnings)
    if compiled.critiques:
        yield "Critiques:"
        yield from (f"    {each.rule}: {each.text}" for each in compiled.critiques)
