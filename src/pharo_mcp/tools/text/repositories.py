"""What differs from the last commit of a repository, as text."""

from collections.abc import Iterator

from pharo_mcp.image.replies.projects import RepositoryChanges

from .wording import count


def changes_lines(changes: RepositoryChanges) -> Iterator[str]:
    """Yield the number of changes, and each that is listed, under its package."""
    yield f"    {count(changes.total, 'change')} since the last commit:"
    package = None
    for each in changes.items:
        if each.package and each.package != package:
            yield f"        {each.package}"
        package = each.package
        yield f"        {'    ' if package else ''}{each.action} {each.name}"
    if more := changes.total - len(changes.items):
        yield f"        … and {more:,} more"
