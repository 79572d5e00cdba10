"""Tool `get_package`: what a package holds."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Package, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments, text
from .hints import READS
from .next_steps import NEXT_STEPS
from .wording import count

DESCRIPTION = """\
Read what a package holds: classes, methods for other classes, test classes. Begin here in unknown code."""


def get_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_package(given: Mapping[str, Any], call: Call) -> ToolResult:
        package = image.code.package(given["package_name"])
        return ToolResult.from_text("\n".join(_lines(package)), write(package))

    return Tool(
        name="get_package",
        title="Read a package",
        description=DESCRIPTION,
        input_schema=arguments(("package_name",), package_name=text("Its name.")),
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
        yield from ("", "Methods of classes of other packages:")
        for extension in package.extensions:
            side = " class" if extension.side == "class" else ""
            yield f"    {extension.class_name}{side}: {', '.join(extension.selectors)}"
    if package.test_classes:
        yield from ("", f"Test classes: {', '.join(package.test_classes)}")
        yield f"run_tests with package {package.name} runs them."
