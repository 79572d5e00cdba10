"""Tool `get_package`: list the contents of a package, or the packages whose names contain a text."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Package, Packages, UnknownPackage, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import READS, schema_of_arguments, string
from .text.packages import package_lines
from .text.wording import count, echo

DESCRIPTION = "List the contents of a package; or packages, by part of a name."

MOST = 100
"""Packages that are listed."""


def _schema() -> Schema:
    return Schema({"type": "object", "anyOf": [schema_of(Package), schema_of(Packages)]})


def get_package_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_package(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        found = _found(image, arguments.get("package_name"))
        lines = _lines(found) if isinstance(found, Package) else _listed(found, arguments.get("package_name"))
        return ToolResult.from_text("\n".join(lines), write(found))

    return Tool(
        name="get_package",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(package_name=string("Name, or part of it; omit for all.")),
        handler=get_package,
        annotations=READS,
        output_schema=_schema() if structured else None,
    )


def _found(image: ImageClient, name: str | None) -> Package | Packages:
    """Return the package of that name; else the packages whose names contain it."""
    if not name:
        return image.code.packages(limit=MOST)
    try:
        return image.code.package(name)
    except UnknownPackage:
        packages = image.code.packages(name, limit=MOST)
        if not packages.total:
            raise
        return packages


def _listed(packages: Packages, name: str | None) -> Iterator[str]:
    if name:
        yield f"There is no package named {echo(name)}, but some names contain that."
    yield from package_lines(packages)
    if rest := packages.total - len(packages.packages):
        yield f"{rest:,} more; a part of the name as package_name lists fewer."


def _lines(package: Package) -> Iterator[str]:
    classes = sum(len(tag.classes) for tag in package.tags)
    yield f"Package {package.name}: {count(classes, 'class', 'classes')}."
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
