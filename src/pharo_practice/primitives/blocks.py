"""Primitives of closures: evaluation, and the context that created a closure."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, SWITCH, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.objects import (
    BlockClosure,
    ConstantClosure,
    Context,
    Value,
    new_context,
)


@primitive("value")
def _value(vm: Machine, receiver: BlockClosure) -> Value:
    body = receiver.body
    if body.num_args:
        raise PrimitiveFailed
    context = Context()
    context.sender = vm.active
    context.method = body
    context.receiver = receiver.receiver
    context.frame = body.empty_temporaries.copy()
    context.closure = receiver
    context.pc = 1
    vm.active = context
    return SWITCH


@primitive("valueWithOne")
def _value_with_one(vm: Machine, receiver: BlockClosure, argument: Value) -> Value:
    body = receiver.body
    if body.num_args != 1:
        raise PrimitiveFailed
    context = Context()
    context.sender = vm.active
    context.method = body
    context.receiver = receiver.receiver
    context.frame = [argument, *body.empty_temporaries]
    context.closure = receiver
    context.pc = 1
    vm.active = context
    return SWITCH


@primitive("valueWithAll")
def _value_with_all(vm: Machine, receiver: BlockClosure, *arguments: Value) -> Value:
    if receiver.body.num_args != len(arguments):
        raise PrimitiveFailed
    vm.active = new_context(vm.active, receiver.body, receiver.receiver, list(arguments), receiver)
    return SWITCH


@primitive("valueWithArguments")
def _value_with_arguments(vm: Machine, receiver: BlockClosure, arguments: Value) -> Value:
    return _value_with_all(vm, receiver, *arguments.fields)


CLOSURE: dict[str, Primitive] = {
    "numArgs": lambda _vm, closure: closure.body.num_args,
    "closureOuter": lambda _vm, closure: None if isinstance(closure, ConstantClosure) else closure.outer,
    "closureReceiver": lambda _vm, closure: (
        None if isinstance(closure, ConstantClosure) else closure.receiver
    ),
    "closureBody": lambda _vm, closure: closure.body,
}
"""What a closure is asked for, and knows."""

PRIMITIVES.update(CLOSURE)


@primitive("closureAsContext")
def _closure_as_context(vm: Machine, receiver: BlockClosure, sender: Value) -> Context:
    """A context that is about to evaluate the closure; without a sender it ends its process."""
    below = vm.bottom if sender is None else sender
    if type(below) is not Context:
        raise PrimitiveFailed
    return new_context(below, receiver.body, receiver.receiver, [], receiver)
