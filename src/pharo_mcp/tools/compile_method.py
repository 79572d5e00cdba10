"""Tool `compile_method`: add or change one method."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import CompiledMethod, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import CLASS_NAME, CONFIRM, SIDE, arguments, text
from .hints import ADDS
from .wording import how_to_undo, method_name, warned

DESCRIPTION = """\
Add or replace a method of a class or trait. If it does not compile, the answer says where, and nothing \
changed."""


def compile_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    told: set[str] = set()  # what the image lacks is worth a line once

    def compile_method(given: Mapping[str, Any], call: Call) -> ToolResult:
        compiled = image.changes.compile_method(**given)
        lines = [*_lines(compiled)]
        if compiled.unavailable and compiled.unavailable not in told:
            told.add(compiled.unavailable)
            lines.append(compiled.unavailable)
        return ToolResult.from_text("\n".join(lines), write(compiled))

    return Tool(
        name="compile_method",
        title="Compile a method",
        description=DESCRIPTION,
        input_schema=arguments(
            ("class_name", "source"),
            class_name=CLASS_NAME,
            source=text("The whole method."),
            side=SIDE,
            protocol=text("Default: as before."),
            confirm=CONFIRM,
        ),
        handler=compile_method,
        annotations=ADDS,
        output_schema=Schema(schema_of(CompiledMethod)) if structured else None,
    )


def _lines(compiled: CompiledMethod) -> Iterator[str]:
    compiled_name = method_name(compiled.class_name, compiled.side, compiled.selector)
    done = "is a new method" if compiled.created else "has new source"
    yield f"{compiled_name} {done}, in protocol {compiled.protocol}."
    yield from how_to_undo(compiled.changes)
    yield from warned(compiled.warnings)
    if compiled.critiques:
        yield "Critiques of the image:"
        yield from (f"    {each.rule}: {each.text}" for each in compiled.critiques)
