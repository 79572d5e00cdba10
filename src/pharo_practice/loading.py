"""Loading folders of Tonel packages.

First all definitions are checked. If one is wrong, nothing is loaded. A package that needs what the practice
image lacks is skipped, and so are those that need its classes. What is left is installed.
"""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from pharo_practice.machine.execution import send_to_class
from pharo_practice.machine.machine import Machine
from pharo_practice.model.classes import ClassDefinition, define_class, link, new_behavior
from pharo_practice.model.objects import CompiledMethod
from pharo_practice.model.traits import parse_composition
from pharo_practice.tonel.cache import definitions_in
from pharo_practice.tonel.checks import Check, Need, slot_in
from pharo_practice.tonel.reader import (
    PACKAGE_FILE,
    Definition,
    Folder,
    TonelError,
    files_in,
    folders_in,
    folders_without_package_file,
)


class LoadError(Exception):
    """A folder that cannot be loaded; the text explains why."""


class Loaded(NamedTuple):
    """What became of the packages in a folder."""

    packages: Mapping[str, Counter[str]]
    """How many definitions of each kind the packages have that were loaded."""
    skipped: Mapping[str, list[Need]]
    """What each of the others needs."""
    unnamed: list[str]
    """Folders of classes that are not packages."""

    def lines(self) -> Iterator[str]:
        """The report for a person."""
        if self.packages:
            yield "Loaded " + _listed([f"{name} ({_content(each)})" for name, each in self.packages.items()])
        yield from _needed("Skipped {}, which needs", self.skipped)
        for folder in self.unnamed:
            yield f"Skipped {folder}: it has no {PACKAGE_FILE}, so it is not a package"


def _content(counts: Counter[str]) -> str:
    nouns = (("Class", "class", "classes"), ("Trait", "trait", "traits"))
    parts = [
        f"{counts[kind]} {one if counts[kind] == 1 else many}" for kind, one, many in nouns if counts[kind]
    ]
    return ", ".join(parts) or "no class of its own"


def _listed(parts: list[str]) -> str:
    *most, last = parts
    return f"{', '.join(most)} and {last}" if most else last


def _needed(heading: str, packages: Mapping[str, list[Need]]) -> Iterator[str]:
    """A line for each thing that a package needs, with the first location that needs it."""
    for name, needs in packages.items():
        yield heading.format(name)
        counts = Counter(need.what for need in needs)
        for what, count in counts.items():
            need = next(each for each in needs if each.what == what)
            others = f" and {count - 1} more place{'s' * (count > 2)}" if count > 1 else ""
            yield f"  {what} ({need.why}): {need.location}{others}"


def load(vm: Machine, folder: Folder) -> Loaded:
    """Load the packages in a folder, or the one that it is, but for those that need what the image lacks.

    Raises:
        LoadError: If the folder holds no package, something in it is wrong, or every package needs what the
            image lacks. Nothing was loaded then.
    """
    try:
        definitions = definitions_in(folder)
    except TonelError as error:
        raise _failed(folder, error.faults) from None
    unnamed = folders_without_package_file(folder)
    if not definitions:
        report = Loaded({}, {}, unnamed).lines()
        raise LoadError("\n".join([f"no Tonel package in {folder}{_elsewhere(folder)}", *report]))
    check = Check(vm, definitions)
    if check.faults:
        raise _failed(folder, check.faults)
    chosen = [each for each in definitions if each.package not in check.needs]
    if not chosen:
        raise _failed(folder, _needed("{} needs", check.needs))
    with without_collection():
        install(vm, chosen)
    initialize(vm, chosen)
    return Loaded(_counted(chosen), check.needs, unnamed)


def _failed(folder: Folder, reasons: Iterable[str]) -> LoadError:
    return LoadError("\n  ".join([f"cannot load {folder}; nothing was loaded", *reasons]))


def _elsewhere(folder: Folder) -> str:
    """Where packages are in a folder that has none itself; '' if they are not in the folders in it either."""
    found = [each for each in folders_in(folder) if files_in(each)]
    return f" (there are some in {_listed(found)})" if found else ""


def _counted(definitions: list[Definition]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for definition in definitions:
        counts.setdefault(definition.package, Counter())[definition.kind] += 1
    return counts


@contextmanager
def without_collection() -> Iterator[None]:
    """Look for no garbage: nothing that is made while loading is, and looking takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()


def install(vm: Machine, definitions: list[Definition]) -> None:
    """Define what was found to be right: classes, superclasses first, every method, then what traits add."""
    for definition in definitions:
        if definition.kind == "Package":
            vm.packages.setdefault(definition.package, {}).update(definition.properties)
            vm.packages[definition.package]["comment"] = definition.comment
    kinds = [each for each in definitions if each.kind in ("Class", "Trait")]
    for definition in kinds:
        if definition.name not in vm.classes:
            new_behavior(vm, definition.name, is_trait=definition.kind == "Trait")
    for definition in kinds:
        link(vm, vm.classes[definition.name], vm.classes.get(definition.text("superclass")))
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
            slots=_variables(definition, "instVars"),
            class_slots=_variables(definition, "classInstVars"),
            class_variables=_variables(definition, "classVars"),
            pools=tuple(definition.names("pools")),
            kind=definition.text("type") or "normal",
            package=package,
            tag=tag,
            composition=parse_composition(definition.text("traits"), vm.classes.__getitem__),
            class_composition=parse_composition(definition.text("classTraits"), vm.classes.__getitem__),
            is_trait=definition.kind == "Trait",
        ),
    )
    behavior.comment = _with_internal_line_endings(definition.comment)


def _variables(definition: Definition, key: str) -> tuple[str, ...]:
    return tuple(slot_in(text)[0] for text in definition.names(key))


def _with_internal_line_endings(text: str) -> str:
    """As the image keeps what it loads: Pharo ends lines with a carriage return."""
    return text.replace("\n", "\r")


def _add_methods(vm: Machine, definition: Definition) -> None:
    """Define the methods of a definition."""
    package = definition.package
    for class_name, is_meta, selector, protocol, source in definition.methods:
        behavior = vm.classes[class_name]
        if is_meta:
            behavior = behavior.cls
        text = _with_internal_line_endings(source)
        behavior.methods[selector] = CompiledMethod(selector, text, behavior, protocol, package)


def initialize(vm: Machine, definitions: list[Definition]) -> None:
    """Send ``initialize`` to every class that defines it on its class side, superclasses first."""
    classes = [vm.classes[each.name] for each in definitions if each.kind == "Class"]
    for behavior in sorted(classes, key=lambda each: len(each.lineage())):
        if "initialize" in behavior.cls.methods:
            send_to_class(vm, behavior, "initialize")
