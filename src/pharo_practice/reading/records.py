"""Records: classes whose instances are some named attributes, written as data classes are.

Importing ``dataclasses``, with what it imports, and making as many classes with it would take as long as
starting Python twice. Records are compared by identity.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


class Factory:
    """Makes the default value of an attribute, a new one for each record."""

    def __init__(self, make: Callable[[], object]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], T]) -> T:
    """Have a function make the default value of an attribute."""
    return Factory(default_factory)  # type: ignore[return-value]


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class RecordType(type):
    """Gives a class slots for its annotated attributes, and an ``__init__`` unless it has one."""

    fields: tuple[str, ...] = ()
    """The names of the attributes, inherited ones first."""
    defaults: dict[str, object]

    def __new__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> RecordType:
        """The class."""
        own = tuple(members.get("__annotations__", ()))
        defaults = {each: members.pop(each) for each in own if each in members}
        made = super().__new__(cls, name, bases, {"__slots__": own, **members})
        above = [each for each in made.__mro__[:0:-1] if isinstance(each, RecordType)]
        made.fields = tuple(dict.fromkeys([*(name for each in above for name in each.fields), *own]))
        made.defaults = {name: value for each in above for name, value in each.defaults.items()} | defaults
        if own and "__init__" not in members:
            made.__init__ = _initializer(made.fields, made.defaults)  # type: ignore[misc]
        return made


def _initializer(fields: tuple[str, ...], defaults: dict[str, object]) -> Callable[..., None]:
    """A function that sets the attributes."""
    parameters = [f"{name}=defaults[{name!r}]" if name in defaults else name for name in fields]
    lines = [
        f"self.{name} = {name}.make() if {name} is defaults[{name!r}] else {name}"
        if isinstance(defaults.get(name), Factory)
        else f"self.{name} = {name}"
        for name in fields
    ]
    source = f"def __init__(self, {', '.join(parameters)}):\n    " + "\n    ".join(lines)
    made: dict[str, Any] = {"defaults": defaults}
    exec(source, made)  # noqa: S102
    initializer: Callable[..., None] = made["__init__"]
    return initializer


class Record(metaclass=RecordType):
    """The base of all records."""

    def __repr__(self) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).fields)
        return f"{type(self).__name__}({values})"
