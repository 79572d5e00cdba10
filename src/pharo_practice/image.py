"""Booting: a machine with the kernel in it."""

from __future__ import annotations

import gc
import os

from pharo_practice.compiling.compiler import compile_lazily
from pharo_practice.loading import initialize, install, without_collection
from pharo_practice.machine.limits import resident_memory
from pharo_practice.machine.machine import Machine
from pharo_practice.model.classes import bind, new_behavior
from pharo_practice.model.objects import (
    CONSTANT_CLOSURES,
    BlockClosure,
    Character,
    CompiledBlock,
    CompiledMethod,
    Context,
    Pointers,
    natives,
)
from pharo_practice.primitives import register_all
from pharo_practice.tonel.cache import definitions_in
from pharo_practice.tonel.reader import Folder

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
CONSTANT_BLOCKS = ("ConstantBlockClosure", *(f"ConstantBlockClosure{count}Arg" for count in (1, 2, 3)))
PYTHON_CLASSES: dict[str, type] = {
    "Character": Character,
    "CompiledMethod": CompiledMethod,
    "CompiledBlock": CompiledBlock,
    "FullBlockClosure": BlockClosure,
    "Context": Context,
    **dict(zip(CONSTANT_BLOCKS, CONSTANT_CLOSURES, strict=True)),
}


def boot(folders: tuple[Folder, ...] = KERNEL) -> Machine:
    """A machine with the kernel in it, every class initialized.

    Raises:
        RuntimeError: If this process has booted before: Python's own integers have the classes of one image.
    """
    if hasattr(natives, "small_integer"):
        raise RuntimeError("a Python process runs one practice image, and this one has booted already")
    register_all()
    vm = Machine(compile_lazily)
    with without_collection():
        _boot(vm, folders)
    gc.set_threshold(LOOK_FOR_CIRCLES_EVERY)
    gc.enable()
    vm.limits.memory += resident_memory()
    return vm


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
    initialize(vm, definitions)
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
