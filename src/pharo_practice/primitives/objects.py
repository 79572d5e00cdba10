"""Primitives of every object: identity, fields, copies, reflective sends, new instances."""

from __future__ import annotations

from array import array

from pharo_practice.compiling.sends import answer_receiver
from pharo_practice.machine.limits import POINTER, SMALL
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import SWITCH, PrimitiveFailed, primitive
from pharo_practice.model.object_memory import is_read_only, set_read_only
from pharo_practice.model.objects import (
    LARGEST,
    NATIVE_TYPES,
    SMALLEST,
    Behavior,
    BlockClosure,
    Bytes,
    CompiledMethod,
    Context,
    Pointers,
    Value,
    Words,
    class_of,
    copied_context,
    identical,
    native_class,
)
from pharo_practice.primitives.memory import checked, fixed_fields

LARGE = 1_000_000
"""Elements from which on a new object is looked at as one that may be too much."""
MOST_ELEMENTS = 50_000_000
HASH_OF_NIL = 0x5F3759D
MADE_BY_ARITHMETIC = frozenset(
    {"Float", "BoxedFloat64", "SmallFloat64", "LargeInteger", "LargePositiveInteger", "LargeNegativeInteger"}
)
"""Classes whose instances are Python's own numbers: none is made piece by piece."""


@primitive("identical")
def _identical(_vm: Machine, receiver: Value, other: Value) -> bool:
    return identical(receiver, other)


@primitive("class")
def _class(_vm: Machine, receiver: Value) -> Behavior:
    return receiver.cls if type(receiver) not in NATIVE_TYPES else native_class(receiver)


@primitive("objectClass")
def _object_class(_vm: Machine, _receiver: Value, value: Value) -> Behavior:
    """The class of an object that is sent no message."""
    return class_of(value)


@primitive("identityHash")
def identity_hash(vm: Machine, receiver: Value) -> int:
    """A number that never changes for an object; that of nil is the same in every run."""
    if receiver is None:
        return HASH_OF_NIL
    if isinstance(receiver, int | float):
        return hash(receiver) & 0xFFFFFFF
    code = getattr(receiver, "code", None)
    return code if isinstance(code, int) else vm.identity_hash(receiver)


def new_instance(vm: Machine, behavior: Behavior, size: int) -> Value:
    """A new instance with ``size`` indexed elements.

    Raises:
        PrimitiveFailed: If the class has no such instances.
        MemoryError: If the image would become too large.
    """
    kind = behavior.kind
    if (size and kind == "normal") or behavior.name in MADE_BY_ARITHMETIC:
        raise PrimitiveFailed
    behavior.is_instantiated = True
    if size * POINTER > SMALL:
        _reserve(vm, size if kind == "bytes" else size * POINTER, size)
    match kind:
        case "bytes":
            return Bytes(behavior, bytearray(size))
        case "words":
            return Words(behavior, array("I", bytes(4 * size)))
        case "immediate" | "compiledMethod":
            raise PrimitiveFailed
    return Pointers(behavior, [None] * (behavior.instance_size + size))


def _reserve(vm: Machine, room: int, size: int) -> None:
    """Reserve memory for an object of so many elements."""
    if size >= LARGE:
        vm.end_quantum()
    if size > MOST_ELEMENTS:
        raise MemoryError
    vm.limits.reserve(room)


@primitive("basicNew")
def _basic_new(vm: Machine, receiver: Behavior) -> Value:
    """Create an instance; the most frequent layouts are tested first."""
    if receiver.kind == "normal" and receiver.name not in MADE_BY_ARITHMETIC:
        receiver.is_instantiated = True
        return Pointers(receiver, [None] * receiver.instance_size)
    return new_instance(vm, receiver, 0)


@primitive("newInitialized")
def _new_initialized(vm: Machine, receiver: Behavior) -> Value:
    """Create an instance whose ``initialize`` does nothing; fails where there is something to do."""
    initialize = receiver.cache.get("initialize") or vm.lookup(receiver, "initialize")
    if initialize is None or initialize.primitive is not answer_receiver:
        raise PrimitiveFailed
    basic_new = receiver.cls.cache.get("basicNew") or vm.lookup(receiver.cls, "basicNew")
    if basic_new is None or basic_new.primitive is not _basic_new:
        raise PrimitiveFailed
    return _basic_new(vm, receiver)


