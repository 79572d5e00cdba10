"""Defining and changing classes, traits and their methods, and the fields of existing instances."""

from __future__ import annotations

import gc
from copy import copy
from typing import Any, NamedTuple

from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.model.objects import Behavior, Bytes, CompiledMethod, Pointers, Value, Words
from pharo_practice.model.traits import Composition, flatten


def trait_slots(behavior: Behavior) -> list[str]:
    """The instance variables a class gets from its traits."""
    composition: Composition | None = behavior.composition
    return composition.slots() if composition is not None else []


def local_slots(behavior: Behavior) -> list[str]:
    """The instance variables that a class defines itself."""
    inherited = trait_slots(behavior)
    return [name for name in behavior.slots if name not in inherited]


def with_traits(behavior: Behavior, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of all slots of a class that defines these itself."""
    return tuple(dict.fromkeys([*trait_slots(behavior), *names]))


def update_fields(vm: ObjectMemory, behavior: Behavior) -> None:
    """Give instances of a class and its subclasses the fields it has now; values are kept by name."""
    before: dict[Behavior, tuple[str, ...]] = {}
    defined = [each for each in behavior.all_subclasses() if each.field_names is not None]
    for each in (behavior, *defined):
        names = tuple(each.all_slots())
        if names != each.field_names:
            if each.field_names is not None or each.is_meta:
                before[each] = each.field_names or ()
            each.field_names, each.instance_size = names, len(names)
            forget_all_code(each)
    if vm.is_booted and before:
        _migrate(before)
    for user in list(behavior.users):
        inherited = trait_slots(user)
        if any(name not in user.slots for name in inherited):
            user.slots = with_traits(user, user.slots)
            update_fields(vm, user)


def _migrate(before: dict[Behavior, tuple[str, ...]]) -> None:
    classes = [each.this_class for each in before if each.this_class is not None]
    for instance in classes if classes else instances_of(*before):
        old = before[instance.cls]
        named = dict(zip(old, instance.fields, strict=False))
        instance.fields[: len(old)] = [named.get(name) for name in instance.cls.field_names or ()]


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


LAYOUTS = {
    "normal": "FixedLayout",
    "variable": "VariableLayout",
    "weak": "WeakLayout",
    "ephemeron": "EphemeronLayout",
    "bytes": "ByteLayout",
    "words": "WordLayout",
    "immediate": "ImmediateLayout",
    "compiledMethod": "CompiledMethodLayout",
}
"""The layout of a class's instances, by what Tonel calls it as ``#type``."""


class ClassDefinition(NamedTuple):
    """The definition of a class or trait."""

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


def define_class(vm: ObjectMemory, definition: ClassDefinition) -> Behavior:
    """Make a class, or change the one of that name; its instances keep the fields it still has.

    Raises:
        ValueError: If a trait would use itself, directly or through others.
    """
    behavior = vm.classes.get(definition.name)
    if behavior is not None:
        _check_not_used(behavior, definition.composition)
        _check_not_used(behavior.cls, definition.class_composition)
    if behavior is None:
        behavior = new_behavior(vm, definition.name, is_trait=definition.is_trait)
    for side, composition in (
        (behavior, definition.composition),
        (behavior.cls, definition.class_composition),
    ):
        leave_traits(side)
        side.composition = composition
    link(vm, behavior, definition.superclass)
    behavior.kind = definition.kind
    behavior.package, behavior.tag = definition.package, definition.tag
    behavior.pools = definition.pools
    _set_class_variables(vm, behavior, definition.class_variables)
    behavior.cls.slots = with_traits(behavior.cls, definition.class_slots)
    behavior.slots = with_traits(behavior, definition.slots)
    for side in (behavior.cls, behavior):
        flatten(side)
        update_fields(vm, side)
    vm.flush_caches(*_with_users(behavior), *_with_users(behavior.cls))
    return behavior


def _check_not_used(behavior: Behavior, composition: Composition | None) -> None:
    pending = [composition]
    seen: set[Behavior] = set()
    while pending:
        part = pending.pop()
        for trait in part.traits() if part is not None else ():
            if trait is behavior:
                raise ValueError(f"{behavior.name} would use itself")
            if trait not in seen:
                seen.add(trait)
                pending.append(trait.composition)


def new_behavior(vm: ObjectMemory, name: str, *, is_trait: bool = False) -> Behavior:
    """A class or trait with its other side, known to the machine by its name."""
    behavior = _new_behavior(vm, name, is_trait=is_trait)
    vm.classes[name] = behavior
    bind(vm, name, behavior)
    return behavior


def new_anonymous_subclass(vm: ObjectMemory, superclass: Behavior) -> Behavior:
    """A class that neither its superclass nor the image lists; only its maker has a reference to it."""
    behavior = _new_behavior(vm, f"a subclass of {superclass.name}", is_trait=False)
    link(vm, behavior, superclass)
    behavior.kind = superclass.kind
    for side in (behavior.cls, behavior):
        update_fields(vm, side)
    vm.anonymous.append(behavior)
    return behavior


def _new_behavior(vm: ObjectMemory, name: str, *, is_trait: bool) -> Behavior:
    meta_class = vm.classes.get("MetaclassForTraits" if is_trait else "Metaclass")
    meta = Behavior(f"{name} classTrait" if is_trait else f"{name} class", meta_class)
    behavior = Behavior(name, meta)
    meta.this_class = behavior
    meta.is_instantiated = True
    behavior.is_trait = meta.is_trait = is_trait
    return behavior


def bind(vm: ObjectMemory, name: str, value: Value) -> Pointers:
    """Give a global its value."""
    undeclared = vm.undeclared.pop(name, None)
    binding = vm.globals.get(name) or undeclared
    if binding is not None:
        binding.cls = vm.classes.get("GlobalVariable", binding.cls)
        binding.fields[1] = value
        vm.globals[name] = binding
        if binding is undeclared:
            _compile_again(vm, name)  # the cached names of classes stay as they are, as in Pharo
    else:
        flush_class_names(vm)
        binding = vm.globals[name] = Pointers(
            vm.classes.get("GlobalVariable"),  # type: ignore[arg-type]
            [vm.symbol(name) if "ByteSymbol" in vm.classes else name, value],
        )
    return binding


def declare_missing(vm: ObjectMemory, name: str) -> None:
    """Keep a binding for an undeclared name that code uses; a definition of that name takes it over."""
    if vm.is_booted and name not in vm.globals and name not in vm.undeclared:
        vm.undeclared[name] = Pointers(vm.classes["UndeclaredVariable"], [vm.symbol(name), None])


def _compile_again(vm: ObjectMemory, name: str) -> None:
    """Have methods compiled again that use a name which was undeclared until now."""
    for method in vm.all_methods():
        if name in method.source:
            forget_code(method)
    vm.flush_caches()


def flush_class_names(vm: ObjectMemory) -> None:
    """Drop the cached names of all classes."""
    if vm.is_booted:
        image = vm.globals["Smalltalk"].fields[1]
        dictionary = image.fields[image.cls.all_slots().index("globals")]
        for index, slot in enumerate(dictionary.cls.all_slots()):
            if slot.startswith("cached"):
                dictionary.fields[index] = None


def link(vm: ObjectMemory, behavior: Behavior, superclass: Behavior | None) -> None:
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


def leave_traits(side: Behavior) -> None:
    """Remove a class from the users of its traits."""
    for trait in side.composition.traits() if side.composition is not None else ():
        if side in trait.users:
            trait.users.remove(side)


def remove_class(vm: ObjectMemory, behavior: Behavior) -> None:
    """Remove a class from the image; instances, subclasses and code compiled before still refer to it."""
    if behavior.superclass is not None and behavior in behavior.superclass.subclasses:
        behavior.superclass.subclasses.remove(behavior)
    for side in (behavior, behavior.cls):
        leave_traits(side)
    vm.classes.pop(behavior.name, None)
    binding = vm.globals.pop(behavior.name, None)
    if binding is not None:
        binding.cls = vm.classes["UndeclaredVariable"]
        vm.undeclared[behavior.name] = binding
    _set_name(behavior, f"AnObsolete{behavior.name}")
    vm.flush_caches(behavior, behavior.cls)


def rename_class(vm: ObjectMemory, behavior: Behavior, name: str) -> None:
    """Rename a class; compiled code still refers to it, although its source has the old name."""
    old = behavior.name
    for method in vm.all_methods():
        if old in method.source:
            vm.compile(method)
    _set_name(behavior, name)
    vm.classes = {each.name: each for each in vm.classes.values()}
    binding = vm.globals.pop(old)
    binding.fields[0] = vm.symbol(name)
    vm.globals[name] = binding


def _set_name(behavior: Behavior, name: str) -> None:
    behavior.cls.name = behavior.cls.name.replace(behavior.name, name, 1)
    behavior.name = name


def copy_for_announcement(behavior: Behavior) -> Behavior:
    """Return a copy of a class as it is now, which the image does not list, to announce its change."""
    copied, meta = copy(behavior), copy(behavior.cls)
    copied.cls, meta.this_class = meta, copied
    for each in (copied, meta):
        each.subclasses, each.users, each.cache = [], [], {}
        each.methods, each.class_variables = dict(each.methods), dict(each.class_variables)
        each.fields = list(each.fields)
        if hasattr(each, "identity"):
            del each.identity
    return copied


def _set_class_variables(vm: ObjectMemory, behavior: Behavior, names: tuple[str, ...]) -> None:
    old = behavior.class_variables
    behavior.class_variables = {
        name: old.get(name) or Pointers(vm.classes["ClassVariable"], [vm.symbol(name), None])
        for name in names
    }
    if vm.is_booted and set(names) != set(old):
        for each in (behavior, *behavior.all_subclasses()):
            forget_all_code(each)
            forget_all_code(each.cls)


def install_method(vm: ObjectMemory, behavior: Behavior, method: CompiledMethod) -> None:
    """Add or replace a method, here and, if this is a trait, in its users."""
    method.method_class = method.origin = behavior
    behavior.methods[method.selector] = method
    changed(vm, behavior, method.selector)


def remove_method(vm: ObjectMemory, behavior: Behavior, selector: str) -> None:
    """Remove a method; one from a trait may take its place."""
    del behavior.methods[selector]
    changed(vm, behavior, selector)


def changed(vm: ObjectMemory, behavior: Behavior, selector: str) -> None:
    """Replace a changed method in the users of a trait and in the caches of lookup."""
    behaviors = _with_users(behavior)
    for each in behaviors:
        flatten(each)
    vm.flush_caches(*behaviors)


def _with_users(behavior: Behavior) -> list[Behavior]:
    """A behavior and, if it is a trait, everything composed of it, directly or through others."""
    found = [behavior]
    for each in found:
        found += each.users
    return found
