"""Smalltalk objects in Python: classes, methods, contexts and all others. They have no behaviour here.

Integers, floats, ``nil``, ``true`` and ``false`` are Python's own ``int``, ``float``, ``None``, ``True``
and ``False``. Everything else is an instance of a class here and knows its Smalltalk class as ``cls``;
characters, closures, contexts and compiled methods share theirs through a class attribute, which is set when
an image boots. One Python process therefore runs one machine at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeAlias

from pharo_practice.reading.nodes import PragmaNode

Value: TypeAlias = Any
"""Any Smalltalk value."""


class Pointers:
    """An object with fields: its named instance variables first, then the indexed ones."""

    __slots__ = ("cls", "fields", "identity")

    def __init__(self, cls: Behavior, fields: list[Value]) -> None:
        self.cls = cls
        self.fields = fields


class Behavior(Pointers):
    """A class, metaclass or trait. ``fields`` are its own (class-side) instance variables."""

    __slots__ = (
        "cache",
        "class_variables",
        "comment",
        "composition",
        "field_names",
        "instance_size",
        "is_instantiated",
        "is_trait",
        "kind",
        "methods",
        "name",
        "package",
        "pools",
        "protocols",
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
        """Selector to method, inherited ones included; emptied when a method or superclass changes."""
        self.slots: tuple[str, ...] = ()
        """Names of the instance variables defined here."""
        self.field_names: tuple[str, ...] | None = None
        """Names of the fields of existing instances, inherited ones included; None before there are any."""
        self.instance_size = 0
        """How many these are."""
        self.kind = "normal"
        """Layout, as Tonel's ``#type``: normal, variable, weak, bytes, words, immediate."""
        self.class_variables: dict[str, Pointers] = {}
        self.pools: tuple[str, ...] = ()
        self.composition: Value = None
        """The trait composition (a ``traits.Composition``), or None."""
        self.users: list[Behavior] = []
        """Of a trait: the classes and traits that use it."""
        self.is_trait = False
        self.is_instantiated = False
        """Whether there may be instances; a search for them is skipped while there are none."""
        self.comment = ""
        self.protocols: list[str] = []
        """Names of protocols without methods."""
        self.package = ""
        self.tag = ""
        self.this_class: Behavior | None = None
        """Of a metaclass: its one instance."""

    @property
    def is_meta(self) -> bool:
        """Whether this is the class side of a class or trait."""
        return self.this_class is not None

    @property
    def instance_side(self) -> Behavior:
        """The class of which this is one side."""
        return self.this_class if self.this_class is not None else self

    def all_slots(self) -> list[str]:
        """The names of all instance variables, in the order of the fields."""
        names = [*self.slots]
        above = self.superclass
        while above is not None:
            names[:0] = above.slots
            above = above.superclass
        return names

    def lineage(self) -> list[Behavior]:
        """This behavior and its superclasses, nearest first."""
        chain: list[Behavior] = []
        behavior: Behavior | None = self
        while behavior is not None:
            chain.append(behavior)
            behavior = behavior.superclass
        return chain

    def inherits_from(self, other: Behavior) -> bool:
        """Whether ``other`` is among the superclasses."""
        above = self.superclass
        while above is not None and above is not other:
            above = above.superclass
        return above is not None

    def all_subclasses(self) -> list[Behavior]:
        """Every direct and indirect subclass, each before its own subclasses."""
        if self.this_class is not None:
            return [each.cls for each in self.this_class.all_subclasses()]
        found: list[Behavior] = []
        pending = list(reversed(self.subclasses))
        while pending:
            behavior = pending.pop()
            found.append(behavior)
            pending.extend(reversed(behavior.subclasses))
        return found


Operation: TypeAlias = Callable[[Any, int], int]
"""One step of compiled code: takes the active ``Context`` and its program counter, returns the next one.

0 stands for: look at the machine's active context again, it may be another one.
"""

SourceRange: TypeAlias = tuple[int, int]
"""The first and the last position of a piece of source."""


class Temporary(NamedTuple):
    """An argument or temporary: its index in the frame, and the block or method whose code can use it."""

    name: str
    frame_index: int
    source_range: SourceRange


NO_LOOPS: frozenset[int] = frozenset()
"""One for all methods that have none: each empty set of its own would take 216 bytes, of ten thousand."""


NO_SOURCE_RANGES = array("H")
NOTHING: list[Any] = []
"""The lists of code that is not compiled yet, or has nothing to list. It is never changed."""


class Code:
    """The body of a method or block, compiled when first needed; contexts run it."""

    __slots__ = (
        "code",
        "empty_temporaries",
        "identity",
        "loops",
        "num_args",
        "source_ranges",
        "step_kinds",
        "temporaries",
    )

    def __init__(self, num_args: int) -> None:
        self.num_args = num_args
        self.code: list[Operation] = NOTHING
        self.empty_temporaries: list[None] = NOTHING
        """Room for the temporaries, appended to the arguments in a new frame."""
        self.source_ranges = NO_SOURCE_RANGES
        """For each operation the first and the last position of its source; 0 if it has none."""
        self.loops = NO_LOOPS
        """Where loops begin: a context there has just jumped back, instead of returning from a send."""
        self.step_kinds = b""
        """For each operation 1 if it sends, 2 if it returns, 3 if it assigns or makes a block, else 0."""
        self.temporaries: list[Temporary] = NOTHING
        """The arguments and temporaries, those of the innermost blocks first."""


