"""Evaluating Smalltalk in a booted stand-in, for its tests."""

from __future__ import annotations

from typing import Protocol

from pharo_standin.execution import evaluate
from pharo_standin.machine import Machine
from pharo_standin.objects import Bytes, Pointers, Value, Words


class Evaluate(Protocol):
    """Answers the value of an expression as a Python value where it has one."""

    def __call__(self, source: str) -> object: ...


def evaluator(vm: Machine) -> Evaluate:
    """An evaluation in this machine, bounded."""

    def run(source: str) -> object:
        return simple(vm, evaluate(vm, source, turns=200_000))

    return run


def simple(vm: Machine, value: Value) -> object:
    """Strings and symbols as str, arrays as lists, the rest as it is."""
    if isinstance(value, Words) or (isinstance(value, Bytes) and value.cls is not vm.classes["ByteArray"]):
        return vm.text(value)
    if isinstance(value, Pointers) and value.cls is vm.classes["Array"]:
        return [simple(vm, each) for each in value.fields]
    return value
