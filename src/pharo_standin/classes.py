"""Defining and changing classes, traits and their methods."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pharo_standin.code import CompiledMethod
from pharo_standin.fusion import FAST
from pharo_standin.objects import Behavior, Pointers, Value, natives
from pharo_standin.reshaping import forget_all_code, forget_code, reshape, with_traits
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
    """Make a class, or change the one that has the name; its instances keep what still has a place.

    Raises:
        ValueError: If a trait would use itself, be it by way of others.
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
        flatten(vm, side)
        reshape(vm, side)
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


def new_behavior(vm: Machine, name: str, *, is_trait: bool = False) -> Behavior:
    """A class or trait with its other side, known to the machine by its name."""
    meta_class = vm.classes.get("MetaclassForTraits" if is_trait else "Metaclass")
    meta = Behavior(f"{name} classTrait" if is_trait else f"{name} class", meta_class)
    behavior = Behavior(name, meta)
    meta.this_class = behavior
    meta.is_instantiated = True
    behavior.is_trait = meta.is_trait = is_trait
    vm.classes[name] = behavior
    bind(vm, name, behavior)
    return behavior


def bind(vm: Machine, name: str, value: Value) -> Pointers:
    """Give a global its value."""
    undeclared = vm.undeclared.pop(name, None)
    binding = vm.globals.get(name) or undeclared
    if binding is not None:
        binding.cls = vm.classes.get("GlobalVariable", binding.cls)
        binding.fields[1] = value
        vm.globals[name] = binding
        if binding is undeclared:
            _compile_again(vm, name)  # but the names of classes are not looked for anew: so it is in Pharo
    else:
        flush_class_names(vm)
        binding = vm.globals[name] = Pointers(
            vm.classes.get("GlobalVariable"),  # type: ignore[arg-type]
            [vm.symbol(name) if "ByteSymbol" in vm.classes else name, value],
        )
    return binding


def declare_missing(vm: Machine, name: str) -> None:
    """Keep a name that code mentions and that nothing has: what gets it takes this place."""
    if vm.is_booted and name not in vm.globals and name not in vm.undeclared:
        vm.undeclared[name] = Pointers(vm.classes["UndeclaredVariable"], [vm.symbol(name), None])


def _compile_again(vm: Machine, name: str) -> None:
    """Let methods that named what was not there name what is there now."""
    for method in _every_method(vm):
        if name in method.source:
            forget_code(method)
    vm.flush_caches()


def flush_class_names(vm: Machine) -> None:
    """Have the names of all classes looked for anew."""
    if vm.is_booted:
        image = vm.globals["Smalltalk"].fields[1]
        dictionary = image.fields[image.cls.all_slots().index("globals")]
        for index, slot in enumerate(dictionary.cls.all_slots()):
            if slot.startswith("cached"):
                dictionary.fields[index] = None


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


def leave_traits(side: Behavior) -> None:
    """Let the traits of a class know it no more."""
    for trait in side.composition.traits() if side.composition is not None else ():
        if side in trait.users:
            trait.users.remove(side)


def remove_class(vm: Machine, behavior: Behavior) -> None:
    """Let the image know the class no more; instances, subclasses and code compiled before keep it."""
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


def rename_class(vm: Machine, behavior: Behavior, name: str) -> None:
    """Give a class another name; compiled code goes on to mean this class, whatever its source says."""
    old = behavior.name
    for method in _every_method(vm):
        if not method.is_compiled and old in method.source:
            vm.compile(method)
    _set_name(behavior, name)
    vm.classes = {each.name: each for each in vm.classes.values()}
    binding = vm.globals.pop(old)
    binding.fields[0] = vm.symbol(name)
    vm.globals[name] = binding


def _set_name(behavior: Behavior, name: str) -> None:
    behavior.cls.name = behavior.cls.name.replace(behavior.name, name, 1)
    behavior.name = name


def _every_method(vm: Machine) -> list[CompiledMethod]:
    return [
        method
        for behavior in vm.classes.values()
        for side in (behavior, behavior.cls)
        for method in side.methods.values()
    ]


def copy_for_announcement(behavior: Behavior) -> Behavior:
    """What a class is like now, to be shown when it has become another; the image does not know the copy."""
    meta = Behavior(behavior.cls.name, behavior.cls.cls)
    copied = Behavior(behavior.name, meta)
    meta.this_class = copied
    for one, other in ((behavior, copied), (behavior.cls, meta)):
        for attribute in COPIED:
            setattr(other, attribute, getattr(one, attribute))
        other.methods = dict(one.methods)
        other.class_variables = dict(one.class_variables)
    copied.fields = list(behavior.fields)
    return copied


COPIED = (
    "comment",
    "composition",
    "instance_size",
    "is_trait",
    "kind",
    "package",
    "pools",
    "shape",
    "slots",
    "superclass",
    "tag",
)


def _set_class_variables(vm: Machine, behavior: Behavior, names: tuple[str, ...]) -> None:
    old = behavior.class_variables
    behavior.class_variables = {
        name: old.get(name) or Pointers(vm.classes["ClassVariable"], [vm.symbol(name), None])
        for name in names
    }
    if vm.is_booted and set(names) != set(old):
        for each in (behavior, *behavior.all_subclasses()):
            forget_all_code(each)
            forget_all_code(each.cls)


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
    behaviors = _with_users(behavior)
    for each in behaviors:
        flatten(vm, each)
    vm.flush_caches(*behaviors)
    if selector in FAST:
        _unfuse(vm, behavior, selector)


def _with_users(behavior: Behavior) -> list[Behavior]:
    """A behavior and, if it is a trait, all that are composed of it, be it by way of others."""
    found = [behavior]
    for each in found:
        found += each.users
    return found


def _unfuse(vm: Machine, behavior: Behavior, selector: str) -> None:
    """Compile no fast case any more for an arithmetic selector that an integer class defines anew."""
    integers = [natives.small_integer, natives.large_negative, *natives.large_positive.lineage()]
    if not vm.is_booted or selector in vm.redefined or behavior not in integers:
        return
    vm.redefined.add(selector)
    for method in _every_method(vm):
        forget_code(method)
    vm.flush_caches()
