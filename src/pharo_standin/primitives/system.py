"""The image as a whole: its globals, and what classes are made from."""

from __future__ import annotations

from collections.abc import Iterable

from pharo_standin.classes import ClassDefinition, bind, define_class
from pharo_standin.machine import Machine
from pharo_standin.objects import Behavior, Bytes, Pointers, Value, Words
from pharo_standin.primitive import PrimitiveFailed, primitive
from pharo_standin.reshaping import trait_slots
from pharo_standin.traits import parse_composition

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
KINDS = {layout: kind for kind, layout in LAYOUTS.items()}


def symbols(vm: Machine, names: Iterable[str]) -> Pointers:
    """An Array of Symbols."""
    return vm.array([vm.symbol(name) for name in names])


def _behavior(value: Value) -> Behavior:
    if not isinstance(value, Behavior):
        raise PrimitiveFailed
    return value


def symbol_name(vm: Machine, value: Value) -> str:
    """The text of a string or symbol; what is neither makes the primitive fail."""
    try:
        return vm.text(value)
    except TypeError:
        raise PrimitiveFailed from None


# globals


@primitive("globalBinding")
def _global_binding(vm: Machine, _receiver: Value, key: Value) -> Value:
    """Only a symbol names a global."""
    if not isinstance(key, Bytes | Words) or vm.symbols.get(vm.text(key)) is not key:
        return None
    return vm.globals.get(vm.text(key))


@primitive("globalBindings")
def _global_bindings(vm: Machine, _receiver: Value) -> Value:
    return vm.array(list(vm.globals.values()))


@primitive("globalAtPut")
def _global_at_put(vm: Machine, _receiver: Value, key: Value, value: Value) -> Value:
    bind(vm, symbol_name(vm, key), value)
    return value


@primitive("globalRemove")
def _global_remove(vm: Machine, receiver: Value, key: Value) -> Value:
    name = symbol_name(vm, key)
    vm.globals.pop(name, None)
    vm.classes.pop(name, None)
    return receiver


@primitive("undeclaredBindings")
def _undeclared_bindings(vm: Machine, _receiver: Value) -> Value:
    return vm.array(list(vm.undeclared.values()))


@primitive("globalNames")
def _global_names(vm: Machine, _receiver: Value) -> Value:
    """The names of classes and traits, and of all the rest: two sorted Arrays of Symbols."""
    classes: list[str] = []
    others: list[str] = []
    for name, binding in vm.globals.items():
        value = binding.fields[1]
        is_class = isinstance(value, Behavior) and not value.is_meta and value.name == name
        (classes if is_class else others).append(name)
    return vm.array([symbols(vm, sorted(classes)), symbols(vm, sorted(others))])


@primitive("globalsNamed")
def _globals_named(vm: Machine, _receiver: Value, names: Value) -> Value:
    """Their values; a name that is missing makes the primitive fail."""
    bindings = [vm.globals.get(symbol_name(vm, name)) for name in names.fields]
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
def _define(vm: Machine, _receiver: Value, parts: Value) -> Value:
    """Make a class or trait, or change it, as a builder's twelve parts say."""
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
    try:
        definition = ClassDefinition(
            symbol_name(vm, name),
            superclass,
            slots=_names(vm, slots),
            class_slots=_names(vm, class_slots),
            class_variables=_names(vm, variables),
            pools=_names(vm, pools),
            kind=KINDS[symbol_name(vm, layout)],
            package=symbol_name(vm, package),
            tag=symbol_name(vm, tag),
            composition=parse_composition(vm, symbol_name(vm, traits)),
            class_composition=parse_composition(vm, symbol_name(vm, class_traits)),
            is_trait=is_trait,
        )
    except (KeyError, ValueError):
        raise PrimitiveFailed from None
    behavior = define_class(vm, definition)
    if comment is not None:
        behavior.comment = symbol_name(vm, comment)
    return behavior


def _names(vm: Machine, array: Value) -> tuple[str, ...]:
    return tuple(symbol_name(vm, each) for each in array.fields)
