"""Tool `compile_methods`: add or replace several methods of a class."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import (
    CompiledMethods,
    ImageClient,
    MethodOutcome,
    SmalltalkError,
    method_name,
    schema_of,
    write,
)
from pharo_mcp.protocol import Call, Schema, TextContent, Tool, ToolResult

from .compile_method import NOT_CHANGED, NOT_COMPILED
from .declaration import ADDS, CLASS_NAME, CONFIRM, SIDE, schema_of_arguments
from .text.wording import count, how_to_undo, warned

DESCRIPTION = "Add or replace several methods of a class. If one does not compile, the others are compiled."

REFUSED = NOT_COMPILED | {"badRequest", "notReached"}
"""The kinds of errors after which the method is as it was; a confirmation says so itself."""
MAY_BE_CHANGED = "The method may have been changed; get_method shows it."

SOURCES = {
    "type": "array",
    "minItems": 1,
    "maxItems": 100,
    "items": {
        "type": ["string", "object"],
        "properties": {"source": {"type": "string"}, "protocol": {"type": "string"}},
        "required": ["source"],
        "additionalProperties": False,
    },
    "description": "Source of each method, or source and protocol.",
}


def compile_methods_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    reported: set[str] = set()  # what the image lacks is reported once

    def compile_methods(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        options = dict(arguments)
        sources = [{"source": each} if isinstance(each, str) else each for each in options.pop("sources")]
        compiled = image.changes.compile_methods(methods=sources, **options)
        lines = [*_lines(compiled)]
        if compiled.unavailable and compiled.unavailable not in reported:
            reported.add(compiled.unavailable)
            lines.append(compiled.unavailable)
        has_failed = any(method.error for method in compiled.methods)
        return ToolResult((TextContent("\n".join(lines)),), write(compiled), is_error=has_failed)

    return Tool(
        name="compile_methods",
        title="Compile methods",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("class_name", "sources"), class_name=CLASS_NAME, sources=SOURCES, side=SIDE, confirm=CONFIRM
        ),
        handler=compile_methods,
        annotations=ADDS,
        output_schema=Schema(schema_of(CompiledMethods)) if structured else None,
    )


def _lines(compiled: CompiledMethods) -> Iterator[str]:
    """Yield how many were compiled, the failures in the order of the sources, and what was compiled."""
    failed = [(n, each) for n, each in enumerate(compiled.methods, 1) if each.error]
    done = [each for each in compiled.methods if not each.error]
    of_all = f" of {len(compiled.methods)}" if failed else ""
    noun = "method" if len(compiled.methods) == 1 else "methods"
    class_side = " class" if compiled.side == "class" else ""
    rest = f"; {count(len(failed), 'source')} failed" if failed else ""
    yield f"Compiled {len(done)}{of_all} {noun} in {compiled.class_name}{class_side}{rest}."
    for number, each in failed:
        yield from ("", f"Source {number}:", _failure(each))
    if failed and done:
        yield from ("", "Compiled:")
    for each in done:
        yield from _compiled(each)
    yield from how_to_undo(compiled.changes)
    yield from warned(compiled.warnings)


def _failure(method: MethodOutcome) -> str:
    failure = method.failure
    if failure.kind == "confirmation":
        return failure.message_text
    return SmalltalkError(failure, NOT_CHANGED if failure.kind in REFUSED else MAY_BE_CHANGED).message


def _compiled(method: MethodOutcome) -> Iterator[str]:
    name = method_name(method.class_name or "", method.side, method.selector or "")
    yield f"    {name}, in protocol {method.protocol}{', new' if method.created else ''}"
    yield from (f"        Warning: {warning}" for warning in method.warnings or ())
    yield from (f"        Critique: {each.rule}: {each.text}" for each in method.critiques or ())
