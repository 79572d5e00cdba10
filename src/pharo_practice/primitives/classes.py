"""Primitives of classes, traits, compiled methods and their protocols."""

from __future__ import annotations

from collections.abc import Iterable

from pharo_practice.compiling.compiler import compile_source
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.classes import (
    LAYOUTS,
    copy_for_announcement,
    install_method,
    local_slots,
    new_anonymous_subclass,
    remove_class,
    remove_method,
    rename_class,
)
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Behavior, CompiledMethod, Pointers, Value

UNCLASSIFIED = "as yet unclassified"
UNPACKAGED = "_UnpackagedPackage"
"""Where classes are that are in no package, such as anonymous ones."""


def symbols(vm: Machine, names: Iterable[str]) -> Pointers:
    """Return an Array of Symbols."""
    known = vm.symbols
    return vm.array([known.get(name) or vm.symbol(name) for name in names])


BEHAVIOR: dict[str, Primitive] = {
    "behaviorName": lambda vm, behavior: vm.symbol(behavior.name),
    "behaviorSuperclass": lambda _vm, behavior: behavior.superclass,
    "behaviorInstanceSide": lambda _vm, behavior: behavior.instance_side,
    "behaviorIsMeta": lambda _vm, behavior: behavior.is_meta,
    "behaviorIsTrait": lambda _vm, behavior: behavior.is_trait,
    "behaviorKind": lambda vm, behavior: vm.symbol(behavior.kind),
    "behaviorInstSize": lambda _vm, behavior: behavior.instance_size,
    "behaviorLayoutName": lambda vm, behavior: vm.symbol(LAYOUTS[behavior.kind]),
    "behaviorLocalSlotNames": lambda vm, behavior: symbols(vm, local_slots(behavior)),
    "behaviorSlotNames": lambda vm, behavior: symbols(vm, behavior.slots),
    "behaviorAllSlotNames": lambda vm, behavior: symbols(vm, behavior.all_slots()),
    "behaviorClassVariableNames": lambda vm, behavior: symbols(vm, behavior.instance_side.class_variables),
    "behaviorClassVariableBinding": lambda _vm, behavior, name: behavior.instance_side.class_variables.get(
        text_of(name)
    ),
    "behaviorPoolNames": lambda vm, behavior: symbols(vm, behavior.instance_side.pools),
    "behaviorComment": lambda vm, behavior: vm.string(behavior.instance_side.comment),
    "behaviorPackageName": lambda vm, behavior: vm.symbol(behavior.instance_side.package or UNPACKAGED),
    "behaviorTagName": lambda vm, behavior: vm.symbol(behavior.instance_side.tag),
    "behaviorTraitCompositionString": lambda vm, behavior: vm.string(
        str(behavior.composition) if behavior.composition is not None else "{}"
    ),
    "behaviorTraitUsers": lambda vm, behavior: vm.array(list(behavior.users)),
    "behaviorCopyForAnnouncement": lambda _vm, behavior: copy_for_announcement(behavior),
    "behaviorSelectors": lambda vm, behavior: symbols(vm, behavior.methods),
}
"""What a class or trait is asked for, and knows."""

PRIMITIVES.update(BEHAVIOR)


@primitive("behaviorSubclasses")
def _subclasses(vm: Machine, receiver: Behavior) -> Value:
    if receiver.this_class is not None:
        return vm.array([each.cls for each in _known_subclasses(vm, receiver.this_class)])
    return vm.array(_known_subclasses(vm, receiver))


def _known_subclasses(vm: Machine, behavior: Behavior) -> list[Value]:
    return [each for each in behavior.subclasses if each not in vm.anonymous]


@primitive("behaviorAnonymousSubclass")
def _anonymous_subclass(vm: Machine, receiver: Behavior) -> Behavior:
    if receiver.is_trait:
        raise PrimitiveFailed
    return new_anonymous_subclass(vm, receiver)


@primitive("behaviorSetComment")
def _set_comment(vm: Machine, receiver: Behavior, comment: Value) -> Value:
    receiver.instance_side.comment = text_of(comment)
    return receiver


