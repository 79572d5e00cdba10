"""Tool `get_package`: list the contents of a package."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Package, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import READS, schema_of_arguments, string
from .text.wording import NEXT_STEPS, count

DESCRIPTION = """\
List the contents of a package: its classes, extension methods and test classes. Start here in unfamiliar \
code."""


def get_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_package(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        package = image.code.package(arguments["package_name"])
        return ToolResult.from_text("\n".join(_lines(package)), write(package))

    return Tool(
        name="get_package",
        title="Read a package",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(("package_name",), package_name=string("Name of the package.")),
        handler=get_package,
        annotations=READS,
        output_schema=Schema(schema_of(Package)) if structured else None,
    )


def _lines(package: Package) -> Iterator[str]:
    classes = sum(len(tag.classes) for tag in package.tags)
    yield f"Package {package.name}: {count(classes, 'class', 'classes')}. {NEXT_STEPS['get_package']}"
    for tag in package.tags:
        yield from ("", f"Tag {tag.name}:" if tag.name else "Without a tag:")
        for each in tag.classes:
            trait = " (trait)" if each.kind == "trait" else ""
            yield f"    {each.class_name}{trait}{': ' if each.comment else ''}{each.comment}"
    if package.extensions:
        yield from ("", "Extension methods:")
        for extension in package.extensions:
            side = " class" if extension.side == "class" else ""
            yield f"    {extension.class_name}{side}: {', '.join(extension.selectors)}"
    if package.test_classes:
        yield from ("", f"Test classes: {', '.join(package.test_classes)}")
        yield f"run_tests with package {package.name} runs them."
