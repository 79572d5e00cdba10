"""Quick methods: those that only return a variable, a constant or an argument need no activation.

Pharo's virtual machine does the same. Such a method has no sends, so nothing in it can wait, fail or be seen.

A method that returns a variable unless it is nil, and else initializes it, is quick once the variable is
initialized. Only a debugger would see that, so the method is activated while a process is stepped.
"""

from __future__ import annotations

from pharo_practice.compiling.instructions import Instruction
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import Primitive, PrimitiveFailed
from pharo_practice.model.behavior import Pointers, Value


def quick_method(instructions: list[Instruction], num_args: int) -> Primitive | None:
    """A function that does what a method with these instructions does; None if it is not a quick method."""
    match instructions:
        case [("return_self",)] | [("self",), ("return",)]:
            return answer_receiver
        case [("slot", index), ("return",)]:
            return _answer_slot(index)
        case [("constant", value), ("return",)]:
            return _answer_constant(value)
        case [("shared", binding), ("return",)]:
            return _answer_shared(binding)
        case [("temporary", index), ("return",)] if index < num_args:
            return _answer_argument(index)
        case [("slot", index), ("duplicate",), ("jump_not_nil", target), *_]:
            return _answer_initialized_slot(index) if instructions[target - 1] == ("return",) else None
    return None


def answer_receiver(_vm: Machine, receiver: Value, *_arguments: Value) -> Value:
    """What a method does that has no statements."""
    return receiver


def _answer_slot(index: int) -> Primitive:
    def answer(_vm: Machine, receiver: Value, *_arguments: Value) -> Value:
        return receiver.fields[index]

    return answer


def _answer_initialized_slot(index: int) -> Primitive:
    def answer(vm: Machine, receiver: Value, *_arguments: Value) -> Value:
        value = receiver.fields[index]
        if value is None or vm.scheduler.is_stepping:
            raise PrimitiveFailed
        return value

    return answer


def _answer_constant(value: Value) -> Primitive:
    def answer(_vm: Machine, _receiver: Value, *_arguments: Value) -> Value:
        return value

    return answer


def _answer_shared(binding: Pointers) -> Primitive:
    def answer(_vm: Machine, _receiver: Value, *_arguments: Value) -> Value:
        return binding.fields[1]

    return answer


def _answer_argument(index: int) -> Primitive:
    def answer(_vm: Machine, _receiver: Value, *arguments: Value) -> Value:
        return arguments[index]

    return answer
