"""Activating methods, sending messages from Python, and returning from methods."""

from __future__ import annotations

import os

from pharo_practice.machine.primitive import PRIMITIVE_ERRORS, SWITCH
from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.model.objects import DEAD, CompiledMethod, Context, Pointers, Value, class_of, new_context


def log_error(logger: str, text: str, *arguments: object, cause: BaseException | None = None) -> None:
    """Log an error, with the stack of its cause."""
    import logging  # here: most images have nothing to log, and it takes a tenth of all imports

    logging.getLogger(logger).error(text, *arguments, exc_info=cause)


RAISE_BUGS = "PHARO_PRACTICE_RAISE_BUGS"
"""The environment variable that, whatever its value, has bugs in Python code raised instead of logged."""


class Interpreter(ObjectMemory):
    """The context that is active, and what makes another one active."""

    def __init__(self) -> None:
        super().__init__()
        self.active: Context = DEAD
        self.bottom: Context = DEAD
        """The sender of every process's first context; the scheduler provides it."""
        self.raises_bugs = RAISE_BUGS in os.environ
        self.quantum = iter(range(0))
        """What is left of the active process's turn before the machine looks at clocks and limits."""

    # activation

    def perform(
        self,
        context: Context,
        method: CompiledMethod | None,
        receiver: Value,
        selector: str,
        arguments: list[Value],
    ) -> int:
        """Run a method found for a message; ``context`` has its operands popped and its counter set."""
        if method is None:
            return self.not_understood(context, receiver, selector, arguments)
        primitive = method.primitive
        if primitive is not None:
            try:
                result = primitive(self, receiver, *arguments)
            except PRIMITIVE_ERRORS:
                pass
            else:
                if result is SWITCH:
                    return 0
                context.frame.append(result)
                return context.pc
        self.active = new_context(context, method, receiver, arguments)
        return 0

    # sends from Python

    def send(self, context: Context, receiver: Value, selector: str, arguments: list[Value]) -> int:
        """Send a message from ``context``, which gets the value; returns what an operation returns."""
        method = self.lookup(class_of(receiver), selector)
        return self.perform(context, method, receiver, selector, arguments)

    def interrupt(self, receiver: Value, selector: str) -> None:
        """Run a unary method on top of the active context; the method must jump back, not return."""
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

    def signal_not_boolean(self, context: Context, value: Value, pc: int) -> int:
        """A condition was not a boolean: send it ``mustBeBoolean``, and jump again with the answer."""
        context.pc = pc
        return self.send(context, value, "mustBeBoolean", [])

    def signal_undeclared(self, context: Context, name: str, selector: str) -> int:
        """A method uses an undefined global: signal it."""
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
            if current.sender is DEAD or current is self.bottom:
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

    # continuing

    def end_quantum(self) -> None:
        """Check clocks, descriptors and limits soon: something costly was done in few steps."""
        for _ in self.quantum:
            pass

    def continue_after(self, context: Context, pc: int) -> None:
        """Continue a context after the operation that failed in it, or the send within that operation."""
        context.pc = max(context.pc, pc + 1)
        self.active = context