@primitive("basicNewSized")
def _basic_new_sized(vm: Machine, receiver: Behavior, size: Value) -> Value:
    if not isinstance(size, int) or size < 0 or receiver.kind == "normal":
        raise PrimitiveFailed
    return new_instance(vm, receiver, size)


@primitive("basicAt")
def _basic_at(_vm: Machine, receiver: Value, index: Value) -> Value:
    if type(index) is not int or index < 1:
        raise PrimitiveFailed
    kind = type(receiver)
    if kind is Pointers and receiver.cls.kind != "normal":
        return receiver.fields[receiver.cls.instance_size + index - 1]
    if kind is Bytes or kind is Words:
        return receiver.data[index - 1]
    if kind is int:
        return _digit(receiver, index)
    raise PrimitiveFailed


def _digit(receiver: int, index: Value) -> int:
    """A byte of a large integer's magnitude, the least significant first."""
    if type(index) is not int or not 1 <= index <= _digit_count(receiver):
        raise PrimitiveFailed
    return abs(receiver) >> 8 * (index - 1) & 255


def _digit_count(receiver: int) -> int:
    return 0 if SMALLEST <= receiver <= LARGEST else (receiver.bit_length() + 7) // 8


@primitive("basicAtPut")
def _basic_at_put(_vm: Machine, receiver: Value, index: Value, value: Value) -> Value:
    if type(index) is not int or index < 1:
        raise PrimitiveFailed
    kind = type(receiver)
    if kind is Pointers and receiver.cls.kind != "normal":
        receiver.fields[receiver.cls.instance_size + index - 1] = value
    elif (kind is Bytes or kind is Words) and type(value) is int:
        receiver.data[index - 1] = value
    else:
        raise PrimitiveFailed
    return value


@primitive("basicSize")
def _basic_size(_vm: Machine, receiver: Value) -> int:
    kind = type(receiver)
    if kind is Pointers:
        return 0 if receiver.cls.kind == "normal" else len(receiver.fields) - receiver.cls.instance_size
    if kind is Bytes or kind is Words:
        return len(receiver.data)
    if kind is int:
        return _digit_count(receiver)
    return len(receiver.frame) if kind is Context else 0


@primitive("instVarAt")
def _inst_var_at(_vm: Machine, receiver: Value, index: Value) -> Value:
    if isinstance(receiver, BlockClosure | Context):
        return checked(fixed_fields(receiver), index)
    if type(index) is not int or not isinstance(receiver, Pointers) or not 1 <= index <= len(receiver.fields):
        raise PrimitiveFailed
    return receiver.fields[index - 1]


@primitive("instVarAtPut")
def _inst_var_at_put(_vm: Machine, receiver: Value, index: Value, value: Value) -> Value:
    if type(index) is not int or not isinstance(receiver, Pointers) or not 1 <= index <= len(receiver.fields):
        raise PrimitiveFailed
    receiver.fields[index - 1] = value
    return value


@primitive("shallowCopy")
def _shallow_copy(vm: Machine, receiver: Value) -> Value:
    if type(receiver) is Pointers:
        if len(receiver.fields) * POINTER > SMALL:
            vm.limits.reserve(len(receiver.fields) * POINTER)
        return Pointers(receiver.cls, list(receiver.fields))
    if type(receiver) is Context:
        return copied_context(receiver)
    if type(receiver) is Bytes:
        vm.limits.reserve(len(receiver.data))
        return Bytes(receiver.cls, bytearray(receiver.data))
    if type(receiver) is Words:
        vm.limits.reserve(len(receiver.data) * 4)
        return Words(receiver.cls, array("I", receiver.data))
    if isinstance(receiver, BlockClosure):
        copied = type(receiver)()
        copied.body, copied.outer, copied.receiver = receiver.body, receiver.outer, receiver.receiver
        return copied
    if isinstance(receiver, Behavior):
        raise PrimitiveFailed
    return receiver


@primitive("become")
def _become(_vm: Machine, receiver: Value, other: Value) -> Value:
    """Exchange two objects by exchanging their contents."""
    if is_read_only(receiver) or is_read_only(other):
        raise PrimitiveFailed
    mine, theirs = _content(receiver), _content(other)
    _check_layout(receiver, other)
    _fill(receiver, theirs)
    _fill(other, mine)
    return receiver