@primitive("behaviorTraits")
def _traits(vm: Machine, receiver: Behavior) -> Value:
    composition = receiver.composition
    return vm.array(list(composition.traits()) if composition is not None else [])


@primitive("behaviorIncludesBehavior")
def _includes_behavior(_vm: Machine, receiver: Behavior, other: Value) -> bool:
    behavior: Behavior | None = receiver
    while behavior is not None:
        if behavior is other:
            return True
        behavior = behavior.superclass
    return False


@primitive("behaviorRemoveFromSystem")
def _remove_from_system(vm: Machine, receiver: Behavior) -> Value:
    if receiver.name not in vm.classes:
        raise PrimitiveFailed
    remove_class(vm, receiver)
    return receiver


@primitive("behaviorRename")
def _rename(vm: Machine, receiver: Behavior, name: Value) -> Value:
    if vm.classes.get(receiver.name) is not receiver or text_of(name) in vm.globals:
        raise PrimitiveFailed
    rename_class(vm, receiver, text_of(name))
    return receiver


@primitive("behaviorMoveToPackage")
def _move_to_package(vm: Machine, receiver: Behavior, package: Value, tag: Value) -> Value:
    """Move a class to another package, with its own methods and its extensions by that package."""
    old, receiver.package, receiver.tag = receiver.package, text_of(package), text_of(tag)
    for side in (receiver, receiver.cls):
        for method in side.methods.values():
            if method.package == old:
                method.package = receiver.package
            elif method.package == receiver.package and method.protocol.startswith("*"):
                method.protocol = ""
    return receiver


@primitive("behaviorProtocolNames")
def _protocol_names(vm: Machine, receiver: Behavior) -> Value:
    """The protocols in order of their first method, empty ones last."""
    used = [method.protocol or UNCLASSIFIED for method in receiver.methods.values()]
    return symbols(vm, dict.fromkeys([*used, *receiver.protocols]))


@primitive("behaviorAddProtocol")
def _add_protocol(vm: Machine, receiver: Behavior, name: Value) -> Value:
    receiver.protocols.append(text_of(name))
    return receiver


@primitive("behaviorRemoveProtocol")
def _remove_protocol(vm: Machine, receiver: Behavior, name: Value) -> Value:
    """Remove the empty protocol of this name."""
    receiver.protocols = [each for each in receiver.protocols if each != text_of(name)]
    return receiver


# methods


@primitive("behaviorMethodAt")
def _method_at(vm: Machine, receiver: Behavior, selector: Value) -> Value:
    name = vm.selector(selector)
    return None if name is None else receiver.methods.get(name)


@primitive("behaviorLookup")
def _lookup(vm: Machine, receiver: Behavior, selector: Value) -> Value:
    name = vm.selector(selector)
    return None if name is None else vm.lookup(receiver, name)


@primitive("behaviorRemoveSelector")
def _remove_selector(vm: Machine, receiver: Behavior, selector: Value) -> Value:
    remove_method(vm, receiver, text_of(selector))
    return receiver


@primitive("behaviorCompile")
def _compile(vm: Machine, receiver: Behavior, source: Value, protocol: Value) -> Value:
    """Compile a method without installing it; its source must have been checked."""
    method = compile_source(vm, text_of(source), cls=receiver, is_doit=False)
    method.protocol = text_of(protocol)
    method.package = receiver.instance_side.package
    return method


@primitive("behaviorAddMethod")
def _add_method(vm: Machine, receiver: Behavior, selector: Value, method: CompiledMethod) -> Value:
    method.selector = text_of(selector)
    prior = receiver.methods.get(method.selector)
    if prior is not None:  # Pharo's classes, not their methods, know the protocols
        method.protocol, method.package = prior.protocol, prior.package
    install_method(vm, receiver, method)
    return method


@primitive("isImplementedAnywhere")
def _is_implemented(vm: Machine, _receiver: Value, selector: Value) -> bool:
    """Whether a symbol is a selector of this image; true for anything that is not a symbol."""
    name = vm.selector(selector)
    return name is None or vm.is_implemented(name)
