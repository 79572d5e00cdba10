"""The options of ``python -m pharo_practice``: actions, done in the order in which they are given."""

from __future__ import annotations

from typing import NamedTuple

OPTIONS = {
    "--name": True,
    "--memory": True,
    "--load": True,
    "--preload": True,
    "--do": True,
    "--print": True,
    "--test": True,
    "--serve": False,
}
"""Whether an option has a value."""
USAGE = (
    "usage: python -m pharo_practice [--name NAME] [--memory MEGABYTES] [--load FOLDER] [--preload FOLDER]"
    " [--do EXPRESSION] [--print EXPRESSION] [--test PACKAGE-PATTERN|CLASS>>SELECTOR] [--serve]"
)


class UsageError(Exception):
    """Invalid options; the text explains what is wrong."""


class Action(NamedTuple):
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
        if name not in OPTIONS:
            raise UsageError(f"unknown option {name}\n{USAGE}")
        if OPTIONS[name] and not pending:
            raise UsageError(f"{name} needs a value\n{USAGE}")
        actions.append(Action(name, pending.pop()) if OPTIONS[name] else Action(name))
    return actions
