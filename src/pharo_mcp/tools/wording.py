"""Words that several tools use for the same things."""

from collections.abc import Iterator, Sequence


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
