"""Evaluating Smalltalk source from Python."""

from __future__ import annotations

from collections.abc import Mapping

from pharo_practice.compiling.compiler import SourceError, compile_source, parse
from pharo_practice.machine.execution import run_method
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Pointers, Value
from pharo_practice.model.objects import class_of


class EvaluationFailed(Exception):
    """Source that could not be run; the text explains why."""


def evaluate(
    vm: Machine,
    source: str,
    *,
    receiver: Value = None,
    bindings: Mapping[str, Pointers] | None = None,
    turns: int | None = None,
) -> Value:
    """The value of the last expression, run as a process of the user's priority.

    ``turns`` bounds it to so many quanta of the machine (``OutOfTurns``).

    Raises:
        EvaluationFailed: If the source has errors, undeclared variables among them.
    """
    cls = class_of(receiver)
    parsed = parse(vm, source, cls=cls, is_doit=True, bindings=bindings)
    errors = [notice for notice in parsed.notices if notice.is_error]
    if errors:
        raise EvaluationFailed(f"{errors[0].message} (at position {errors[0].position})")
    try:
        method = compile_source(vm, source, cls=cls, is_doit=True, parsed=parsed)
    except SourceError as error:
        raise EvaluationFailed(str(error)) from error
    return run_method(vm, method, receiver, [], turns=turns)
