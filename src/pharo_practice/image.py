"""Booting the kernel and loading Tonel folders into a machine."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager

from pharo_practice.compiling.compiler import compile_lazily
from pharo_practice.machine.execution import send_to_class
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.memory import resident_memory
from pharo_practice.model import code, objects
from pharo_practice.model.behavior import Behavior, CompiledMethod, Pointers
from pharo_practice.model.classes import ClassDefinition, bind, define_class, link, new_behavior
from pharo_practice.model.objects import natives
from pharo_practice.model.traits import parse_composition
from pharo_practice.primitives import register_all
from pharo_practice.tonel.cache import definitions_in
from pharo_practice.tonel.reader import Definition, Folder, TonelError

LOOK_FOR_CIRCLES_EVERY = 20_000
"""New objects: nearly all go without forming circles, and looking more often takes a tenth of all time."""

KERNEL = tuple(os.path.join(os.path.dirname(__file__), name) for name in ("kernel", "kernel13"))

NATIVE_CLASSES = {
    "small_integer": "SmallInteger",
    "large_positive": "LargePositiveInteger",
    "large_negative": "LargeNegativeInteger",
    "float": "SmallFloat64",
    "true": "True",
    "false": "False",
    "undefined": "UndefinedObject",
}
PYTHON_CLASSES = {
    "Character": objects.Character,
    "CompiledMethod": CompiledMethod,
    "CompiledBlock": code.CompiledBlock,
    "FullBlockClosure": code.BlockClosure,
    "ConstantBlockClosure": code.ConstantClosure,
    "ConstantBlockClosure1Arg": code.ConstantClosure1,
    "ConstantBlockClosure2Arg": code.ConstantClosure2,
    "ConstantBlockClosure3Arg": code.ConstantClosure3,
    "Context": code.Context,
}


class LoadError(Exception):
    """A folder that cannot be loaded; the text explains why."""


def boot(folders: tuple[Folder, ...] = KERNEL) -> Machine:
    """A machine with the kernel in it, every class initialized.

    Raises:
        RuntimeError: If this process has booted before: Python's own integers have the classes of one image.
    """
    if hasattr(natives, "small_integer"):
        raise RuntimeError("a Python process runs one practice image, and this one has booted already")
    register_all()
    vm = Machine(compile_lazily)
    with _without_collection():
        _boot(vm, folders)
    gc.set_threshold(LOOK_FOR_CIRCLES_EVERY)
    gc.enable()
    vm.limits.memory += resident_memory()
    return vm


@contextmanager
def _without_collection() -> Iterator[None]:
    """Look for no garbage: nothing that is made while loading is, and looking takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def _boot(vm: Machine, folders: tuple[Folder, ...]) -> None:
    """Fill a machine with the kernel."""
    definitions = [each for folder in folders if os.path.isdir(folder) for each in definitions_in(folder)]
    for definition in definitions:
        if definition.kind in ("Class", "Trait"):
            new_behavior(vm, definition.name, is_trait=definition.kind == "Trait")
    _connect_metaclasses(vm)
    install(vm, definitions)
    _connect_natives(vm)
    _make_room_in_classes(vm)
    _make_globals(vm)
    vm.is_booted = True
    _initialize(vm, definitions)
    for behavior in vm.classes.values():
        behavior.is_instantiated = True


def _make_globals(vm: Machine) -> None:
    """Bind ``Processor`` and ``Smalltalk``."""
    bind(vm, "Processor", Pointers(vm.classes["ProcessorScheduler"], []))
    image, dictionary = vm.classes.get("SmalltalkImage"), vm.classes.get("SystemEnvironment")
    if image is None or dictionary is None:
        return
    smalltalk = Pointers(image, [None] * image.instance_size)
    globals_ = Pointers(dictionary, [None] * dictionary.instance_size)
    smalltalk.fields[image.all_slots().index("globals")] = globals_
    bind(vm, "Smalltalk", smalltalk)


def _connect_metaclasses(vm: Machine) -> None:
    """Classes made before Metaclass and GlobalVariable were known get their classes now."""
    for name, behavior in vm.classes.items():
        meta = vm.classes["MetaclassForTraits" if behavior.is_trait else "Metaclass"]
        behavior.cls.cls = meta
        binding = vm.globals[name]
        binding.cls = vm.classes["GlobalVariable"]
        binding.fields[0] = vm.symbol(name)


def _make_room_in_classes(vm: Machine) -> None:
    """Room for the class-side instance variables."""
    for behavior in vm.classes.values():
        behavior.fields = [None] * behavior.cls.instance_size


def _connect_natives(vm: Machine) -> None:
    for attribute, name in NATIVE_CLASSES.items():
        setattr(natives, attribute, vm.classes[name])
    for name, python_class in PYTHON_CLASSES.items():
        python_class.cls = vm.classes[name]  # type: ignore[attr-defined]


