"""Packages in the FileTree format, in which some of Pharo's libraries are kept: a file per method."""

import json
from pathlib import Path
from typing import TypedDict, cast

from pharo_api.classes import ClassInfo, Side
from pharo_api.parser import Parser


class Properties(TypedDict):
    """What the file of a definition says."""

    name: str
    super: str
    instvars: list[str]
    classvars: list[str]
    classinstvars: list[str]
    pools: list[str]


def read_filetree(package: Path, origin: str) -> dict[str, ClassInfo]:
    """The classes of a package, and the selectors with which it extends others."""
    classes: dict[str, ClassInfo] = {}
    for file in sorted(package.rglob("properties.json")):
        if file.parent.suffix in {".class", ".trait"}:
            info = definition(file, package.stem, origin)
            classes[info.name] = info
    for side in Side:
        for file in sorted(package.rglob(f"{side}/*.st")):
            name = file.parents[1].name.split(".")[0]
            info = classes.setdefault(name, ClassInfo(name))
            info.selectors[side].add(selector_in(file))
    return classes


def definition(file: Path, package: str, origin: str) -> ClassInfo:
    """The class or trait without its methods."""
    properties = cast(Properties, json.loads(file.read_text("utf-8")))
    return ClassInfo(
        properties["name"],
        properties.get("super", ""),
        file.parent.suffix[1:],
        package,
        origin,
        instance_variables=set(properties["instvars"]),
        class_variables=set(properties["classvars"]),
        class_instance_variables=set(properties["classinstvars"]),
        pools=set(properties["pools"]),
    )


def selector_in(file: Path) -> str:
    """The selector of the method in a file, whose first line is its protocol."""
    _, _, source = file.read_text("utf-8").partition("\n")
    return Parser(source).pattern().selector
