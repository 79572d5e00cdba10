"""The image as a whole: its globals, and the definition of classes."""

from __future__ import annotations

from collections.abc import Iterable

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.classes import LAYOUTS, ClassDefinition, bind, define_class, trait_slots
from pharo_practice.model.objects import Behavior, Bytes, Pointers, Value, Words
from pharo_practice.model.traits import parse_composition
from pharo_practice.primitives.arguments import text_of
from pharo_practice.primitives.methods import all_methods

KINDS = {layout: kind for kind, layout in LAYOUTS.items()}


def symbols(vm: Machine, names: Iterable[str]) -> Pointers:
    """Return an Array of Symbols."""
    return vm.array([vm.symbol(name) for name in names])


def _behavior(value: Value) -> Behavior:
    if not isinstance(value, Behavior):
        raise PrimitiveFailed
    return value


# globals


@primitive("globalBinding")
def _global_binding(vm: Machine, _receiver: Value, key: Value) -> Value:
    """The binding of a global, whose name must be a symbol."""
    if not isinstance(key, Bytes | Words) or vm.symbols.get(text_of(key)) is not key:
        return None
    return vm.globals.get(text_of(key))


@primitive("globalBindings")
def _global_bindings(vm: Machine, _receiver: Value) -> Value:
    return vm.array(list(vm.globals.values()))


@primitive("globalAtPut")
def _global_at_put(vm: Machine, _receiver: Value, key: Value, value: Value) -> Value:
    bind(vm, text_of(key), value)
    return value


@primitive("globalRemove")
def _global_remove(vm: Machine, receiver: Value, key: Value) -> Value:
    name = text_of(key)
    vm.globals.pop(name, None)
    vm.classes.pop(name, None)
    vm.extensions = None
    return receiver


@primitive("undeclaredBindings")
def _undeclared_bindings(vm: Machine, _receiver: Value) -> Value:
    return vm.array(list(vm.undeclared.values()))


@primitive("cleanOutUndeclared")
def _clean_out_undeclared(vm: Machine, receiver: Value) -> Value:
    sources = [method.source for method in all_methods(vm)]
    for name in [*vm.undeclared]:
        if not any(name in source for source in sources):
            del vm.undeclared[name]
    return receiver


@primitive("globalNames")
def _global_names(vm: Machine, _receiver: Value) -> Value:
    """The names of classes and traits, and of all other globals: two sorted Arrays of Symbols."""
    classes: list[str] = []
    others: list[str] = []
    for name, binding in vm.globals.items():
        value = binding.fields[1]
        is_class = isinstance(value, Behavior) and not value.is_meta and value.name == name
        (classes if is_class else others).append(name)
    return vm.array([symbols(vm, sorted(classes)), symbols(vm, sorted(others))])


@primitive("globalsNamed")
def _globals_named(vm: Machine, _receiver: Value, names: Pointers) -> Value:
    """The values of globals; fails if one is missing."""
    bindings = [vm.globals.get(text_of(name)) for name in names.fields]
    if None in bindings:
        raise PrimitiveFailed
    return vm.array([binding.fields[1] for binding in bindings if binding is not None])


# classes


@primitive("classLayoutName")
def _layout_name(vm: Machine, _receiver: Value, behavior: Value) -> Value:
    return vm.symbol(LAYOUTS[_behavior(behavior).kind])


@primitive("classSlotNames")
def _slot_names(vm: Machine, _receiver: Value, behavior: Value) -> Value:
    return symbols(vm, _behavior(behavior).slots)


@primitive("classLocalSlotNames")
def _local_slot_names(vm: Machine, _receiver: Value, behavior: Value) -> Value:
    inherited = trait_slots(_behavior(behavior))
    return symbols(vm, (name for name in behavior.slots if name not in inherited))


@primitive("classAllSlotNames")
def _all_slot_names(vm: Machine, _receiver: Value, behavior: Value) -> Value:
    return symbols(vm, _behavior(behavior).all_slots())


@primitive("classDefine")
def _define(vm: Machine, _receiver: Value, parts: Pointers) -> Value:
    """Create or change a class or trait from the twelve parts of a builder."""
    (
        name,
        superclass,
        layout,
        slots,
        class_slots,
        variables,
        pools,
        package,
        tag,
        traits,
        class_traits,
        is_trait,
        comment,
    ) = parts.fields
    if superclass is not None and not isinstance(superclass, Behavior):
        raise PrimitiveFailed
    find = vm.classes.__getitem__
    try:
        definition = ClassDefinition(
            text_of(name),
            superclass,
            slots=_names(vm, slots),
            class_slots=_names(vm, class_slots),
            class_variables=_names(vm, variables),
            pools=_names(vm, pools),
            kind=KINDS[text_of(layout)],
            package=text_of(package),
            tag=text_of(tag),
            composition=parse_composition(text_of(traits), find),
            class_composition=parse_composition(text_of(class_traits), find),
            is_trait=is_trait,
        )
    except (KeyError, ValueError):
        raise PrimitiveFailed from None
    behavior = define_class(vm, definition)
    if comment is not None:
        behavior.comment = text_of(comment)
    return behavior


def _names(vm: Machine, array: Value) -> tuple[str, ...]:
    if type(array) is not Pointers:
        raise PrimitiveFailed
    return tuple(text_of(each) for each in array.fields)