def load(vm: Machine, folder: Folder) -> list[str]:
    """Load every package in a folder; returns their names.

    Raises:
        LoadError: If the folder holds no package, or something in it cannot be loaded.
    """
    try:
        definitions = definitions_in(folder)
        if not definitions:
            raise LoadError(f"no Tonel package in {folder}")
        with _without_collection():
            install(vm, definitions)
    except (TonelError, ValueError, OSError) as error:
        raise LoadError(f"cannot load {folder}: {error}") from error
    _initialize(vm, definitions)
    return list(dict.fromkeys(each.package for each in definitions))


def install(vm: Machine, definitions: list[Definition]) -> None:
    """Define classes, superclasses first, then every method, then what traits add."""
    for definition in definitions:
        if definition.kind == "Package":
            vm.packages.setdefault(definition.package, {}).update(definition.properties)
            vm.packages[definition.package]["comment"] = definition.comment
    kinds = [each for each in definitions if each.kind in ("Class", "Trait")]
    for definition in kinds:
        if definition.name not in vm.classes:
            new_behavior(vm, definition.name, is_trait=definition.kind == "Trait")
    for definition in kinds:
        link(vm, vm.classes[definition.name], _superclass(vm, definition))
    ordered = sorted(kinds, key=lambda each: (each.kind != "Trait", len(vm.classes[each.name].lineage())))
    for definition in definitions:
        _add_methods(vm, definition)
    for definition in _traits_in_order(ordered):
        _define(vm, definition)
    vm.flush_caches()


def _traits_in_order(definitions: list[Definition]) -> list[Definition]:
    """Traits without traits first, so that composed traits are complete when they are used."""
    traits = {each.name: each for each in definitions if each.kind == "Trait"}
    done: dict[str, Definition] = {}

    def visit(definition: Definition) -> None:
        if definition.name in done:
            return
        done[definition.name] = definition
        for name in re.findall(r"\w+", definition.text("traits")):
            if name in traits:
                done.pop(definition.name, None)
                visit(traits[name])
        done[definition.name] = definition

    for trait in traits.values():
        visit(trait)
    return [*done.values(), *(each for each in definitions if each.kind != "Trait")]


def _superclass(vm: Machine, definition: Definition) -> Behavior | None:
    name = definition.text("superclass")
    if definition.kind == "Trait" or name in ("", "nil"):
        return None
    found = vm.classes.get(name)
    if found is None:
        raise ValueError(f"{definition.name}: the practice image has no class {name} (Pharo may)")
    return found


def _define(vm: Machine, definition: Definition) -> None:
    """Define a class as its definition describes it."""
    category = definition.text("category")
    package = definition.text("package") or definition.package or category
    tag = definition.text("tag") or (category.removeprefix(package).lstrip("-") if category else "")
    behavior = define_class(
        vm,
        ClassDefinition(
            definition.name,
            vm.classes[definition.name].superclass,
            slots=tuple(map(_slot_name, definition.names("instVars"))),
            class_slots=tuple(map(_slot_name, definition.names("classInstVars"))),
            class_variables=tuple(map(_slot_name, definition.names("classVars"))),
            pools=tuple(definition.names("pools")),
            kind=definition.text("type") or "normal",
            package=package,
            tag=tag,
            composition=parse_composition(vm, definition.text("traits")),
            class_composition=parse_composition(vm, definition.text("classTraits")),
            is_trait=definition.kind == "Trait",
        ),
    )
    behavior.comment = _with_internal_line_endings(definition.comment)


def _with_internal_line_endings(text: str) -> str:
    """As the image keeps what it loads: Pharo ends lines with a carriage return."""
    return text.replace("\n", "\r")


def _slot_name(text: str) -> str:
    """A slot may be written with its kind: ``#name => WeakSlot``."""
    found = re.search(r"\w+", text)
    return found[0] if found else text


def _add_methods(vm: Machine, definition: Definition) -> None:
    """Define the methods of a definition."""
    package = definition.package
    for class_name, is_meta, selector, protocol, source in definition.take_methods():
        behavior = vm.classes.get(class_name)
        if behavior is None:
            raise ValueError(f"{package}: the practice image has no class {class_name} to extend (Pharo may)")
        if is_meta:
            behavior = behavior.cls
        text = _with_internal_line_endings(source) if type(source) is str else source
        behavior.methods[selector] = CompiledMethod(selector, text, behavior, protocol, package)


def _initialize(vm: Machine, definitions: list[Definition]) -> None:
    """Send ``initialize`` to every class that defines it on its class side, superclasses first."""
    classes = [vm.classes[each.name] for each in definitions if each.kind == "Class"]
    for behavior in sorted(classes, key=lambda each: len(each.lineage())):
        if "initialize" in behavior.cls.methods:
            send_to_class(vm, behavior, "initialize")
