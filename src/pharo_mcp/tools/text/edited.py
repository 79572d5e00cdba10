"""What an edit of code did, or would do, as text."""

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pharo_mcp.image.errors.smalltalk_error import SmalltalkError
from pharo_mcp.image.replies.code_text import EditedCode
from pharo_mcp.image.replies.failure import Failure
from pharo_mcp.image.replies.shapes import read

from .losses import losses_lines
from .wording import changes_made, count

MOST_NAMES, MOST_METHODS = 100, 12
"""Classes and methods that are named; others are counted."""
MOST_WARNINGS = 5


def edited_lines(edited: EditedCode) -> Iterator[str]:
    """Yield what was lost first, then what was done, what was not, and the number of the change."""
    for each in edited.classes:
        if each.losses:
            yield f"{each.class_name} {'would lose' if edited.preview else 'has lost'}:"
            yield from losses_lines(each.losses)
    yield from _preview(edited) if edited.preview else _done(edited)
    yield from failure_lines(edited.failures)
    yield from changes_made(edited.changes)


def failure_lines(failures: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """Yield each failure of an edit: the class or method, what is wrong, and where in the text."""
    for failure in (read(Failure, each) for each in failures):
        yield ""
        cause = SmalltalkError(failure, " ").message.rstrip()
        yield f"{failure.item}: {cause}" if failure.item else cause


def warning_lines(warnings: Sequence[str]) -> Iterator[str]:
    """Yield the first warnings, and how many others there are."""
    if warnings:
        yield "Warnings:"
        yield from (f"    {warning}" for warning in warnings[:MOST_WARNINGS])
        if len(warnings) > MOST_WARNINGS:
            yield f"    … and {len(warnings) - MOST_WARNINGS:,} more"


def _done(edited: EditedCode) -> Iterator[str]:
    if not edited.changes and not edited.failures:
        yield f"Nothing to change: the image already has all {count(edited.unchanged, 'part')} of this text."
        return
    for verb, created in (("Created", True), ("Changed", False)):
        yield from _named(verb, [each.name for each in edited.classes if each.created is created])
    for verb, created in (("Added", True), ("Replaced", False)):
        yield from _methods(verb, [each.name for each in edited.methods if each.created is created])
    yield from _named("Removed", edited.removed)
    if edited.unchanged:
        yield f"Unchanged: {edited.unchanged:,}."


def _preview(edited: EditedCode) -> Iterator[str]:
    yield "Preview: nothing was changed."
    for each in (*edited.classes, *edited.methods):
        if each.before:
            yield from ("", f"{each.name}:", *_difference(each.before, each.after or ""))
        else:
            yield from ("", f"{each.name} (new)")
    yield from _named("Would remove", edited.removed)


def _difference(before: str, after: str) -> Iterator[str]:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=2)
    return (f"    {line}" for line in list(lines)[2:])


def _methods(verb: str, names: Sequence[str]) -> Iterator[str]:
    """Yield the names of methods, or how many of each class if they are many."""
    if len(names) <= MOST_METHODS:
        yield from _named(verb, names)
        return
    counts = Counter(name.partition(">>")[0] for name in names)
    yield f"{verb} {len(names):,} methods: {', '.join(f'{of} in {name}' for name, of in counts.items())}."


def _named(verb: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        more = f" … and {len(names) - MOST_NAMES:,} more" if len(names) > MOST_NAMES else ""
        yield f"{verb} {', '.join(names[:MOST_NAMES])}{more}."
