"""Objects found in the whole image, as text."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from pharo_mcp.image.replies.memory import ClassMemory, FoundObject, FoundObjects

from .wording import count


def found_lines(found: FoundObjects) -> Iterator[str]:
    """Yield what was found, as its relation asks for, and what was not looked at."""
    if found.subject is None or found.count_ is not None or found.visited is not None:
        yield from LINES[found.relation](found)
    else:
        yield _object(found.subject)
    yield from found.notes


def _instances(found: FoundObjects) -> Iterator[str]:
    included = ", those of subclasses included" if found.relation == "subinstances" else ""
    total = f"{count(found.count_ or 0, 'instance')}, {count(found.bytes or 0, 'byte')}"
    yield f"{_subject(found).print_string}: {total}{included}"
    if found.classes:
        yield "Most bytes:"
        yield from (f"    {_size(each)}" for each in found.classes)
    if found.items:
        first = "The first:" if len(found.items) == 1 else f"The first {len(found.items):,}:"
        yield "Instances:" if len(found.items) == found.count_ else first
        yield from (f"    {_object(each)}, {each.bytes:,} bytes" for each in found.items)


def _holders(found: FoundObjects) -> Iterator[str]:
    total = found.count_ or 0
    verb = "holds" if total == 1 else "hold"
    yield f"{count(total, 'object')} {verb} {_object(_subject(found))}{':' if found.items else '.'}"
    for each in found.items:
        yield f"    {_object(each)}, by {each.by}"
    if len(found.items) < total:
        yield f"    ... and {total - len(found.items):,} more: raise limit (at most 100)."
    if found.own:
        yield f"pharo-mcp holds it, too: {', '.join(found.own)}."


def _path(found: FoundObjects) -> Iterator[str]:
    subject = _object(_subject(found))
    if found.root is None:
        yield f"Nothing was found that keeps {subject} alive."
    elif found.is_ours:
        yield f"Only pharo-mcp keeps {subject} alive: {', '.join(found.own)}."
    elif not found.items:
        yield f"{subject} needs nothing to keep it alive: it is {found.root}."
    else:
        yield f"{subject} is kept alive by {found.root}:"
        for depth, each in enumerate(found.items, 1):
            yield f"{'  ' * min(depth, 12)}{each.by} -> {_object(each)}"


def _comparison(found: FoundObjects) -> Iterator[str]:
    total = f"{count(found.count_ or 0, 'object')}, {found.bytes or 0:,} bytes"
    if found.grew is None:
        yield f"Mark {found.mark} is set: {total}. Call compare again to see what has grown since."
        return
    yield f"Since mark {found.mark}: {_change(found.count_change, found.bytes_change)}; now {total}."
    yield from _changes("Grew", found.grew)
    yield from _changes("Shrank", found.shrank or ())


def _changes(heading: str, classes: Sequence[ClassMemory]) -> Iterator[str]:
    yield f"{heading}:" if classes else f"{heading}: nothing."
    for each in classes:
        yield f"    {each.class_name}: {_change(each.count_change, each.bytes_change)}; now {each.count_:,}"


def _change(objects: int | None, size: int | None) -> str:
    return f"{_signed(objects or 0, 'object')}, {_signed(size or 0, 'byte')}"


def _signed(number: int, noun: str) -> str:
    return f"{number:+,} {noun if abs(number) == 1 else noun + 's'}"


def _size(sizes: ClassMemory) -> str:
    return f"{sizes.class_name}: {sizes.count_:,}, {sizes.bytes:,} bytes"


def _subject(found: FoundObjects) -> FoundObject:
    return found.subject or FoundObject("", "")


def _object(found: FoundObject) -> str:
    object_id = f", {found.object_id}" if found.object_id else ""
    return f"{found.print_string} ({found.class_name}{object_id})"


LINES: Mapping[str, Callable[[FoundObjects], Iterator[str]]] = {
    "instances": _instances,
    "subinstances": _instances,
    "holders": _holders,
    "path_to_root": _path,
    "compare": _comparison,
}
"""The text of each relation."""
