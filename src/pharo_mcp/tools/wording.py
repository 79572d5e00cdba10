"""Words that several tools use for the same things."""

from collections.abc import Iterator, Sequence

LONGEST_TEXT = 10_000
"""Characters of one source, definition or comment in an answer."""
LONGEST_ECHO = 100
"""Characters of what was asked that an answer repeats."""


def count(number: int, noun: str, plural: str | None = None) -> str:
    """So many of them, in words: `1 class`, `2 classes`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def method_name(class_name: str, side: str | None, selector: str) -> str:
    """A method as Smalltalkers write it: `Point class>>x:y:`."""
    return f"{class_name}{' class' if side == 'class' else ''}>>{selector}"


def how_to_undo(changes: Sequence[int]) -> Iterator[str]:
    """A sentence on the changes that something made, if it made any."""
    if len(changes) == 1:
        yield f"Change {changes[0]}; undo_change takes it back."
    elif changes:
        first, last = min(changes), max(changes)
        yield f"Changes {first} to {last}; undo_change with to: {first - 1} takes all of them back."


def warned(warnings: Sequence[str]) -> Iterator[str]:
    """Warnings, if there are any."""
    if warnings:
        yield "Warnings:"
        yield from (f"    {warning}" for warning in warnings)


def bounded(text: str, uri: str) -> str:
    """A text; of a long one its beginning, how long it is, and the resource that holds all of it."""
    if len(text) <= LONGEST_TEXT:
        return text
    part = f"Characters 1 to {LONGEST_TEXT:,} of {len(text):,}. The resource {uri} holds all."
    return f"{text[:LONGEST_TEXT]}\n\n{part}"


def class_uri(class_name: str) -> str:
    """The resource of a class or a trait."""
    return f"pharo://class/{_quoted(class_name)}"


def method_uri(class_name: str, side: str | None, selector: str) -> str:
    """The resource of a method."""
    of_class_side = "/class" if side == "class" else ""
    return f"{class_uri(class_name)}{of_class_side}/method/{_quoted(selector)}"


def echo(asked: str) -> str:
    """What was asked, to be repeated in an answer."""
    return asked if len(asked) <= LONGEST_ECHO else f"{asked[:LONGEST_ECHO]}…"


def _quoted(name: str) -> str:
    from urllib.parse import quote

    return quote(name, safe=":")