@primitive("becomeForward")
def _become_forward(_vm: Machine, receiver: Value, other: Value) -> Value:
    """Turn the receiver into ``other``: both share their contents from now on."""
    if is_read_only(receiver):
        raise PrimitiveFailed
    theirs = _content(other)
    _content(receiver)  # fails if nothing can be replaced
    _check_layout(receiver, other)
    _fill(receiver, theirs)
    return other


def _content(value: Value) -> tuple[type, Behavior, Value]:
    if isinstance(value, Behavior) or not isinstance(value, Pointers | Bytes | Words):
        raise PrimitiveFailed
    return type(value), value.cls, value.fields if isinstance(value, Pointers) else value.data


def _check_layout(one: Value, other: Value) -> None:
    """Fail if only one of the objects has fields, because Python cannot exchange their classes."""
    if isinstance(one, Pointers) is not isinstance(other, Pointers):
        raise PrimitiveFailed


def _fill(value: Value, content: tuple[type, Behavior, Value]) -> None:
    value.__class__, value.cls, payload = content
    if isinstance(value, Pointers):
        value.fields = payload
    else:
        value.data = payload


@primitive("isReadOnly")
def _is_read_only(_vm: Machine, receiver: Value) -> bool:
    return is_read_only(receiver)


@primitive("setReadOnly")
def _set_read_only(_vm: Machine, receiver: Value, is_fixed: Value) -> bool:
    """Set whether an object is read-only; answer the previous state."""
    before = is_read_only(receiver)
    if type(is_fixed) is not bool:
        raise PrimitiveFailed
    if before is not is_fixed:
        set_read_only(receiver, is_fixed)
    return before


@primitive("changeClass")
def _change_class(_vm: Machine, receiver: Value, example: Value) -> Value:
    """Make the receiver an instance of the example's class."""
    cls = class_of(example)
    if not isinstance(receiver, Pointers) or receiver.cls.instance_size != cls.instance_size:
        raise PrimitiveFailed
    cls.is_instantiated = True
    receiver.cls = cls
    return receiver


# reflective sends


def _send(vm: Machine, receiver: Value, selector: Value, arguments: list[Value], start: Behavior) -> Value:
    """Send a selector that may not be a symbol; in that case no method is found."""
    name = vm.selector(selector)
    context = vm.active
    if name is None:
        vm.no_method(context, receiver, selector, arguments)
        return SWITCH
    method = vm.lookup(start, name)
    if method is not None and method.num_args != len(arguments):
        raise PrimitiveFailed
    activated = vm.perform(context, method, receiver, name, arguments) == 0
    return SWITCH if activated else context.frame.pop()


def _argument_array(arguments: Value) -> list[Value]:
    """A copy of the elements of an Array; fails for other objects."""
    if type(arguments) is not Pointers or arguments.cls.kind != "variable" or arguments.cls.instance_size:
        raise PrimitiveFailed
    return list(arguments.fields)


@primitive("perform")
def _perform(vm: Machine, receiver: Value, selector: Value, *arguments: Value) -> Value:
    return _send(vm, receiver, selector, list(arguments), class_of(receiver))


@primitive("performWithArguments")
def _perform_with_arguments(vm: Machine, receiver: Value, selector: Value, arguments: Value) -> Value:
    return _send(vm, receiver, selector, _argument_array(arguments), class_of(receiver))


@primitive("performInSuperclass")
def _perform_in_superclass(
    vm: Machine, receiver: Value, selector: Value, arguments: Value, start: Value
) -> Value:
    if not isinstance(start, Behavior) or start not in class_of(receiver).lineage():
        raise PrimitiveFailed
    return _send(vm, receiver, selector, _argument_array(arguments), start)


@primitive("objectPerformInClass")
def _object_perform_in_class(
    vm: Machine, _receiver: Value, value: Value, selector: Value, arguments: Value, start: Value
) -> Value:
    """The answer of an object to a message whose method is looked up from a class on."""
    return _perform_in_superclass(vm, value, selector, arguments, start)


@primitive("executeMethod")
def _execute_method(vm: Machine, receiver: Value, arguments: Pointers, method: CompiledMethod) -> Value:
    """Run a method, even if it is not installed in a class."""
    vm.compile(method)
    vm.perform(vm.active, method, receiver, method.selector, list(arguments.fields))
    return SWITCH
