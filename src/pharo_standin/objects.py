"""What Smalltalk values are to Python: no behaviour, no machine.

Integers, floats, ``nil``, ``true`` and ``false`` are Python's own ``int``, ``float``, ``None``, ``True``
and ``False``. Everything else is an instance of a class here and knows its Smalltalk class as ``cls``;
characters, closures, contexts and compiled methods share theirs through a class attribute, which the
loader sets. One Python process therefore runs one machine at a time.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

if TYPE_CHECKING:
    from pharo_standin.code import CompiledMethod

Value: TypeAlias = Any
"""Any Smalltalk value."""

SMALLEST = -(1 << 60)
LARGEST = (1 << 60) - 1


class Pointers:
    """An object with fields: its named instance variables first, then the indexed ones."""

    __slots__ = ("cls", "fields", "identity")

    def __init__(self, cls: Behavior, fields: list[Value]) -> None:
        self.cls = cls
        self.fields = fields


class Bytes:
    """A string, symbol or byte array; strings in Latin-1."""

    __slots__ = ("cls", "data", "identity")

    def __init__(self, cls: Behavior, data: bytearray) -> None:
        self.cls = cls
        self.data = data


class Words:
    """A string or symbol with characters beyond Latin-1: one code point in each 32-bit word."""

    __slots__ = ("cls", "data", "identity")

    def __init__(self, cls: Behavior, data: array[int]) -> None:
        self.cls = cls
        self.data = data


class Character:
    """One character; get it through ``character``, which answers the same object for the same code."""

    __slots__ = ("code",)
    cls: ClassVar[Behavior]

    def __init__(self, code: int) -> None:
        self.code = code


_characters: dict[int, Character] = {}


def character(code: int) -> Character:
    """The one character with this code point."""
    found = _characters.get(code)
    if found is None:
        found = _characters[code] = Character(code)
    return found


class Behavior(Pointers):
    """A class, metaclass or trait. ``fields`` are its own (class-side) instance variables."""

    __slots__ = (
        "cache",
        "class_variables",
        "comment",
        "composition",
        "instance_size",
        "is_instantiated",
        "is_trait",
        "kind",
        "methods",
        "name",
        "package",
        "pools",
        "protocols",
        "shape",
        "slots",
        "subclasses",
        "superclass",
        "tag",
        "this_class",
        "users",
    )

    def __init__(self, name: str, cls: Behavior | None) -> None:
        self.cls: Behavior = cls if cls is not None else self
        self.fields: list[Value] = []
        self.name = name
        self.superclass: Behavior | None = None
        self.subclasses: list[Behavior] = []
        self.methods: dict[str, CompiledMethod] = {}
        self.cache: dict[str, CompiledMethod] = {}
        """Selector to method, inherited ones too; emptied when any method or superclass changes."""
        self.slots: tuple[str, ...] = ()
        """Names of the instance variables defined here."""
        self.shape: tuple[str, ...] | None = None
        """Names of the fields that living instances have, inherited ones too; None before there are any."""
        self.instance_size = 0
        """How many these are."""
        self.kind = "normal"
        """Layout, as Tonel's ``#type``: normal, variable, weak, bytes, words, immediate."""
        self.class_variables: dict[str, Pointers] = {}
        self.pools: tuple[str, ...] = ()
        self.composition: Value = None
        """What the class is composed of (a ``traits.Composition``), or None."""
        self.users: list[Behavior] = []
        """Of a trait: the classes and traits composed of it."""
        self.is_trait = False
        self.is_instantiated = False
        """Whether there may be instances; nobody has to look for them while there are none."""
        self.comment = ""
        self.protocols: list[str] = []
        """Names of protocols made for methods to come."""
        self.package = ""
        self.tag = ""
        self.this_class: Behavior | None = None
        """Of a metaclass: its one instance."""

    @property
    def is_meta(self) -> bool:
        """Whether I am the class side of a class or trait."""
        return self.this_class is not None

    @property
    def instance_side(self) -> Behavior:
        """The class of which I am one side."""
        return self.this_class if self.this_class is not None else self

    def all_slots(self) -> list[str]:
        """The names of all instance variables, in the order of the fields."""
        inherited = self.superclass.all_slots() if self.superclass is not None else []
        return [*inherited, *self.slots]

    def lineage(self) -> list[Behavior]:
        """Myself and my superclasses, nearest first."""
        chain: list[Behavior] = []
        behavior: Behavior | None = self
        while behavior is not None:
            chain.append(behavior)
            behavior = behavior.superclass
        return chain

    def inherits_from(self, other: Behavior) -> bool:
        """Whether ``other`` is among my superclasses."""
        return other is not self and other in self.lineage()

    def all_subclasses(self) -> list[Behavior]:
        """Every class below me, each before its own subclasses."""
        if self.this_class is not None:
            return [each.cls for each in self.this_class.all_subclasses()]
        found: list[Behavior] = []
        pending = list(reversed(self.subclasses))
        while pending:
            behavior = pending.pop()
            found.append(behavior)
            pending.extend(reversed(behavior.subclasses))
        return found


class NativeClasses:
    """The Smalltalk classes of Python's own values; the loader fills them in."""

    small_integer: Behavior
    large_positive: Behavior
    large_negative: Behavior
    float: Behavior
    true: Behavior
    false: Behavior
    undefined: Behavior


NATIVE_TYPES = frozenset({int, float, bool, type(None)})
natives = NativeClasses()


def native_class(value: float | bool | None) -> Behavior:
    """The class of an integer, float, boolean or nil."""
    if type(value) is int:
        if SMALLEST <= value <= LARGEST:
            return natives.small_integer
        return natives.large_positive if value > 0 else natives.large_negative
    if value is None:
        return natives.undefined
    if value is True:
        return natives.true
    return natives.false if value is False else natives.float


def class_of(value: Value) -> Behavior:
    """The Smalltalk class of any value."""
    found: Behavior = value.cls if type(value) not in NATIVE_TYPES else native_class(value)
    return found


def identical(one: Value, other: Value) -> bool:
    """Smalltalk's ``==``: small integers and floats are the same when equal, as immediates are."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is int:
        return bool(one == other) and SMALLEST <= one <= LARGEST
    return kind is float and one == other and str(one) == str(other)
