"""The image as a whole: its globals, the definition of classes, and packages with their tags."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.classes import LAYOUTS, ClassDefinition, bind, define_class
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Behavior, Bytes, Pointers, Value, Words
from pharo_practice.model.traits import parse_composition
from pharo_practice.primitives.classes import UNPACKAGED, symbols
from pharo_practice.primitives.methods import is_own

KINDS = {layout: kind for kind, layout in LAYOUTS.items()}


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
    return receiver


@primitive("undeclaredBindings")
def _undeclared_bindings(vm: Machine, _receiver: Value) -> Value:
    return vm.array(list(vm.undeclared.values()))


@primitive("cleanOutUndeclared")
def _clean_out_undeclared(vm: Machine, receiver: Value) -> Value:
    sources = [method.source for method in vm.all_methods()]
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
    return vm.array([vm.globals[text_of(name)].fields[1] for name in names.fields])


# classes


@primitive("classDefine")
def _define(vm: Machine, _receiver: Value, parts: Pointers) -> Value:
    """Create or change a class or trait from the twelve parts of a builder."""
    name, superclass, layout, slots, class_slots, variables, pools, *others = parts.fields
    package, tag, traits, class_traits, is_trait, comment = others
    if superclass is not None and not isinstance(superclass, Behavior):
        raise PrimitiveFailed
    find = vm.classes.__getitem__
    definition = ClassDefinition(
        text_of(name),
        superclass,
        slots=_names(slots),
        class_slots=_names(class_slots),
        class_variables=_names(variables),
        pools=_names(pools),
        kind=KINDS[text_of(layout)],
        package=text_of(package),
        tag=text_of(tag),
        composition=parse_composition(text_of(traits), find),
        class_composition=parse_composition(text_of(class_traits), find),
        is_trait=is_trait,
    )
    behavior = define_class(vm, definition)
    if comment is not None:
        behavior.comment = text_of(comment)
    return behavior


def _names(array: Value) -> tuple[str, ...]:
    return tuple(text_of(each) for each in array.fields)


ROOT_TAG = "Uncategorized"
"""The tag of the classes that have none."""


def _package_name(vm: Machine, package: Pointers) -> str:
    return text_of(package.fields[0])


def _known_packages(vm: Machine) -> set[str]:
    return {*vm.packages, *(behavior.package for behavior in vm.classes.values())} - {"", UNPACKAGED}


@primitive("packageNames")
def _package_names(vm: Machine, _receiver: Value) -> Value:
    return symbols(vm, sorted(_known_packages(vm)))


@primitive("packageExists")
def _package_exists(vm: Machine, _receiver: Value, name: Value) -> bool:
    sought = text_of(name)
    if sought in ("", UNPACKAGED):
        return False
    return sought in vm.packages or sought in _known_packages(vm)


@primitive("packageEnsure")
def _package_ensure(vm: Machine, receiver: Value, name: Value) -> Value:
    vm.packages.setdefault(text_of(name), {})
    return receiver


@primitive("packageRemove")
def _package_remove(vm: Machine, receiver: Value, name: Value) -> Value:
    vm.packages.pop(text_of(name), None)
    return receiver


@primitive("packageRename")
def _package_rename(vm: Machine, receiver: Pointers, name: Value) -> Value:
    """Rename a package in all its classes and extensions."""
    old, new = _package_name(vm, receiver), text_of(name)
    vm.packages[new] = {**vm.packages.pop(old, {}), "name": new}
    for behavior in vm.classes.values():
        behavior.package = new if behavior.package == old else behavior.package
    for method in vm.all_methods():
        if method.package == old:
            method.package = new
            if method.protocol.startswith("*"):
                method.protocol = "*" + new + method.protocol[len(old) + 1 :]
    return receiver


@primitive("packageTagNames")
def _tag_names(vm: Machine, receiver: Pointers) -> Value:
    """The tags of its classes ('' is the root) and the empty tags."""
    package = _package_name(vm, receiver)
    used = {behavior.tag for behavior in vm.classes.values() if behavior.package == package}
    return symbols(vm, sorted({*used, *_empty_tags(vm, package)}))


@primitive("packageAddTag")
def _add_tag(vm: Machine, receiver: Pointers, name: Value) -> Value:
    tags, added = _empty_tags(vm, _package_name(vm, receiver)), _stored_tag(vm, name)
    if added not in tags:
        tags.append(added)
    return receiver


@primitive("packageRemoveTag")
def _remove_tag(vm: Machine, receiver: Pointers, name: Value) -> Value:
    tags, removed = _empty_tags(vm, _package_name(vm, receiver)), _stored_tag(vm, name)
    tags[:] = [each for each in tags if each != removed]
    return receiver


def _stored_tag(vm: Machine, name: Value) -> str:
    tag = text_of(name)
    return "" if tag == ROOT_TAG else tag


def _empty_tags(vm: Machine, package: str) -> list[str]:
    tags: list[str] = vm.packages.setdefault(package, {}).setdefault("tags", [])
    return tags


@primitive("packageComment")
def _package_comment(vm: Machine, receiver: Pointers) -> Value:
    return vm.string(vm.packages.get(_package_name(vm, receiver), {}).get("comment") or "")


@primitive("packageSetComment")
def _set_package_comment(vm: Machine, receiver: Pointers, comment: Value) -> Value:
    vm.packages.setdefault(_package_name(vm, receiver), {})["comment"] = text_of(comment)
    return receiver


@primitive("packageClasses")
def _package_classes(vm: Machine, receiver: Pointers) -> Value:
    name = _package_name(vm, receiver)
    return vm.array([behavior for behavior in vm.classes.values() if behavior.package == name])


@primitive("packageExtensionMethods")
def _package_extensions(vm: Machine, receiver: Pointers) -> Value:
    """Return the methods that belong to this package and not to that of their class."""
    package = _package_name(vm, receiver)
    found = (each for each in vm.all_methods() if each.package == package and is_own(each))
    return vm.array([each for each in found if each.method_class.instance_side.package != package])
