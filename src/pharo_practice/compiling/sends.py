"""Sending messages: lookup through the class's cache, primitives, activation.

Integers are computed with at once, and methods that only return something are not activated.
"""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.compiling import operations as ops
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVE_ERRORS, SWITCH, Primitive
from pharo_practice.model.object_memory import ARITHMETIC
from pharo_practice.model.objects import (
    NATIVE_TYPES,
    Context,
    Value,
    identical,
    native_class,
)


def send(selector: str, count: int) -> ops.Instruction:
    """The instruction that sends a message with so many arguments to what lies below them."""
    if selector == "==":
        return (send_identity,)
    if selector in ARITHMETIC:
        return send_arithmetic, selector, ARITHMETIC[selector]
    return (
        (send_unary, selector)
        if count == 0
        else (send_one, selector)
        if count == 1
        else (send_many, selector, count)
    )


def send_identity(context: Context, pc: int, _vm: Machine) -> int:
    """Compare two values without a send."""
    frame = context.frame
    argument = frame.pop()
    frame[-1] = identical(frame[-1], argument)
    return pc + 1


def send_arithmetic(
    context: Context, pc: int, vm: Machine, selector: str, compute: Callable[[int, int], Value]
) -> int:
    """Compute with two integers, or send the message."""
    frame = context.frame
    if type(frame[-1]) is int and type(frame[-2]) is int:
        argument = frame.pop()
        frame[-1] = compute(frame[-1], argument)
        return pc + 1
    return send_one(context, pc, vm, selector)


def send_unary(context: Context, pc: int, vm: Machine, selector: str) -> int:
    """Send a message without arguments."""
    receiver = context.frame.pop()
    cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
    context.pc = pc + 1
    try:
        method = cls.cache[selector]
    except KeyError:
        method = vm.lookup(cls, selector)
        if method is None:
            return vm.not_understood(context, receiver, selector, [])
    primitive = method.primitive
    if primitive is not None:
        try:
            result = primitive(vm, receiver)
        except PRIMITIVE_ERRORS:
            pass
        else:
            if result is SWITCH:
                return 0
            context.frame.append(result)
            return pc + 1
    new = Context()
    new.sender = context
    new.method = method
    new.receiver = receiver
    new.frame = method.empty_temporaries.copy()
    new.closure = None
    new.pc = 1
    vm.active = new
    return 0


def send_one(context: Context, pc: int, vm: Machine, selector: str) -> int:
    """Send a message with one argument."""
    frame = context.frame
    argument = frame.pop()
    receiver = frame.pop()
    cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
    context.pc = pc + 1
    try:
        method = cls.cache[selector]
    except KeyError:
        method = vm.lookup(cls, selector)
        if method is None:
            return vm.not_understood(context, receiver, selector, [argument])
    primitive = method.primitive
    if primitive is not None:
        try:
            result = primitive(vm, receiver, argument)
        except PRIMITIVE_ERRORS:
            pass
        else:
            if result is SWITCH:
                return 0
            frame.append(result)
            return pc + 1
    new = Context()
    new.sender = context
    new.method = method
    new.receiver = receiver
    new.frame = [argument, *method.empty_temporaries]
    new.closure = None
    new.pc = 1
    vm.active = new
    return 0


def send_many(context: Context, pc: int, vm: Machine, selector: str, count: int) -> int:
    """Send a message with several arguments."""
    frame = context.frame
    arguments = frame[-count:]
    del frame[-count:]
    receiver = frame.pop()
    cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
    context.pc = pc + 1
    return vm.perform(
        context, cls.cache.get(selector) or vm.lookup(cls, selector), receiver, selector, arguments
    )


def send_super(context: Context, pc: int, vm: Machine, selector: str, count: int) -> int:
    """Send to the receiver, looking the method up above the class where it is written."""
    frame = context.frame
    arguments = frame[-count:] if count else []
    del frame[-count - 1 :]
    context.pc = pc + 1
    above = context.home_method.method_class.superclass
    found = None if above is None else above.cache.get(selector) or vm.lookup(above, selector)
    return vm.perform(context, found, context.receiver, selector, arguments)


SENDS = (send_identity, send_arithmetic, send_unary, send_one, send_many, send_super)


def quick_method(instructions: list[tuple[Value, ...]]) -> Primitive | None:
    """A function that does what a method with these instructions does; None if it is not a quick method."""
    match instructions:
        case [(ops.return_self,)] | [(ops.push_self,), (ops.return_top,)]:
            return answer_receiver
        case [(ops.push_slot, index), (ops.return_top,)]:
            return _answer_slot(index)
        case [(ops.push_constant, value), (ops.return_top,)]:
            return _answer_constant(value)
    return None


def answer_receiver(_vm: Machine, receiver: Value, *_arguments: Value) -> Value:
    """What a method does that has no statements."""
    return receiver


def _answer_slot(index: int) -> Primitive:
    def answer(_vm: Machine, receiver: Value, *_arguments: Value) -> Value:
        return receiver.fields[index]

    return answer


def _answer_constant(value: Value) -> Primitive:
    def answer(_vm: Machine, _receiver: Value, *_arguments: Value) -> Value:
        return value

    return answer
