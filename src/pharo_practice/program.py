"""The program: boots the practice image and carries out its options in the order in which they are given."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from pharo_practice.compiling.compiler import EvaluationFailed, evaluate
from pharo_practice.image import boot
from pharo_practice.loading import LoadError, load
from pharo_practice.machine.execution import display_string
from pharo_practice.machine.interpreter import RAISE_BUGS, log_error
from pharo_practice.machine.limits import resident_memory
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import NothingToRun
from pharo_practice.serving import Signalled, raise_signals, serve

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
        if name not in PERFORM:
            raise UsageError(f"unknown option {name}\n{USAGE}")
        if name == "--serve":  # the only one without a value
            actions.append(Action(name))
        elif pending:
            actions.append(Action(name, pending.pop()))
        else:
            raise UsageError(f"{name} needs a value\n{USAGE}")
    return actions


def main(arguments: list[str] | None = None) -> int:
    """Run the practice image; returns the exit status."""
    try:
        actions = parse_arguments(sys.argv[1:] if arguments is None else arguments)
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    raise_signals()
    try:
        vm = boot()
        return perform(vm, actions)
    except (LoadError, EvaluationFailed, NothingToRun) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Signalled as ended:
        return ended.status
    except BrokenPipeError:  # nobody reads the output any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        if RAISE_BUGS in os.environ:
            raise
        log_error(__name__, "the practice image failed", cause=error)
        return 70


def perform(vm: Machine, actions: list[Action]) -> int:
    """Carry out actions in their order; if that is broken off, only those after serving, which clean up."""
    status = 0
    try:
        for action in actions:
            status |= PERFORM[action.name](vm, action)
    except (Signalled, BrokenPipeError):
        names = [action.name for action in actions]
        for action in actions[names.index("--serve") + 1 :] if "--serve" in names else ():
            with suppress(EvaluationFailed, NothingToRun):
                PERFORM[action.name](vm, action)
        raise
    return status


def _name(vm: Machine, action: Action) -> int:
    """Name the image file that the image would have."""
    if not re.fullmatch(r"[^/\\\0]+", action.value):
        sys.stderr.write(f"{action.value!r} is not a name for an image\n")
        return 1
    vm.image_name = action.value
    return 0


def _limit_memory(vm: Machine, action: Action) -> int:
    """Limit the further growth of the image to so many megabytes."""
    if not re.fullmatch(r"[1-9]\d{0,6}", action.value, re.ASCII):
        sys.stderr.write(f"{action.value} is not a number of megabytes\n")
        return 1
    vm.limits.memory = resident_memory() + int(action.value) * 1_000_000
    return 0


def _load(vm: Machine, action: Action) -> int:
    """Load packages, and say which."""
    for line in load(vm, action.value).lines():
        sys.stderr.write(line + "\n")
    return 0


def _preload(vm: Machine, action: Action) -> int:
    """Load packages without a word: those that the caller, and not a user, has chosen."""
    load(vm, action.value)
    return 0


def _do(vm: Machine, action: Action) -> int:
    evaluate(vm, action.value)
    return 0


def _print(vm: Machine, action: Action) -> int:
    shown = display_string(vm, evaluate(vm, action.value))
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(shown.encode(encoding, "backslashreplace").decode(encoding) + "\n")
    sys.stdout.flush()
    return 0


def _test(vm: Machine, action: Action) -> int:
    from pharo_practice.testing import run_tests  # here: serving does not need it

    return run_tests(vm, action.value)


def _serve(vm: Machine, _action: Action) -> int:
    return serve(vm)


PERFORM: dict[str, Callable[[Machine, Action], int]] = {
    "--name": _name,
    "--memory": _limit_memory,
    "--load": _load,
    "--preload": _preload,
    "--do": _do,
    "--print": _print,
    "--test": _test,
    "--serve": _serve,
}
