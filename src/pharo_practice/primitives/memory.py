"""All objects of the image, what they refer to, and how many bytes they would take in Pharo."""

from __future__ import annotations

import gc
from collections.abc import Sequence

from pharo_practice.machine.limits import POINTER
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.classes import instances_of
from pharo_practice.model.objects import (
    DEAD,
    Behavior,
    BlockClosure,
    Bytes,
    Code,
    CompiledBlock,
    CompiledMethod,
    ConstantClosure,
    Context,
    Pointers,
    Value,
    Words,
    class_of,
    identical,
)
from pharo_practice.primitives.contexts import is_last

OBJECTS = (Pointers, Bytes, Words, BlockClosure, Context, Code)
"""What has a place in memory; Python's own numbers count as immediate objects."""
NATIVE = {"BlockClosure", "Context", "CompiledCode"}
"""Classes whose instances do not refer to them; their subclasses have Python classes of their own, too."""
HEADER = 8
MANY_SLOTS = 255
"""From here on an object has a second header, as in the memory of Pharo's virtual machine."""
WORD = 4


def all_objects() -> list[Value]:
    """Every object, those made while booting too."""
    gc.unfreeze()
    return [each for each in gc.get_objects() if isinstance(each, OBJECTS) and _is_complete(each)]


def _is_complete(value: Value) -> bool:
    """Whether an object is not only half made, and none of the machine's own contexts and their methods."""
    if isinstance(value, Context):
        return value is not DEAD and not is_last(value)
    return hasattr(value, "cls") and not (isinstance(value, CompiledMethod) and not value.selector)


def fixed_fields(value: Value) -> Sequence[Value]:
    """The values of the named instance variables, in the order of their names."""
    match value:
        case Pointers():
            return value.fields[: value.cls.instance_size]
        case ConstantClosure():
            return [None, value.body, value.body.num_args, next(iter(value.body.literals), None)]
        case BlockClosure():
            return [value.outer, value.body, value.body.num_args, value.receiver]
        case Context():
            sender = None if (value.sender is DEAD or is_last(value.sender)) else value.sender
            size = len(value.frame)
            return [sender, value.pc, size, value.method, value.closure, value.receiver]
    return ()


def indexed_fields(value: Value) -> Sequence[Value]:
    """The objects at the indexes of an object."""
    match value:
        case Pointers() if value.cls.kind != "normal":
            return value.fields[value.cls.instance_size :]
        case Context():
            return value.frame
        case CompiledMethod() | CompiledBlock():
            return value.literals
    return ()


@primitive("allObjects")
def _all_objects(vm: Machine, _receiver: Value) -> Value:
    return vm.array(all_objects())


@primitive("allInstances")
def _all_instances(vm: Machine, receiver: Behavior) -> Value:
    """The instances of a class; those of the classes that Python has its own numbers for are not known."""
    if receiver.name in NATIVE or any(each.name in NATIVE for each in receiver.lineage()) or receiver.is_meta:
        return vm.array([each for each in all_objects() if class_of(each) is receiver])
    return vm.array(instances_of(receiver))


@primitive("instVarsInclude")
def _inst_vars_include(_vm: Machine, receiver: Value, value: Value) -> bool:
    return any(identical(each, value) for each in (*fixed_fields(receiver), *indexed_fields(receiver)))


def checked(values: Sequence[Value], index: Value) -> Value:
    """The value at an index from 1.

    Raises:
        PrimitiveFailed: If there is none.
    """
    if type(index) is not int or not 1 <= index <= len(values):
        raise PrimitiveFailed
    return values[index - 1]


@primitive("objectInstVarAt")
def _object_inst_var_at(_vm: Machine, _receiver: Value, value: Value, index: Value) -> Value:
    """An instance variable of an object that is sent no message."""
    return checked(fixed_fields(value), index)


@primitive("objectBasicAt")
def _object_basic_at(_vm: Machine, _receiver: Value, value: Value, index: Value) -> Value:
    return checked(value.data if isinstance(value, Bytes | Words) else indexed_fields(value), index)


@primitive("objectSize")
def _object_size(_vm: Machine, _receiver: Value, value: Value) -> int:
    if isinstance(value, Bytes | Words):
        return len(value.data)
    return 0 if isinstance(value, Code) else len(indexed_fields(value))


@primitive("byteSizeOfInstance")
def _byte_size_of_instance(_vm: Machine, receiver: Behavior, size: Value) -> int:
    """The bytes of an instance with so many indexed elements, headers included, in Pharo with 64 bits."""
    if type(size) is not int or size < 0 or receiver.kind == "immediate":
        raise PrimitiveFailed
    if size and receiver.kind == "normal":
        raise PrimitiveFailed
    widths = {"bytes": 1, "compiledMethod": 1, "words": WORD}
    elements = -(-size * widths.get(receiver.kind, POINTER) // POINTER)
    slots = max(receiver.instance_size + elements, 1)
    return HEADER * (2 if slots >= MANY_SLOTS else 1) + slots * POINTER
