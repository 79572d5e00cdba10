"""The registry of primitives: Python functions that kernel methods name, and how they fail.

A primitive fails when it does not accept its receiver or an argument; the Smalltalk code of its method runs
then. It fails in one of three ways:

- It raises ``PrimitiveFailed``.
- It raises a ``ValueError`` or an ``ArithmeticError``: an argument has the right type and the wrong value.
- It raises anything else for a receiver or argument that is not what its signature says. Nothing is
  checked before the call, since primitives are called all the time; after an error there is time to.

Any other ``TypeError``, ``AttributeError``, ``LookupError`` or ``NameError`` is a bug in our Python: see
``Interpreter.primitive_failed``.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import UnionType
from typing import Annotated, TypeAlias, get_origin, get_type_hints

from pharo_practice.model.objects import Value

Primitive: TypeAlias = Callable[..., Value]
"""Takes the machine, the receiver and the arguments; answers a value or ``SWITCH``."""

PRIMITIVES: dict[str, Primitive] = {}


class PrimitiveFailed(Exception):
    """Raised by a primitive that does not accept its receiver or an argument."""


FAILURES = (PrimitiveFailed, ValueError, ArithmeticError)
"""What every primitive may raise to fail."""

BUGS = (TypeError, AttributeError, LookupError, NameError)
"""What is a bug, unless a receiver or argument is not what the primitive's signature says."""

PRIMITIVE_ERRORS = (*FAILURES, *BUGS)
"""What the caller of a primitive expects."""


class _Switch:
    """The answer of a primitive that has set the machine's active context and pushed what it must."""


SWITCH = _Switch()


def primitive(name: str) -> Callable[[Primitive], Primitive]:
    """Register a function under the name that ``<primitive: 'name' module: 'practice'>`` uses."""

    def register(function: Primitive) -> Primitive:
        assert name not in PRIMITIVES, name  # noqa: S101
        PRIMITIVES[name] = function
        return function

    return register


def accepts(function: Primitive, values: tuple[Value, ...]) -> bool:
    """Whether a receiver and its arguments are what a primitive's signature says."""
    return all(
        isinstance(value, kind) and all(check(value) for check in checks)
        for value, (kind, checks) in zip(values, accepted(function), strict=False)
    )


@cache
def accepted(function: Primitive) -> list[tuple[type | UnionType, tuple[Callable[[Value], bool], ...]]]:
    """For each parameter but the machine the class of its annotation, and what else is to be checked.

    The class is ``object`` where the annotation names none; the checks are those of ``Annotated``.
    """
    from inspect import Parameter, signature  # here: few starts need it

    hints = get_type_hints(function, include_extras=True)
    parameters = list(signature(function).parameters.values())[1:]
    kinds = [hints[each.name] for each in parameters if each.kind is not Parameter.VAR_POSITIONAL]
    return [
        (kind.__origin__, kind.__metadata__)
        if get_origin(kind) is Annotated
        else (kind if isinstance(kind, type | UnionType) and kind is not Value else object, ())
        for kind in kinds
    ]
