"""Evaluations Smalltalk in a booted practice, for its tests."""

from __future__ import annotations

from typing import Protocol, cast

from pharo_practice.compiling.compiler import evaluate
from pharo_practice.machine.machine import Machine
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Bytes, Pointers, Value, Words

TURNS = 200_000
"""Quanta of the machine that no expression of a test comes near, unless something is broken."""


class Evaluate(Protocol):
    """Answers the value of an expression as a Python value where it has one."""

    def __call__(self, source: str) -> object: ...


def evaluator(vm: Machine) -> Evaluate:
    """An evaluation in this machine, bounded."""

    def run(source: str) -> object:
        return simple(vm, evaluate(vm, source, turns=TURNS))

    return run


def simple(vm: Machine, value: Value) -> object:
    """Strings and symbols as str, arrays as lists, the rest as it is."""
    if isinstance(value, Words) or (isinstance(value, Bytes) and value.cls is not vm.classes["ByteArray"]):
        return text_of(value)
    if isinstance(value, Pointers) and value.cls is vm.classes["Array"]:
        return [simple(vm, each) for each in value.fields]
    return value


class Printing(Protocol):
    """Answers how the value of an expression prints itself."""

    def __call__(self, source: str) -> str: ...


def printer(vm: Machine) -> Printing:
    """Evaluations in this machine, each answered by its print string, bounded."""

    def run(source: str) -> str:
        value = evaluate(vm, source, turns=TURNS)
        return text_of(evaluate(vm, "self printString", receiver=value, turns=TURNS))

    return run


class Signalling(Protocol):
    """Answers the class name and the text of the error that an expression signals."""

    def __call__(self, source: str) -> tuple[str, str]: ...


def signaller(vm: Machine) -> Signalling:
    """Evaluations in this machine that must signal an error, bounded."""

    def run(source: str) -> tuple[str, str]:
        caught = f"[ {source}. nil ] on: Error do: [ :error | {{ error class name. error messageText }} ]"
        answer = simple(vm, evaluate(vm, caught, turns=TURNS))
        assert isinstance(answer, list), f"{source} signals nothing"
        return answer[0], answer[1]

    return run


class Answering(Protocol):
    """Answers what an expression prints, or ``EXC`` and the class of its error, and the text of the error."""

    def __call__(self, source: str) -> tuple[str, str]: ...


ANSWER = """[ | text |
text := (OpalCompiler new evaluate: '{source}') printString.
{{ text first: (text size min: 300). '' }} ] on: Error do: [ :error |
{{ 'EXC ' , error class name. error messageText asString }} ]"""


def answerer(vm: Machine) -> Answering:
    """Evaluations in this machine, each a doit of its own, bounded; what it prints on one line."""

    def run(source: str) -> tuple[str, str]:
        value = evaluate(vm, ANSWER.format(source=source.replace("'", "''")), turns=TURNS)
        answer, text = map(str, cast("list[object]", simple(vm, value)))
        return answer.replace("\r", "\\r").replace("\n", "\\n"), text

    return run
