"""The machine: the active context, lookup, and the loop that runs operations until told to stop."""

from __future__ import annotations

import logging
from array import array
from fractions import Fraction
from typing import NoReturn

from pharo_standin.code import DEAD, CompiledMethod, Context, new_context
from pharo_standin.limits import Limits
from pharo_standin.nodes import CharacterCode, LiteralValue, Scaled, Symbol
from pharo_standin.objects import Behavior, Bytes, Pointers, Value, Words, character, class_of
from pharo_standin.scheduler import Finished, NothingToRun, OutOfTurns, Scheduler
from pharo_standin.sends import perform

QUANTUM = 1_000
"""Activations, returns and backward jumps between two looks at clocks, descriptors and limits."""

LACKING = " (no class in the practice image implements it; Pharo may)"

BROKEN = "The practice image could not go on here (its log says why; Pharo may)"

log = logging.getLogger(__name__)


class Machine:
    """Everything that runs Smalltalk. ``image.boot`` makes one and fills it with the kernel."""

    def __init__(self) -> None:
        self.globals: dict[str, Pointers] = {}
        """Name to binding; the second field of a binding is the value."""
        self.undeclared: dict[str, Pointers] = {}
        """Bindings of classes that were removed: code compiled before still has them."""
        self.classes: dict[str, Behavior] = {}
        """Every class and trait by name."""
        self.packages: dict[str, dict[str, Value]] = {}
        """What the Tonel reader knew of each package, by name."""
        self.symbols: dict[str, Bytes | Words] = {}
        self.redefined: set[str] = set()
        """Arithmetic selectors that somebody has defined anew: they are always sent."""
        self.scheduler = Scheduler(self)
        self.active: Context = DEAD
        self.limits = Limits()
        self.quantum = iter(range(0))
        """What is left of it."""
        self.hashes = 0
        self.is_booted = False

    # conversions

    def string(self, text: str) -> Bytes | Words:
        """A new String."""
        return self._characters(text, "ByteString", "WideString")

    def symbol(self, text: str) -> Bytes | Words:
        """The one Symbol with these characters."""
        found = self.symbols.get(text)
        if found is None:
            found = self.symbols[text] = self._characters(text, "ByteSymbol", "WideSymbol")
        return found

    def _characters(self, text: str, narrow: str, wide: str) -> Bytes | Words:
        try:
            return Bytes(self.classes[narrow], bytearray(text.encode("latin-1")))
        except UnicodeEncodeError:
            return Words(self.classes[wide], array("I", map(ord, text)))

    def text(self, value: Value) -> str:
        """The characters of a string or symbol.

        Raises:
            TypeError: If it is neither.
        """
        if isinstance(value, Bytes):
            return value.data.decode("latin-1")
        if isinstance(value, Words):
            return "".join(map(chr, value.data))
        raise TypeError(f"a string was expected, not {class_of(value).name}")

    def selector(self, value: Value) -> str | None:
        """The characters of a symbol; None for anything else, which no method is found under."""
        if type(value) is Bytes or type(value) is Words:
            text = self.text(value)
            if self.symbols.get(text) is value:
                return text
        return None

    def array(self, values: list[Value]) -> Pointers:
        """A new Array; ``values`` becomes its content."""
        return Pointers(self.classes["Array"], values)

    def literal(self, value: LiteralValue) -> Value:
        """The object that a literal stands for."""
        match value:
            case CharacterCode():
                return character(int(value))
            case Symbol():
                return self.symbol(value)
            case str():
                return self.string(value)
            case bytes():
                return Bytes(self.classes["ByteArray"], bytearray(value))
            case tuple():
                return self.array([self.literal(each) for each in value])
            case Fraction():
                return Pointers(self.classes["Fraction"], [value.numerator, value.denominator])
            case Scaled(value=exact, scale=scale):
                return Pointers(self.classes["ScaledDecimal"], [exact.numerator, exact.denominator, scale])
        return value

    # lookup

    def lookup(self, cls: Behavior, selector: str) -> CompiledMethod | None:
        """The method that instances of the class run for the selector, compiled; None if there is none."""
        found = cls.cache.get(selector)
        if found is not None:
            return found
        behavior: Behavior | None = cls
        while behavior is not None:
            found = behavior.methods.get(selector)
            if found is not None:
                if not found.is_compiled:
                    self.compile(found)
                cls.cache[selector] = found
                return found
            behavior = behavior.superclass
        return None

    def compile(self, method: CompiledMethod) -> None:
        """Compile a method that was only read so far; a faulty one signals its error when it runs."""
        from pharo_standin.compilation import compile_lazily

        compile_lazily(self, method)

    def is_implemented(self, selector: str) -> bool:
        """Whether any class of this image has a method of this name."""
        return any(
            selector in behavior.methods for cls in self.classes.values() for behavior in (cls, cls.cls)
        )

    def flush_caches(self, *behaviors: Behavior) -> None:
        """Forget what lookup has found for these classes and those below them, or for all without any."""
        if not self.is_booted:
            return
        above_metaclasses = {*self.classes["Class"].lineage(), *self.classes["Trait"].lineage()}
        if not behaviors or not above_metaclasses.isdisjoint(behaviors):
            behaviors = tuple(side for cls in self.classes.values() for side in (cls, cls.cls))
        else:
            behaviors += tuple(below for each in behaviors for below in each.all_subclasses())
        for each in behaviors:
            each.cache.clear()

    # sends from Python

    def send(self, context: Context, receiver: Value, selector: str, arguments: list[Value]) -> int:
        """Send a message from ``context``, which gets the value; answers what an operation answers."""
        return perform(
            self, context, self.lookup(class_of(receiver), selector), receiver, selector, arguments
        )

    def interrupt(self, receiver: Value, selector: str) -> None:
        """Run a unary method on top of whatever the active process does; it must jump back, not return."""
        method = self.lookup(class_of(receiver), selector)
        assert method is not None  # noqa: S101
        self.active = new_context(self.active, method, receiver, [])

    def not_understood(self, context: Context, receiver: Value, selector: str, arguments: list[Value]) -> int:
        """Send ``doesNotUnderstand:`` instead."""
        if selector == "doesNotUnderstand:":
            raise RuntimeError(f"{class_of(receiver).name} has no doesNotUnderstand:")
        return self.no_method(context, receiver, self.symbol(selector), arguments)

    def no_method(self, context: Context, receiver: Value, selector: Value, arguments: list[Value]) -> int:
        """Send ``doesNotUnderstand:`` with a message whose selector may be any object."""
        message = Pointers(self.classes["Message"], [selector, self.array(arguments), class_of(receiver)])
        return self.send(context, receiver, "doesNotUnderstand:", [message])

    def signal_not_boolean(self, context: Context, value: Value, following: int) -> int:
        """A condition was no boolean: ask it for one, and jump anew with what it answers."""
        context.pc = following - 1
        return self.send(context, value, "mustBeBoolean", [])

    def signal_undeclared(self, context: Context, name: str, selector: str) -> int:
        """A method uses a global that nobody has defined."""
        return self.send(
            context, context.receiver, "prim" + selector[0].upper() + selector[1:], [self.symbol(name)]
        )

    # returning

    def return_through(self, context: Context, home: Context, value: Value) -> int:
        """Return ``value`` from ``home``, first running the unwind blocks between."""
        unwind: Context | None = None
        passed: list[Context] = []
        current = context
        while current is not home:
            if current.sender is DEAD or current is self.scheduler.bottom:
                return self.send(context, context, "cannotReturn:", [value])
            passed.append(current)
            if unwind is None and current.method.primitive_number == 198 and current.frame[1] is None:
                unwind = current
            current = current.sender
        if home.sender is DEAD:
            return self.send(context, context, "cannotReturn:", [value])
        if unwind is not None:
            return self.send(context, context, "aboutToReturn:through:", [value, unwind])
        sender = home.sender
        home.sender = DEAD
        for each in passed:
            each.sender = DEAD
        sender.frame.append(value)
        self.active = sender
        return 0

    # running

    def run(self) -> NoReturn:
        """Run operations until one ends the loop with ``Finished``, or there is nothing to run."""
        context, code, pc = self.active, self.active.method.code, self.active.pc
        while True:
            try:
                while True:
                    self.quantum = iter(range(QUANTUM))
                    for _ in self.quantum:
                        context = self.active
                        code = context.method.code
                        pc = context.pc
                        while pc:
                            pc = code[pc](context)
                    self.scheduler.poll()
            except (Finished, NothingToRun, OutOfTurns):
                raise
            except Exception as error:  # noqa: BLE001
                self.recover(context, pc, error)

    def end_quantum(self) -> None:
        """Look at clocks, descriptors and limits soon: something costly was done in few steps."""
        for _ in self.quantum:
            pass

    def recover(self, context: Context, pc: int, error: Exception) -> None:
        """Turn an unexpected Python exception into a Smalltalk one in the process that met it."""
        log.error("the practice image failed in %s", context.home_method.selector, exc_info=error)
        context.pc = pc + 1
        self.active = context
        self.send(context, self.classes["PrimitiveFailed"], "signal:", [self.string(BROKEN)])

    # for primitives: clocks and descriptors

    def signal(self, semaphore: Pointers) -> None:
        """Signal a semaphore; a waiting process of higher priority gets its turn at the next poll."""
        self.scheduler.signal(semaphore)

    def signal_at(self, semaphore: Pointers, seconds: float) -> None:
        """Signal a semaphore when ``time.monotonic()`` has reached ``seconds``."""
        self.scheduler.outside.signal_at(semaphore, seconds)

    def watch(self, descriptor: int, kind: str, semaphore: Pointers) -> None:
        """Signal a semaphore once when a descriptor is ready to "read" or "write"."""
        self.scheduler.outside.watch(descriptor, kind, semaphore)

    def unwatch(self, descriptor: int) -> None:
        """Forget a descriptor about to be closed, and signal whoever waits for it."""
        self.scheduler.outside.unwatch(descriptor)

    def identity_hash(self, value: Value) -> int:
        """A number that stays with the object; the same in every run that does the same."""
        try:
            found: int = value.identity
        except AttributeError:
            self.hashes = (self.hashes + 40_503) & 0x3FFFFF
            found = value.identity = self.hashes or 1
        return found
