"""The registry of primitives: Python functions that kernel methods name, and how they fail.

A primitive fails when it does not accept its receiver or an argument; the Smalltalk code of its method runs
then. It raises ``PrimitiveFailed`` if it has looked at them. Otherwise Python notices: an integer has no
fields, and those of a read-only object are a tuple. So a primitive changes nothing before the last thing that
can fail, unless the Smalltalk code would do the same again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from pharo_practice.model.objects import Value

Primitive: TypeAlias = Callable[..., Value]
"""Takes the machine, the receiver and the arguments; answers a value or ``SWITCH``."""

Function = TypeVar("Function", bound=Primitive)

PRIMITIVES: dict[str, Primitive] = {}


class PrimitiveFailed(Exception):
    """Raised by a primitive that does not accept its receiver or an argument."""


PRIMITIVE_ERRORS = (PrimitiveFailed, ValueError, ArithmeticError, TypeError, AttributeError, LookupError)
"""What a primitive raises that fails. Anything else is a bug in our Python: see ``Machine.recover``."""


class _Switch:
    """The answer of a primitive that has set the machine's active context and pushed what it must."""


SWITCH = _Switch()


def primitive(name: str) -> Callable[[Function], Function]:
    """Register a function under the name that ``<primitive: 'name' module: 'practice'>`` uses."""

    def register(function: Function) -> Function:
        assert name not in PRIMITIVES, name  # noqa: S101
        PRIMITIVES[name] = function
        return function

    return register
