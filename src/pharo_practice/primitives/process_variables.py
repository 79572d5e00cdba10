"""Process-specific variables: the values that each process has of them."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Pointers, Value
from pharo_practice.primitives.arguments import fields_of
from pharo_practice.primitives.shapes import Process

ENVIRONMENT = 5
"""The field of a Process with the values of process-specific variables."""


@primitive("processSpecificValue")
def _process_specific_value(_vm: Machine, receiver: Process, index: int) -> Value:
    """The value of a process-specific variable; nil if it has none."""
    values = receiver.fields[ENVIRONMENT]
    if type(index) is not int or index < 1 or not (values is None or type(values) is Pointers):
        raise PrimitiveFailed
    return values.fields[index - 1] if values is not None and index <= len(values.fields) else None


@primitive("processSpecificValuePut")
def _process_specific_value_put(_vm: Machine, receiver: Process, index: int, value: Value) -> Value:
    """Store the value of a process-specific variable, if there is already room for it."""
    values = receiver.fields[ENVIRONMENT]
    if type(values) is not Pointers or type(index) is not int or not 1 <= index <= len(values.fields):
        raise PrimitiveFailed
    fields_of(values, "Array")[index - 1] = value
    return value


@primitive("processVariableValue")
def process_variable_value(vm: Machine, receiver: Behavior) -> Value:
    """The value that a process-specific variable has in the active process; fails if it has none."""
    value = process_value(vm, receiver)
    if value is None:
        raise PrimitiveFailed  # the variable may have a default
    return value


def process_value(vm: Machine, variable: Behavior) -> Value:
    """The same; nil if it has none.

    Raises:
        PrimitiveFailed: If the variable has not been used yet, or accesses its value in its own way.
    """
    [instance] = variable.fields
    index, usual = fields_of(instance, variable.name)[0], vm.classes["ProcessSpecificVariable"]
    sole, value = vm.lookup(variable.cls, "soleInstance"), vm.lookup(instance.cls, "value")
    if sole is None or sole.method_class is not usual.cls or value is None or value.method_class is not usual:
        raise PrimitiveFailed
    return _process_specific_value(vm, vm.scheduler.effective, index)
