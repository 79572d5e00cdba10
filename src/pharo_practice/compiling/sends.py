"""Sending messages: lookup through the class's cache, primitives, activation.

Integers are computed with at once, and methods that only return something are not activated.
"""

from __future__ import annotations

from pharo_practice.compiling import operations as ops
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVE_ERRORS, SWITCH, Primitive
from pharo_practice.model.object_memory import ARITHMETIC
from pharo_practice.model.objects import (
    NATIVE_TYPES,
    CompiledMethod,
    Context,
    Operation,
    Value,
    identical,
    native_class,
)


def arithmetic_send(following: int, selector: str, plain: Operation) -> Operation | None:
    """A send that computes with integers by itself; None for other selectors."""
    if selector == "==":
        return _identity(following)
    if selector not in ARITHMETIC:
        return None
    compute = ARITHMETIC[selector]

    def operation(context: Context) -> int:
        frame = context.frame
        if type(frame[-1]) is int and type(frame[-2]) is int:
            argument = frame.pop()
            frame[-1] = compute(frame[-1], argument)
            return following
        return plain(context)

    return operation


def _identity(following: int) -> Operation:
    def operation(context: Context) -> int:
        frame = context.frame
        argument = frame.pop()
        frame[-1] = identical(frame[-1], argument)
        return following

    return operation


def send(vm: Machine, following: int, selector: str, count: int) -> Operation:
    """Send a message to what lies below its arguments."""
    if count > 1:
        return _send_many(vm, following, selector, count)
    plain = (_send_unary, _send_one)[count](vm, following, selector)
    return arithmetic_send(following, selector, plain) or plain


def _send_unary(vm: Machine, following: int, selector: str) -> Operation:
    lookup = vm.lookup

    def operation(context: Context) -> int:
        receiver = context.frame.pop()
        cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
        try:
            method = cls.cache[selector]
        except KeyError:
            method = lookup(cls, selector)
            if method is None:
                context.pc = following
                return vm.not_understood(context, receiver, selector, [])
        context.pc = following
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
                return following
        new = Context()
        new.sender = context
        new.method = method
        new.receiver = receiver
        new.frame = method.empty_temporaries.copy()
        new.closure = None
        new.pc = 1
        vm.active = new
        return 0

    return operation


def _send_one(vm: Machine, following: int, selector: str) -> Operation:
    lookup = vm.lookup

    def operation(context: Context) -> int:
        frame = context.frame
        argument = frame.pop()
        receiver = frame.pop()
        cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
        try:
            method = cls.cache[selector]
        except KeyError:
            method = lookup(cls, selector)
            if method is None:
                context.pc = following
                return vm.not_understood(context, receiver, selector, [argument])
        context.pc = following
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
                return following
        new = Context()
        new.sender = context
        new.method = method
        new.receiver = receiver
        new.frame = [argument, *method.empty_temporaries]
        new.closure = None
        new.pc = 1
        vm.active = new
        return 0

    return operation


def _send_many(vm: Machine, following: int, selector: str, count: int) -> Operation:
    lookup, perform = vm.lookup, vm.perform
    below = -count - 1

    def operation(context: Context) -> int:
        frame = context.frame
        arguments = frame[-count:]
        receiver = frame[below]
        del frame[below:]
        cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
        context.pc = following
        return perform(
            context, cls.cache.get(selector) or lookup(cls, selector), receiver, selector, arguments
        )

    return operation


def send_super(vm: Machine, following: int, method: CompiledMethod, selector: str, count: int) -> Operation:
    """Send to the receiver, looking the method up above the class where it is written."""
    lookup, perform = vm.lookup, vm.perform

    def operation(context: Context) -> int:
        frame = context.frame
        arguments = frame[-count:] if count else []
        receiver = context.receiver
        del frame[-count - 1 :]
        context.pc = following
        above = method.method_class.superclass
        found = None if above is None else above.cache.get(selector) or lookup(above, selector)
        return perform(context, found, receiver, selector, arguments)

    return operation


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
