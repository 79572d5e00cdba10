"""What tests reached as text: totals first, then what was not reached, by class."""

from collections.abc import Iterator

from pharo_mcp.image.replies.coverage import ClassCoverage, Coverage, PackageCoverage, PartlyReached

from .wording import count


def coverage_lines(coverage: Coverage) -> Iterator[str]:
    """Yield the lines of a coverage."""
    yield from map(_totals, coverage.packages)
    if coverage.interrupted:
        yield "The image was saved while the tests ran; what they reached afterwards is not counted."
    if coverage.classes:
        yield "Not reached:"
    for each in coverage.classes:
        yield from _class(each)
    if coverage.unlisted:
        yield f"    … and {count(coverage.unlisted, 'more method')}."
    if coverage.not_counted:
        kinds = (f"{count(each.methods, 'method')} {each.why}" for each in coverage.not_counted)
        yield f"Not counted: {', '.join(kinds)}."


def _totals(package: PackageCoverage) -> str:
    methods = _part(package.reached, package.methods, "method")
    blocks = f", {_part(package.reached_blocks, package.blocks, 'block')}" if package.blocks else ""
    return f"Coverage of {package.name}: {methods}{blocks}."


def _part(reached: int, total: int, noun: str) -> str:
    """Return a part with its percentage, rounded down: 100 % are all."""
    percentage = f" ({100 * reached // total} %)" if total else ""
    return f"{reached:,} of {count(total, noun)}{percentage}"


def _class(each: ClassCoverage) -> Iterator[str]:
    name = f"{each.class_name}{' class' if each.side == 'class' else ''}"
    selectors = f": {', '.join(each.not_reached)}" if each.not_reached else ""
    yield f"    {name}, {each.reached:,} of {count(each.methods, 'method')}{selectors}"
    for method in each.partly:
        yield from _lines(method)


def _lines(method: PartlyReached) -> Iterator[str]:
    yield f"        in part: {method.selector}"
    for each in method.lines:
        yield f"            line {each.line}: {each.source_line}"
    if method.more:
        yield f"            … and {count(method.more, 'more block')}"