class CompiledMethod(Code):
    """A method, its source text, and once it has run its code."""

    __slots__ = (
        "is_compiled",
        "literals",
        "method_class",
        "origin",
        "package",
        "pragmas",
        "primitive",
        "primitive_number",
        "properties",
        "protocol",
        "selector",
        "source",
    )
    cls: ClassVar[Behavior]

    def __init__(
        self,
        selector: str,
        source: str,
        method_class: Behavior,
        protocol: str = "",
        package: str = "",
    ) -> None:
        super().__init__(argument_count(selector))
        self.selector = selector
        self.source = source
        self.method_class = method_class
        self.protocol = protocol
        self.package = package
        self.origin: Behavior = method_class
        """The trait a method came from, else its class."""
        self.primitive: Callable[..., Value] | None = None
        self.primitive_number = 0
        """198 marks the contexts of unwind blocks, 199 those of exception handlers."""
        self.is_compiled = False
        self.literals: list[Value] = NOTHING
        self.pragmas: list[PragmaNode] = NOTHING
        self.properties: Value = None
        """A dictionary of whatever Smalltalk code attaches to the method, once there is anything."""


@cache
def argument_count(selector: str) -> int:
    """How many arguments a message with this selector has."""
    if selector and not (selector[0].isalpha() or selector[0] == "_"):
        return 1
    return selector.count(":")


class CompiledBlock(Code):
    """The body of a block within a method."""

    __slots__ = ("is_constant", "literals", "method", "outer", "source_range")
    cls: ClassVar[Behavior]
    primitive_number: ClassVar[int] = 0

    def __init__(self, num_args: int, outer: Code, method: CompiledMethod, source_range: SourceRange) -> None:
        super().__init__(num_args)
        self.is_constant = False
        """Whether it only returns a literal."""
        self.literals: list[Value] = []
        """That literal, if it has one; the literals of other blocks are kept by their method."""
        self.outer = outer
        self.method = method
        self.source_range = source_range


class BlockClosure:
    """A block with the context it was made in. As with contexts, whoever makes one sets its attributes."""

    __slots__ = ("body", "identity", "outer", "receiver")
    cls: ClassVar[Behavior]

    body: CompiledBlock
    outer: Context
    receiver: Value

    @property
    def home(self) -> Context:
        """The context of the method in which the block is written."""
        context = self.outer
        while context.closure is not None:
            context = context.closure.outer
        return context


class ConstantClosure(BlockClosure):
    """A block that only returns a literal; in Smalltalk it has no outer context and no receiver."""

    __slots__ = ()

    @property
    def value(self) -> Value:
        """What it returns."""
        return self.body.literals[0] if self.body.literals else None


CONSTANT_CLOSURES: tuple[type[ConstantClosure], ...] = (
    ConstantClosure,
    *(type(f"ConstantClosure{count}", (ConstantClosure,), {"__slots__": ()}) for count in (1, 2, 3)),
)
"""By number of arguments; a block with more of them is an ordinary one."""


class Context:
    """One activation of a method or block, on Python's heap.

    ``frame`` holds arguments, temporaries and then the stack. ``sender`` is ``DEAD`` once it has returned.
    Sends set the attributes themselves: calling ``__init__`` would cost as much as the send.
    """

    __slots__ = ("closure", "frame", "identity", "method", "pc", "receiver", "sender")
    cls: ClassVar[Behavior]

    closure: BlockClosure | None
    frame: list[Value]
    method: CompiledMethod | CompiledBlock
    pc: int
    receiver: Value
    sender: Context

    @property
    def home(self) -> Context:
        """The method's context that a ``^`` in this one returns from."""
        return self if self.closure is None else self.closure.home

    @property
    def home_method(self) -> CompiledMethod:
        """The method that this context runs, or runs a block of."""
        method = self.method
        return method if isinstance(method, CompiledMethod) else method.method


DEAD = Context()
"""The sender of every context that has returned."""


def new_context(
    sender: Context,
    method: CompiledMethod | CompiledBlock,
    receiver: Value,
    arguments: list[Value],
    closure: BlockClosure | None = None,
) -> Context:
    """An activation about to begin. ``arguments`` becomes its frame: hand over a list of your own."""
    context = Context()
    context.sender = sender
    context.method = method
    context.receiver = receiver
    context.frame = arguments
    arguments += method.empty_temporaries
    context.closure = closure
    context.pc = 1
    return context


def copied_context(context: Context) -> Context:
    """A context that stands where this one stands, and stays there when this one goes on."""
    copied = Context()
    copied.sender, copied.method, copied.receiver = context.sender, context.method, context.receiver
    copied.frame, copied.closure, copied.pc = list(context.frame), context.closure, context.pc
    return copied


SMALLEST = -(1 << 60)
LARGEST = (1 << 60) - 1


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
