"""The options of ``python -m pharo_standin``: actions, done in the order in which they are given."""

from __future__ import annotations

from dataclasses import dataclass

WITH_VALUE = ("--load", "--do", "--print", "--test")
WITHOUT_VALUE = ("--serve",)
USAGE = (
    "usage: python -m pharo_standin [--load FOLDER] [--do EXPRESSION] [--print EXPRESSION]"
    " [--test PACKAGE-PATTERN] [--serve]"
)


class UsageError(Exception):
    """Options that make no sense; the text says what is wrong."""


@dataclass(frozen=True, slots=True)
class Action:
    """One option with its value."""

    name: str
    value: str = ""


def parse_arguments(arguments: list[str]) -> list[Action]:
    """The actions that the arguments ask for.

    Raises:
        UsageError: If an option is unknown or lacks its value.
    """
    actions: list[Action] = []
    pending = list(reversed(arguments))
    while pending:
        name = pending.pop()
        if name in WITHOUT_VALUE:
            actions.append(Action(name))
        elif name not in WITH_VALUE:
            raise UsageError(f"unknown option {name}\n{USAGE}")
        elif not pending:
            raise UsageError(f"{name} needs a value\n{USAGE}")
        else:
            actions.append(Action(name, pending.pop()))
    return actions
