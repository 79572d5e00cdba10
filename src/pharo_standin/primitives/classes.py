"""Primitives of classes, traits, compiled methods and their protocols."""

from __future__ import annotations

from collections.abc import Iterable

from pharo_standin.classes import install_method, remove_class, remove_method
from pharo_standin.compilation import SourceError, compile_source
from pharo_standin.machine import Machine
from pharo_standin.objects import Behavior, CompiledMethod, Pointers, Value
from pharo_standin.primitive import PrimitiveFailed, primitive


def symbols(vm: Machine, names: Iterable[str]) -> Pointers:
    """An Array of Symbols."""
    return vm.array([vm.symbol(name) for name in names])


@primitive("behaviorName")
def _name(vm: Machine, receiver: Behavior) -> Value:
    return vm.symbol(receiver.name)


@primitive("behaviorSuperclass")
def _superclass(_vm: Machine, receiver: Behavior) -> Value:
    return receiver.superclass


@primitive("behaviorSubclasses")
def _subclasses(vm: Machine, receiver: Behavior) -> Value:
    if receiver.this_class is not None:
        return vm.array([each.cls for each in receiver.this_class.subclasses])
    return vm.array(list(receiver.subclasses))


@primitive("behaviorInstanceSide")
def _instance_side(_vm: Machine, receiver: Behavior) -> Behavior:
    return receiver.instance_side


@primitive("behaviorIsMeta")
def _is_meta(_vm: Machine, receiver: Behavior) -> bool:
    return receiver.is_meta


@primitive("behaviorIsTrait")
def _is_trait(_vm: Machine, receiver: Behavior) -> bool:
    return receiver.is_trait


@primitive("behaviorKind")
def _kind(vm: Machine, receiver: Behavior) -> Value:
    return vm.symbol(receiver.kind)


@primitive("behaviorInstSize")
def _inst_size(_vm: Machine, receiver: Behavior) -> int:
    return receiver.instance_size


@primitive("behaviorSlotNames")
def _slot_names(vm: Machine, receiver: Behavior) -> Value:
    return symbols(vm, receiver.slots)


@primitive("behaviorAllSlotNames")
def _all_slot_names(vm: Machine, receiver: Behavior) -> Value:
    return symbols(vm, receiver.all_slots())


@primitive("behaviorClassVariableNames")
def _class_variable_names(vm: Machine, receiver: Behavior) -> Value:
    return symbols(vm, receiver.instance_side.class_variables)


@primitive("behaviorClassVariableBinding")
def _class_variable_binding(vm: Machine, receiver: Behavior, name: Value) -> Value:
    return receiver.instance_side.class_variables.get(vm.text(name))


@primitive("behaviorPoolNames")
def _pool_names(vm: Machine, receiver: Behavior) -> Value:
    return symbols(vm, receiver.instance_side.pools)


@primitive("behaviorComment")
def _comment(vm: Machine, receiver: Behavior) -> Value:
    return vm.string(receiver.instance_side.comment)


@primitive("behaviorSetComment")
def _set_comment(vm: Machine, receiver: Behavior, comment: Value) -> Value:
    receiver.instance_side.comment = vm.text(comment)
    return receiver


@primitive("behaviorPackageName")
def _package_name(vm: Machine, receiver: Behavior) -> Value:
    return vm.symbol(receiver.instance_side.package)


@primitive("behaviorTagName")
def _tag_name(vm: Machine, receiver: Behavior) -> Value:
    return vm.symbol(receiver.instance_side.tag)


@primitive("behaviorTraits")
def _traits(vm: Machine, receiver: Behavior) -> Value:
    composition = receiver.composition
    return vm.array(list(composition.traits()) if composition is not None else [])


@primitive("behaviorTraitCompositionString")
def _trait_composition(vm: Machine, receiver: Behavior) -> Value:
    return vm.string(str(receiver.composition) if receiver.composition is not None else "{}")


@primitive("behaviorTraitUsers")
def _trait_users(vm: Machine, receiver: Behavior) -> Value:
    return vm.array(list(receiver.users))


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


