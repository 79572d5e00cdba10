"""What the data know of a class or a selector, in lines to read."""

from collections.abc import Iterable, Iterator, Sequence

from pharo_api.classes import ClassInfo, Side
from pharo_api.pharo_version import PharoVersion
from pharo_api.suggestions import suggestion

WIDTH = 118
INDENT = "    "
MOST_SUBCLASSES = 12


def class_lines(name: str, versions: Sequence[PharoVersion]) -> Iterator[str]:
    """A class: superclasses, variables, selectors; the first version in full, then the differences."""
    known = [version for version in versions if name in version.classes]
    for version in versions:
        if version not in known:
            yield f"Pharo {version.number}: no {name}{suggestion(name, version.classes)}"
    for version in known:
        yield from definition_lines(name, version)
        for side in Side:
            if version is known[0]:
                yield from selector_lines(version.classes[name], side)
            else:
                yield from difference_lines(name, side, known[0], version)


def definition_lines(name: str, version: PharoVersion) -> Iterator[str]:
    """What a class is, and its variables."""
    info = version.classes[name]
    chain = " < ".join(each.name for each in version.chain(name).classes) or name
    where = f"[package {info.package or '?'}; {info.origin or 'pharo'}]"
    yield f"Pharo {version.number}: {info.kind} {chain}   {where}"
    if info.traits:
        yield f"  traits: {info.traits}"
    if info.instance_variables:
        yield f"  instance variables: {listed(info.instance_variables)}"
    if info.class_variables:
        yield f"  class variables: {listed(info.class_variables)}"
    subclasses = sorted(version.subclasses.get(name, ()))
    if subclasses:
        more = " ..." if len(subclasses) > MOST_SUBCLASSES else ""
        yield f"  subclasses: {', '.join(subclasses[:MOST_SUBCLASSES])}{more}"


def selector_lines(info: ClassInfo, side: Side) -> Iterator[str]:
    """All selectors of one side of a class."""
    selectors, deprecated = info.selectors[side], info.deprecated[side]
    if not selectors:
        yield f"  {side} side: none"
        return
    yield f"  {side} side ({len(selectors)}):"
    yield from columns(f"{each} (deprecated)" if each in deprecated else each for each in selectors)


def difference_lines(name: str, side: Side, first: PharoVersion, version: PharoVersion) -> Iterator[str]:
    """What one side of a class has in a version that it has not in the first, and the other way round."""
    before, now = (each.classes[name].selectors[side] for each in (first, version))
    yield f"  {side} side, new against {first.number}: {listed(now - before)}"
    yield f"  {side} side, gone against {first.number}: {listed(before - now)}"


def selector_implementors(selector: str, version: PharoVersion) -> list[str]:
    """The classes that implement a selector."""
    return sorted(
        side.of(info.name) + (" (deprecated)" if selector in info.deprecated[side] else "")
        for info in version.classes.values()
        for side in Side
        if selector in info.selectors[side]
    )


def implementor_lines(selector: str, versions: Iterable[PharoVersion]) -> Iterator[str]:
    """The implementors of a selector, version by version."""
    for version in versions:
        names = selector_implementors(selector, version)
        similar = "" if names else suggestion(selector, version.selectors)
        yield f"Pharo {version.number}: #{selector} has {len(names)} implementors{similar}"
        yield from columns(names)


def listed(names: Iterable[str]) -> str:
    """Names in one line."""
    return ", ".join(sorted(names)) or "none"


def columns(words: Iterable[str]) -> Iterator[str]:
    """Words in lines that are not too long."""
    line = ""
    for word in sorted(words):
        if line and len(line) + len(word) + 2 > WIDTH - len(INDENT):
            yield INDENT + line.rstrip()
            line = ""
        line += f"{word}  "
    if line:
        yield INDENT + line.rstrip()
