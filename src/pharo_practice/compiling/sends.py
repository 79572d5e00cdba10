"""Sending messages: lookup through the class's cache, primitives, activation."""

from __future__ import annotations

from pharo_practice.compiling.arithmetic_sends import arithmetic_send
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVE_ERRORS, SWITCH
from pharo_practice.model.behavior import CompiledMethod, Operation
from pharo_practice.model.code import Context
from pharo_practice.model.objects import NATIVE_TYPES, native_class


def send(vm: Machine, following: int, selector: str, count: int) -> Operation:
    """Send a message to what lies below its arguments."""
    if count > 2:
        return _send_many(vm, following, selector, count)
    plain = (_send_unary, _send_one, _send_two)[count](vm, following, selector)
    return arithmetic_send(vm, following, selector, plain) or plain


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
            except PRIMITIVE_ERRORS as error:
                return vm.primitive_failed(error, context, method, receiver, [])
            if result is SWITCH:
                return 0
            context.frame.append(result)
            return following
        new = Context()
        new.sender = context
        new.method = method
        new.receiver = receiver
        new.frame = method.blanks.copy()
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
            except PRIMITIVE_ERRORS as error:
                return vm.primitive_failed(error, context, method, receiver, [argument])
            if result is SWITCH:
                return 0
            frame.append(result)
            return following
        new = Context()
        new.sender = context
        new.method = method
        new.receiver = receiver
        new.frame = [argument, *method.blanks]
        new.closure = None
        new.pc = 1
        vm.active = new
        return 0

    return operation


def _send_two(vm: Machine, following: int, selector: str) -> Operation:
    lookup = vm.lookup

    def operation(context: Context) -> int:
        frame = context.frame
        second = frame.pop()
        first = frame.pop()
        receiver = frame.pop()
        cls = receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)
        try:
            method = cls.cache[selector]
        except KeyError:
            method = lookup(cls, selector)
            if method is None:
                context.pc = following
                return vm.not_understood(context, receiver, selector, [first, second])
        context.pc = following
        primitive = method.primitive
        if primitive is not None:
            try:
                result = primitive(vm, receiver, first, second)
            except PRIMITIVE_ERRORS as error:
                return vm.primitive_failed(error, context, method, receiver, [first, second])
            if result is SWITCH:
                return 0
            frame.append(result)
            return following
        new = Context()
        new.sender = context
        new.method = method
        new.receiver = receiver
        new.frame = [first, second, *method.blanks]
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
