"""The options of Zinc that are in force."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Value
from pharo_practice.primitives.arguments import fields_of
from pharo_practice.primitives.dictionaries import at, includes_key
from pharo_practice.primitives.process_variables import process_variable_value


@primitive("currentOptionAt")
def current_option_at(vm: Machine, receiver: Behavior, key: Value) -> Value:
    """The value of an option in the active process, from the nearest options that have one."""
    options = process_variable_value(vm, receiver)
    while options is not None:
        own, options = fields_of(options, "ZnOptions")[:2]
        if own is not None:
            fields_of(own, "Dictionary")
            if includes_key(vm, own, key):
                return at(vm, own, key)
    raise PrimitiveFailed
