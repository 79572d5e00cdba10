"""A list of packages as text."""

from collections.abc import Iterator

from pharo_mcp.image import Packages

from .wording import count


def package_lines(packages: Packages) -> Iterator[str]:
    """Yield how many packages there are, and each with its size."""
    yield f"{count(packages.total, 'package')}:"
    for each in packages.packages:
        extensions = f", {count(each.extensions, 'extension')}" if each.extensions else ""
        yield f"    {each.name}: {count(each.classes, 'class', 'classes')}{extensions}"
