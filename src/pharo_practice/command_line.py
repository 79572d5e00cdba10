"""The options of ``python -m pharo_practice``: actions, done in the order in which they are given."""

from __future__ import annotations

from typing import NamedTuple

VALUES = {
    "--name": 1,
    "--memory": 1,
    "--load": 1,
    "--do": 1,
    "--print": 1,
    "--test": 1,
    "--export": 2,
    "--serve": 0,
}
"""How many values each option has."""
USAGE = (
    "usage: python -m pharo_practice [--name NAME] [--memory MEGABYTES] [--load FOLDER] [--do EXPRESSION]"
    " [--print EXPRESSION] [--test PACKAGE-PATTERN|CLASS>>SELECTOR] [--export PACKAGE FOLDER] [--serve]"
)


class UsageError(Exception):
    """Invalid options; the text explains what is wrong."""


class Action(NamedTuple):
    """One option with its values."""

    name: str
    value: str = ""
    folder: str = ""
    """Where to export to."""


def parse_arguments(arguments: list[str]) -> list[Action]:
    """The actions that the arguments ask for.

    Raises:
        UsageError: If an option is unknown or lacks its value.
    """
    actions: list[Action] = []
    pending = list(reversed(arguments))
    while pending:
        name = pending.pop()
        count = VALUES.get(name)
        if count is None:
            raise UsageError(f"unknown option {name}\n{USAGE}")
        if len(pending) < count:
            raise UsageError(f"{name} needs {'a value' if count == 1 else f'{count} values'}\n{USAGE}")
        actions.append(Action(name, *(pending.pop() for _ in range(count))))
    return actions