# methods


@primitive("behaviorSelectors")
def _selectors(vm: Machine, receiver: Behavior) -> Value:
    return symbols(vm, receiver.methods)


@primitive("behaviorMethodAt")
def _method_at(vm: Machine, receiver: Behavior, selector: Value) -> Value:
    return receiver.methods.get(vm.text(selector))


@primitive("behaviorLookup")
def _lookup(vm: Machine, receiver: Behavior, selector: Value) -> Value:
    return vm.lookup(receiver, vm.text(selector))


@primitive("behaviorRemoveSelector")
def _remove_selector(vm: Machine, receiver: Behavior, selector: Value) -> Value:
    name = vm.text(selector)
    if name not in receiver.methods:
        raise PrimitiveFailed
    remove_method(vm, receiver, name)
    return receiver


@primitive("behaviorCompile")
def _compile(vm: Machine, receiver: Behavior, source: Value, protocol: Value) -> Value:
    """Compile and install; the source must have been checked."""
    try:
        method = compile_source(vm, vm.text(source), cls=receiver, is_doit=False)
    except SourceError as error:
        raise PrimitiveFailed from error
    method.protocol = vm.text(protocol)
    extension = method.protocol.startswith("*")
    method.package = method.protocol[1:] if extension else receiver.instance_side.package
    install_method(vm, receiver, method)
    return vm.symbol(method.selector)


@primitive("behaviorAddMethod")
def _add_method(vm: Machine, receiver: Behavior, selector: Value, method: CompiledMethod) -> Value:
    method.selector = vm.text(selector)
    install_method(vm, receiver, method)
    return method


@primitive("isImplementedAnywhere")
def _is_implemented(vm: Machine, _receiver: Value, selector: Value) -> bool:
    return vm.is_implemented(vm.text(selector))


# compiled methods


@primitive("methodSelector")
def _method_selector(vm: Machine, receiver: CompiledMethod) -> Value:
    return vm.symbol(receiver.selector)


@primitive("methodSource")
def _method_source(vm: Machine, receiver: CompiledMethod) -> Value:
    return vm.string(receiver.source)


@primitive("methodClass")
def _method_class(_vm: Machine, receiver: CompiledMethod) -> Value:
    return receiver.method_class


@primitive("methodProtocol")
def _method_protocol(vm: Machine, receiver: CompiledMethod) -> Value:
    return vm.symbol(receiver.protocol or "as yet unclassified")


@primitive("methodSetProtocol")
def _method_set_protocol(vm: Machine, receiver: CompiledMethod, protocol: Value) -> Value:
    receiver.protocol = vm.text(protocol)
    return receiver


@primitive("methodPackageName")
def _method_package(vm: Machine, receiver: CompiledMethod) -> Value:
    return vm.symbol(receiver.package or receiver.method_class.instance_side.package)


@primitive("methodOrigin")
def _method_origin(_vm: Machine, receiver: CompiledMethod) -> Value:
    return receiver.origin


@primitive("methodNumArgs")
def _method_num_args(_vm: Machine, receiver: CompiledMethod) -> int:
    return receiver.num_args


@primitive("methodLiterals")
def _method_literals(vm: Machine, receiver: CompiledMethod) -> Value:
    if not receiver.is_compiled:
        vm.compile(receiver)
    return vm.array(list(receiver.literals))


@primitive("methodPragmas")
def _method_pragmas(vm: Machine, receiver: CompiledMethod) -> Value:
    """Pairs of selector and arguments."""
    if not receiver.is_compiled:
        vm.compile(receiver)
    pragmas = receiver.node.pragmas if receiver.node is not None else []
    pairs = []
    for pragma in pragmas:
        arguments = [vm.literal(each.value) for each in pragma.arguments if hasattr(each, "value")]
        pairs.append(vm.array([vm.symbol(pragma.selector), vm.array(arguments)]))
    return vm.array(pairs)


@primitive("blockMethod")
def _block_method(_vm: Machine, receiver: Value) -> Value:
    return receiver.method
