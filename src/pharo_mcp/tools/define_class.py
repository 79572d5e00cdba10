"""Tool `define_class`: create or change a class or trait."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import DefinedClass, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .declaration import CONFIRM, DESTROYS, names, schema_of_arguments, string
from .text.losses import losses_lines
from .text.wording import NEXT_STEPS, bounded, class_uri, how_to_undo, warned

DESCRIPTION = """\
Create or change a class or trait: omitted arguments keep its parts, a definition replaces all. What it \
loses is listed first."""

ARGUMENTS = schema_of_arguments(
    definition=string("Definition, such as `Object << #Zoo slots: { #cages }; package: 'Zoo'`."),
    class_name=string("Name of the class."),
    superclass=string("Superclass; default: Object."),
    slots=names("Instance variables."),
    class_variables=names("Class variables."),
    traits=names("Traits."),
    package=string("Package; required for a new class."),
    comment=string("Class comment."),
    preview={"type": "boolean", "description": "Only list the losses."},
    confirm=CONFIRM,
)
NOT_PARTS = {"definition", "comment", "preview", "confirm"}
"""What may be given with a definition."""


def define_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def define_class(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        parts = arguments.keys() - NOT_PARTS
        if ("definition" in arguments) == bool(parts) or (parts and "class_name" not in parts):
            raise ToolError(
                "define_class needs either definition, or class_name and the other arguments. "
                "Nothing was changed.",
                "badRequest",
            )
        defined = _bounded(image.changes.define_class(**arguments))
        return ToolResult.from_text("\n".join(_lines(defined)), write(defined))

    return Tool(
        name="define_class",
        title="Define a class",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=define_class,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(DefinedClass)) if structured else None,
    )


def _bounded(defined: DefinedClass) -> DefinedClass:
    return defined._replace(definition=bounded(defined.definition, class_uri(defined.class_name)))


def _lines(defined: DefinedClass) -> Iterator[str]:
    kind = "trait" if defined.definition.startswith("Trait ") else "class"
    if defined.losses:
        would = "would lose" if defined.preview else "lost"
        yield f"The {kind} {defined.class_name} {would}:"
        yield from losses_lines(defined.losses)
    yield f"{_done(defined)} the {kind} {defined.class_name}:"
    yield defined.definition
    yield from how_to_undo(defined.changes)
    yield from warned(defined.warnings)
    if defined.preview:
        yield "To make the change, call again without preview."
    elif defined.created:
        yield NEXT_STEPS["define_class"]


def _done(defined: DefinedClass) -> str:
    if defined.preview:
        return f"Preview; nothing was changed. This would {'create' if defined.created else 'change'}"
    return "Created" if defined.created else "Changed"
