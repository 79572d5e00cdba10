"""Defining and changing classes, traits and their methods."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pharo_standin.fusion import FAST
from pharo_standin.objects import Behavior, CompiledMethod, Pointers, Value, natives
from pharo_standin.traits import Composition, flatten

if TYPE_CHECKING:
    from pharo_standin.machine import Machine


@dataclass(frozen=True, slots=True)
class ClassDefinition:
    """What a class or trait is to look like."""

    name: str
    superclass: Behavior | None
    slots: tuple[str, ...] = ()
    class_slots: tuple[str, ...] = ()
    class_variables: tuple[str, ...] = ()
    pools: tuple[str, ...] = ()
    kind: str = "normal"
    package: str = ""
    tag: str = ""
    composition: Composition | None = None
    class_composition: Composition | None = None
    is_trait: bool = False


def define_class(vm: Machine, definition: ClassDefinition) -> Behavior:
    """Make a class, or change the one that has the name; its instances keep what still has a place."""
    behavior = vm.classes.get(definition.name)
    if behavior is None:
        behavior = new_behavior(vm, definition.name, is_trait=definition.is_trait)
    link(vm, behavior, definition.superclass)
    behavior.kind = definition.kind
    behavior.package, behavior.tag = definition.package, definition.tag
    behavior.pools = definition.pools
    _set_class_variables(vm, behavior, definition.class_variables)
    behavior.composition = definition.composition
    behavior.cls.composition = definition.class_composition
    set_slots(vm, behavior.cls, definition.class_slots)
    set_slots(vm, behavior, definition.slots)
    flatten(vm, behavior)
    flatten(vm, behavior.cls)
    vm.flush_caches()
    return behavior


def new_behavior(vm: Machine, name: str, *, is_trait: bool = False) -> Behavior:
    """A class or trait with its other side, known to the machine by its name."""
    meta_class = vm.classes.get("MetaclassForTraits" if is_trait else "Metaclass")
    meta = Behavior(f"{name} classTrait" if is_trait else f"{name} class", meta_class)
    behavior = Behavior(name, meta)
    meta.this_class = behavior
    behavior.is_trait = meta.is_trait = is_trait
    vm.classes[name] = behavior
    bind(vm, name, behavior)
    return behavior


def bind(vm: Machine, name: str, value: Value) -> Pointers:
    """Give a global its value."""
    binding = vm.globals.get(name)
    if binding is None:
        binding = vm.globals[name] = Pointers(
            vm.classes.get("GlobalVariable"),  # type: ignore[arg-type]
            [vm.symbol(name) if "ByteSymbol" in vm.classes else name, value],
        )
    else:
        binding.fields[1] = value
    return binding


def link(vm: Machine, behavior: Behavior, superclass: Behavior | None) -> None:
    """Put a class below its superclass, on both sides."""
    if behavior.superclass is not None and behavior in behavior.superclass.subclasses:
        behavior.superclass.subclasses.remove(behavior)
    behavior.superclass = superclass
    if behavior.is_trait:
        behavior.cls.superclass = vm.classes.get("Trait")
    elif superclass is None:
        behavior.cls.superclass = vm.classes.get("Class")
    else:
        superclass.subclasses.append(behavior)
        behavior.cls.superclass = superclass.cls


def remove_class(vm: Machine, behavior: Behavior) -> None:
    """Let the image know the class no more; living instances keep it."""
    if behavior.superclass is not None:
        behavior.superclass.subclasses.remove(behavior)
    for side in (behavior, behavior.cls):
        for trait in side.composition.traits() if side.composition is not None else ():
            trait.users.remove(side)
    vm.classes.pop(behavior.name, None)
    vm.globals.pop(behavior.name, None)
    vm.flush_caches()


def _set_class_variables(vm: Machine, behavior: Behavior, names: tuple[str, ...]) -> None:
    old = behavior.class_variables
    behavior.class_variables = {
        name: old.get(name) or Pointers(vm.classes["ClassVariable"], [vm.symbol(name), None])
        for name in names
    }


def trait_slots(behavior: Behavior) -> list[str]:
    """The instance variables a class gets from its traits."""
    composition: Composition | None = behavior.composition
    return composition.slots() if composition is not None else []


def set_slots(vm: Machine, behavior: Behavior, names: tuple[str, ...]) -> None:
    """Give a class its own instance variables, in new and in living instances."""
    names = tuple(dict.fromkeys([*trait_slots(behavior), *names]))
    affected = [behavior, *behavior.all_subclasses()]
    before = {each: each.all_slots()[: each.instance_size] for each in affected}
    behavior.slots = names
    for each in affected:
        after = each.all_slots()
        each.instance_size = len(after)
        if vm.is_booted and before[each] != after:
            _migrate(each, before[each], after)
            for method in each.methods.values():
                forget_code(method)
    vm.flush_caches()


def _migrate(behavior: Behavior, before: list[str], after: list[str]) -> None:
    living = [behavior.this_class] if behavior.this_class is not None else instances_of(behavior)
    for instance in living:
        assert instance is not None  # noqa: S101
        named = dict(zip(before, instance.fields, strict=False))
        instance.fields[: len(before)] = [named.get(name) for name in after]


def instances_of(behavior: Behavior) -> list[Pointers]:
    """Every living object with fields whose class this is."""
    return [each for each in gc.get_objects() if isinstance(each, Pointers) and _class(each) is behavior]


def _class(instance: Pointers) -> Behavior | None:
    return getattr(instance, "cls", None)


def forget_code(method: CompiledMethod) -> None:
    """Let the method be compiled again when it is next looked up."""
    method.is_compiled = False


def install_method(vm: Machine, behavior: Behavior, method: CompiledMethod) -> None:
    """Add or replace a method, here and, if this is a trait, in its users."""
    method.method_class = method.origin = behavior
    behavior.methods[method.selector] = method
    changed(vm, behavior, method.selector)


def remove_method(vm: Machine, behavior: Behavior, selector: str) -> None:
    """Take a method away; one of a trait may come to light."""
    del behavior.methods[selector]
    changed(vm, behavior, selector)


def changed(vm: Machine, behavior: Behavior, selector: str) -> None:
    """Carry a changed method to whatever knows the old one."""
    flatten(vm, behavior)
    pending = list(behavior.users)
    while pending:
        user = pending.pop()
        flatten(vm, user)
        pending += user.users
    if selector in FAST:
        _unfuse(vm, behavior, selector)
    vm.flush_caches()


def _unfuse(vm: Machine, behavior: Behavior, selector: str) -> None:
    """Compile no fast case any more for an arithmetic selector that an integer class defines anew."""
    integers = [natives.small_integer, natives.large_negative, *natives.large_positive.lineage()]
    if not vm.is_booted or selector in vm.redefined or behavior not in integers:
        return
    vm.redefined.add(selector)
    for cls in vm.classes.values():
        for side in (cls, cls.cls):
            for method in side.methods.values():
                forget_code(method)
