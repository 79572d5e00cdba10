"""What Smalltalk values are to Python: no behaviour, no machine.

Integers, floats, ``nil``, ``true`` and ``false`` are Python's own ``int``, ``float``, ``None``, ``True``
and ``False``. Everything else is an instance of a class here and knows its Smalltalk class as ``cls``;
characters, closures, contexts and compiled methods share theirs through a class attribute, which the
loader sets. One Python process therefore runs one machine at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from pharo_standin.nodes import PragmaNode

Value: TypeAlias = Any
"""Any Smalltalk value."""

SMALLEST = -(1 << 60)
LARGEST = (1 << 60) - 1

Operation: TypeAlias = Callable[["Context"], int]
"""One step of compiled code: works on the active context and answers the next program counter.

0 stands for: look at the machine's active context again, it may be another one.
"""


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


Span: TypeAlias = tuple[int, int]
"""The first and the last position of a piece of source."""


class Temporary(NamedTuple):
    """An argument or temporary: its place in the frame, and the block or method whose code can use it."""

    name: str
    place: int
    span: Span


class Code:
    """What a context runs: the body of a method or of a block, compiled when first needed."""

    __slots__ = ("blanks", "code", "identity", "num_args", "spans", "temporaries")

    def __init__(self, num_args: int) -> None:
        self.num_args = num_args
        self.code: list[Operation] = []
        self.blanks: list[None] = []
        """Room for the temporaries, appended to a new frame behind the arguments."""
        self.spans: list[Span | None] = []
        """For each operation where in the source it comes from."""
        self.temporaries: list[Temporary] = []
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
        "protocol",
        "selector",
        "source",
    )
    cls: ClassVar[Behavior]

    def __init__(self, selector: str, source: str, method_class: Behavior, protocol: str = "") -> None:
        super().__init__(argument_count(selector))
        self.selector = selector
        self.source = source
        self.method_class = method_class
        self.protocol = protocol
        self.package = ""
        self.origin: Behavior = method_class
        """The trait a method came from, else its class."""
        self.primitive: Callable[..., Value] | None = None
        self.primitive_number = 0
        """198 and 199 mark contexts that unwinding and signalling look for."""
        self.is_compiled = False
        self.literals: list[Value] = []
        self.pragmas: list[PragmaNode] = []


class CompiledBlock(Code):
    """The body of a block within a method."""

    __slots__ = ("method", "outer", "span")
    cls: ClassVar[Behavior]
    primitive_number: ClassVar[int] = 0

    def __init__(self, num_args: int, outer: Code, method: CompiledMethod, span: Span) -> None:
        super().__init__(num_args)
        self.outer = outer
        self.method = method
        self.span = span


class BlockClosure:
    """A block with the context it was made in."""

    __slots__ = ("body", "identity", "outer", "receiver")
    cls: ClassVar[Behavior]

    def __init__(self, body: CompiledBlock, outer: Context) -> None:
        self.body = body
        self.outer = outer
        self.receiver = outer.receiver

    @property
    def home(self) -> Context:
        """The context of the method in which I was written."""
        context = self.outer
        while context.closure is not None:
            context = context.closure.outer
        return context


class Context:
    """One activation of a method or block, on Python's heap.

    ``frame`` holds arguments, temporaries and then the stack. ``sender`` is ``DEAD`` once it has returned.
    Sends fill the attributes in by themselves: a call of ``__init__`` would cost as much as the send.
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
        """The method's context to which a ``^`` in me returns."""
        return self if self.closure is None else self.closure.home

    @property
    def home_method(self) -> CompiledMethod:
        """The method I am, or am a block of."""
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
    arguments += method.blanks
    context.closure = closure
    context.pc = 1
    return context


def argument_count(selector: str) -> int:
    """How many arguments a message with this selector has."""
    if selector and not (selector[0].isalpha() or selector[0] == "_"):
        return 1
    return selector.count(":")


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
