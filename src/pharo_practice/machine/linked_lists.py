"""Linked lists of processes, as semaphores keep them in their own fields."""

from __future__ import annotations

from pharo_practice.model.behavior import Pointers

NEXT_LINK = 0
"""The field of a process."""

FIRST_LINK, LAST_LINK = 0, 1
"""The fields of a list."""


def append(waiting: Pointers, process: Pointers) -> None:
    """Append a process to a linked list."""
    process.fields[NEXT_LINK] = None
    last = waiting.fields[LAST_LINK]
    if last is None:
        waiting.fields[FIRST_LINK] = process
    else:
        last.fields[NEXT_LINK] = process
    waiting.fields[LAST_LINK] = process


def unlink(waiting: Pointers, process: Pointers) -> None:
    """Remove a process from anywhere in a linked list."""
    previous, each = None, waiting.fields[FIRST_LINK]
    while each is not None and each is not process:
        previous, each = each, each.fields[NEXT_LINK]
    if each is None:
        return
    following = process.fields[NEXT_LINK]
    if previous is None:
        waiting.fields[FIRST_LINK] = following
    else:
        previous.fields[NEXT_LINK] = following
    if waiting.fields[LAST_LINK] is process:
        waiting.fields[LAST_LINK] = previous
    process.fields[NEXT_LINK] = None
