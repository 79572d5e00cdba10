"""Tool `define_class`: create or change a class or trait."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image import DefinedClass, ImageClient, ImageError, schema_of, write
from pharo_mcp.protocol import Call, Schema, TextContent, Tool, ToolError, ToolResult

from .declaration import (
    CONFIRM,
    DESTROYS,
    any_string,
    as_methods,
    names,
    schema_of_arguments,
    sources,
    string,
)
from .text.compiled import compiled_lines, has_failed
from .text.losses import losses_lines
from .text.wording import bounded, changes_made, class_uri, count, warned

DESCRIPTION = """\
Create or change a class or trait: omitted arguments keep its parts, a definition replaces all. Losses \
are listed first."""

ARGUMENTS = schema_of_arguments(
    definition=string("Definition, such as `Object << #Zoo slots: { #cages }; package: 'Zoo'`."),
    class_name=string("Name of the class."),
    superclass=string("Superclass; default: Object."),
    slots=names("Instance variables."),
    class_variables=names("Class variables."),
    traits=names("Traits."),
    package=any_string("Package; required for a new class."),
    comment=string("Class comment."),
    methods=sources("Sources of methods to compile in it, plain or in Tonel's form."),
    preview={"type": "boolean", "description": "Only list the losses."},
    confirm=CONFIRM,
)
NOT_PARTS = {"definition", "comment", "methods", "preview", "confirm"}
"""What may be given with a definition."""
NOT_ALL_DONE = "The class is defined, but compiling its methods failed:"


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
        options = dict(arguments)
        methods = as_methods(options.pop("methods", ()))
        defined = _bounded(image.changes.define_class(**options))
        if methods and not defined.preview:
            return _with_methods(image, defined, methods, confirm=arguments.get("confirm"))
        lines = [*_lines(defined), *changes_made(defined.changes), *_remarks(defined)]
        if methods:
            lines.append(f"That also compiles {count(len(methods), 'method')}; nothing was compiled now.")
        return ToolResult.from_text("\n".join(lines), write(defined))

    return Tool(
        name="define_class",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=define_class,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(DefinedClass)) if structured else None,
    )


def _with_methods(
    image: ImageClient,
    defined: DefinedClass,
    methods: Sequence[Mapping[str, str]],
    *,
    confirm: bool | None,
) -> ToolResult:
    """Compile methods into a class that was just defined, and report both with one range of changes."""
    lines = [*_lines(defined)] if defined.changes else []
    try:
        compiled = image.changes.compile_methods(defined.class_name, methods, confirm=confirm)
    except ImageError as error:
        lines += [*changes_made(defined.changes), *_remarks(defined), NOT_ALL_DONE, error.message]
        raise ToolError("\n".join(lines), error.kind, error.details) from error
    whole = defined._replace(
        changes=(*defined.changes, *compiled.changes),
        warnings=(*defined.warnings, *compiled.warnings),
        methods=compiled.methods,
    )
    lines += [*compiled_lines(compiled), *changes_made(whole.changes), *_remarks(whole)]
    lines += image.changes.report_once(compiled.unavailable)
    return ToolResult((TextContent("\n".join(lines)),), write(whole), is_error=has_failed(compiled.methods))


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


def _remarks(defined: DefinedClass) -> Iterator[str]:
    yield from warned(defined.warnings)
    if defined.preview:
        yield "To make the change, call again without preview."


def _done(defined: DefinedClass) -> str:
    if defined.preview:
        return f"Preview; nothing was changed. This would {'create' if defined.created else 'change'}"
    if defined.created:
        return "Created"
    return "Changed" if defined.changes else "Nothing to change in"
