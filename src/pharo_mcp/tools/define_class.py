"""Tool `define_class`: make a class or a trait, or change what one is."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import DefinedClass, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .arguments import CONFIRM, arguments, names, text
from .hints import ADDS
from .next_steps import NEXT_STEPS
from .wording import bounded, class_uri, how_to_undo, warned

DESCRIPTION = """\
Make or change a class or trait: by a definition in fluid form, or by the other arguments. An existing one \
becomes exactly that: read it first."""

ARGUMENTS = arguments(
    definition=text("Like `Object << #Zoo slots: { #cages }; sharedVariables: { #Sum }; package: 'Zoo'`."),
    class_name=text("Its name."),
    superclass=text("Default: Object."),
    slots=names("Instance variables."),
    package=text("Its package."),
    comment=text("What it is for."),
    confirm=CONFIRM,
)


def define_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def define_class(given: Mapping[str, Any], call: Call) -> ToolResult:
        parts = given.keys() - {"definition", "comment", "confirm"}
        if ("definition" in given) == bool(parts) or (parts and "class_name" not in parts):
            raise ToolError(
                "Nothing was changed: give either a definition or class_name and the other arguments.",
                "badRequest",
            )
        defined = _bounded(image.changes.define_class(**given))
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
    yield f"{defined.class_name} is {f'a new {kind}' if defined.created else 'defined anew'}:"
    yield defined.definition
    yield from how_to_undo(defined.changes)
    yield from warned(defined.warnings)
    if defined.created:
        yield NEXT_STEPS["define_class"]
