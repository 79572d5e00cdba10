"""Changing the fields of a class's instances, existing ones included."""

from __future__ import annotations

import gc
from typing import Any

from pharo_practice.model.behavior import Behavior, CompiledMethod, Pointers
from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.model.objects import Bytes, Words
from pharo_practice.model.traits import Composition


def trait_slots(behavior: Behavior) -> list[str]:
    """The instance variables a class gets from its traits."""
    composition: Composition | None = behavior.composition
    return composition.slots() if composition is not None else []


def with_traits(behavior: Behavior, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of all slots of a class that defines these itself."""
    return tuple(dict.fromkeys([*trait_slots(behavior), *names]))


def reshape(vm: ObjectMemory, behavior: Behavior) -> None:
    """Give instances of a class and its subclasses the fields it has now; values are kept by name."""
    before: dict[Behavior, tuple[str, ...]] = {}
    defined = [each for each in behavior.all_subclasses() if each.shape is not None]
    for each in (behavior, *defined):
        shape = tuple(each.all_slots())
        if shape != each.shape:
            if each.shape is not None or each.is_meta:
                before[each] = each.shape or ()
            each.shape, each.instance_size = shape, len(shape)
            forget_all_code(each)
    if vm.is_booted and before:
        _migrate(before)
    for user in list(behavior.users):
        inherited = trait_slots(user)
        if any(name not in user.slots for name in inherited):
            user.slots = with_traits(user, user.slots)
            reshape(vm, user)


def _migrate(before: dict[Behavior, tuple[str, ...]]) -> None:
    classes = [each.this_class for each in before if each.this_class is not None]
    for instance in classes if classes else instances_of(*before):
        old = before[instance.cls]
        named = dict(zip(old, instance.fields, strict=False))
        instance.fields[: len(old)] = [named.get(name) for name in instance.cls.shape or ()]


def instances_of(*behaviors: Behavior) -> list[Any]:
    """Every living object whose class is one of these."""
    instantiated = [each for each in behaviors if each.is_instantiated]
    if not instantiated:
        return []
    gc.unfreeze()  # those made while booting too: from now on they are traced like others
    return [
        each
        for each in gc.get_referrers(*instantiated)
        if isinstance(each, Pointers | Bytes | Words) and getattr(each, "cls", None) in behaviors
    ]


def forget_all_code(behavior: Behavior) -> None:
    """Have all methods of a class compiled again."""
    for method in behavior.methods.values():
        forget_code(method)


def forget_code(method: CompiledMethod) -> None:
    """Have the method compiled again when it is next looked up."""
    method.is_compiled = False
    method.properties = None
