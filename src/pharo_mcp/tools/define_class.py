"""Tool `define_class`: create or redefine a class or trait."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import DefinedClass, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .declaration import ADDS, CONFIRM, names, schema_of_arguments, string
from .text.wording import NEXT_STEPS, bounded, class_uri, how_to_undo, warned

DESCRIPTION = """\
Create or redefine a class or trait, by a definition or by the other arguments. An existing class is \
replaced: read it first."""

ARGUMENTS = schema_of_arguments(
    definition=string(
        "Definition, such as `Object << #Zoo slots: { #cages }; sharedVariables: { #Sum }; package: 'Zoo'`."
    ),
    class_name=string("Name of the class."),
    superclass=string("Superclass; default: Object."),
    slots=names("Instance variables; default: none."),
    package=string("Package; required for a new class."),
    comment=string("Class comment; omit to keep it."),
    confirm=CONFIRM,
)


def define_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def define_class(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        parts = arguments.keys() - {"definition", "comment", "confirm"}
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
        annotations=ADDS,
        output_schema=Schema(schema_of(DefinedClass)) if structured else None,
    )


def _bounded(defined: DefinedClass) -> DefinedClass:
    return defined._replace(definition=bounded(defined.definition, class_uri(defined.class_name)))


def _lines(defined: DefinedClass) -> Iterator[str]:
    kind = "trait" if defined.definition.startswith("Trait ") else "class"
    yield f"{'Created' if defined.created else 'Redefined'} the {kind} {defined.class_name}:"
    yield defined.definition
    yield from how_to_undo(defined.changes)
    yield from warned(defined.warnings)
    if defined.created:
        yield NEXT_STEPS["define_class"]
