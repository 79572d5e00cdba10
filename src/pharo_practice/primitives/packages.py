"""Packages, their tags and their contents."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import primitive
from pharo_practice.model.objects import CompiledMethod, Pointers, Value
from pharo_practice.primitives.arguments import text_of
from pharo_practice.primitives.classes import UNPACKAGED
from pharo_practice.primitives.methods import is_own
from pharo_practice.primitives.system import symbols

ROOT_TAG = "Uncategorized"
"""The tag of the classes that have none."""


def _package_name(vm: Machine, package: Pointers) -> str:
    return text_of(package.fields[0])


def _names(vm: Machine) -> set[str]:
    return {*vm.packages, *(behavior.package for behavior in vm.classes.values())} - {"", UNPACKAGED}


@primitive("packageNames")
def _package_names(vm: Machine, _receiver: Value) -> Value:
    return symbols(vm, sorted(_names(vm)))


@primitive("packageExists")
def _package_exists(vm: Machine, _receiver: Value, name: Value) -> bool:
    sought = text_of(name)
    if sought in ("", UNPACKAGED):
        return False
    return sought in vm.packages or sought in _names(vm)


@primitive("packageNameLike")
def _package_name_like(vm: Machine, _receiver: Value, name: Value) -> Value:
    """The name of a package that is equal when case is ignored; nil if there is none."""
    sought = text_of(name).lower()
    found = min((each for each in _names(vm) if each.lower() == sought), default=None)
    return None if found is None else vm.symbol(found)


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
    vm.extensions = None
    old, new = _package_name(vm, receiver), text_of(name)
    vm.packages[new] = {**vm.packages.pop(old, {}), "name": new}
    for behavior in vm.classes.values():
        behavior.package = new if behavior.package == old else behavior.package
        for side in (behavior, behavior.cls):
            for method in side.methods.values():
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


@primitive("packageTagClasses")
def _tag_classes(vm: Machine, receiver: Pointers, name: Value) -> Value:
    """The classes of a package under a tag."""
    package, tag = _package_name(vm, receiver), text_of(name)
    classes = (each for each in vm.classes.values() if each.package == package)
    return vm.array([each for each in classes if (each.tag or ROOT_TAG) == tag])


@primitive("packageExtensionMethods")
def _package_extensions(vm: Machine, receiver: Pointers) -> Value:
    if vm.extensions is None:
        vm.extensions = _extensions(vm)
    return vm.array(list(vm.extensions.get(_package_name(vm, receiver), ())))


def _extensions(vm: Machine) -> dict[str, list[CompiledMethod]]:
    """The methods that belong to another package than their class, by package."""
    found: dict[str, list[CompiledMethod]] = {}
    for behavior in vm.classes.values():
        for side in (behavior, behavior.cls):
            for method in side.methods.values():
                if method.package != behavior.package and is_own(method):
                    found.setdefault(method.package, []).append(method)
    return found
