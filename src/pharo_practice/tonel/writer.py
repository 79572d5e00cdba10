"""Writes packages as Tonel files, as Pharo 13 writes them: methods by side and selector, names quoted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from pharo_practice.model.behavior import Behavior, CompiledMethod
from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.model.reshaping import trait_slots
from pharo_practice.reading.nodes import MethodNode
from pharo_practice.reading.parser import parse_source


def export(vm: ObjectMemory, package: str, folder: Path) -> list[Path]:
    """Write a package into a folder of its own in ``folder``; returns the files.

    Raises:
        LookupError: If there is no such package.
    """
    files = dict(package_files(vm, package))
    if package not in vm.packages and not files:
        raise LookupError(f"there is no package {package}")
    files["package.st"] = f"Package {{ #name : {quoted(package)} }}\n"
    comment = vm.packages.get(package, {}).get("comment")
    if comment:
        files["package.st"] = _comment(comment) + files["package.st"]
    target = folder / package
    target.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (target / name).write_text(text, encoding="utf-8", newline="\n")
    return [target / name for name in files]


def package_files(vm: ObjectMemory, package: str) -> Iterator[tuple[str, str]]:
    """The name and the text of each file but ``package.st``."""
    for behavior in vm.classes.values():
        sides = (behavior.cls, behavior)
        methods = [
            method
            for side in sides
            for _, method in sorted(side.methods.items())
            if method.package == package and method.origin is side
        ]
        if behavior.package == package:
            kind = "trait" if behavior.is_trait else "class"
            yield f"{behavior.name}.{kind}.st", _definition(behavior) + _methods(behavior, methods)
        elif methods:
            head = f"Extension {{ #name : {quoted(behavior.name)} }}\n"
            yield f"{behavior.name}.extension.st", head + _methods(behavior, methods)


def _definition(behavior: Behavior) -> str:
    inherited = trait_slots(behavior), trait_slots(behavior.cls)
    slots = [name for name in behavior.slots if name not in inherited[0]]
    class_slots = [name for name in behavior.cls.slots if name not in inherited[1]]
    superclass = behavior.superclass.name if behavior.superclass is not None else "nil"
    category = f"{behavior.package}-{behavior.tag}" if behavior.tag else behavior.package
    properties = {
        "name": quoted(behavior.name),
        "superclass": "" if behavior.is_trait else quoted(superclass),
        "type": "" if behavior.kind == "normal" else quoted(behavior.kind),
        "traits": quoted(str(behavior.composition)) if behavior.composition is not None else "",
        "classTraits": quoted(str(behavior.cls.composition)) if behavior.cls.composition is not None else "",
        "instVars": _names(slots),
        "classVars": _names(behavior.class_variables),
        "pools": _names(behavior.pools),
        "classInstVars": _names(class_slots),
        "category": quoted(category),
        "package": quoted(behavior.package),
        "tag": quoted(behavior.tag) if behavior.tag else "",
    }
    lines = ",\n".join(f"\t#{key} : {value}" for key, value in properties.items() if value)
    kind = "Trait" if behavior.is_trait else "Class"
    return _comment(behavior.comment) + f"{kind} {{\n{lines}\n}}\n"


def _comment(text: str) -> str:
    doubled = text.replace("\r\n", "\n").replace("\r", "\n").replace('"', '""')
    return f'"\n{doubled}\n"\n' if text else ""


def _names(names: Iterable[str]) -> str:
    lines = ",\n".join(f"\t\t{quoted(name)}" for name in names)
    return f"[\n{lines}\n\t]" if lines else ""


def quoted(text: str) -> str:
    """A string as Smalltalk writes it."""
    return "'" + text.replace("'", "''") + "'"


def _methods(behavior: Behavior, methods: list[CompiledMethod]) -> str:
    return "".join(_method(behavior, method) for method in methods)


def _method(behavior: Behavior, method: CompiledMethod) -> str:
    pattern, body = split_source(method)
    side = behavior.name if method.method_class is behavior else f"{behavior.name} class"
    category = quoted(method.protocol or "as yet unclassified")
    return f"\n{{ #category : {category} }}\n{side} >> {pattern} [{body}\n]\n"


def split_source(method: CompiledMethod) -> tuple[str, str]:
    """The pattern on one line, and the rest, which begins on a line of its own."""
    source = method.source.replace("\r\n", "\n").replace("\r", "\n")
    node = parse_source(source, is_doit=False)[0]
    end = _pattern_end(source, node, method.selector)
    pattern, body = " ".join(source[:end].split()), source[end:].rstrip()
    return pattern, body if body.startswith("\n") or not body else "\n\t" + body.lstrip(" \t")


def _pattern_end(source: str, node: MethodNode | None, selector: str) -> int:
    """The end of a method's pattern; that of an invalid method is its first line."""
    if node is None:
        return source.index("\n") if "\n" in source else len(source)
    if node.arguments:
        return node.arguments[-1].stop
    return source.index(selector) + len(selector)
