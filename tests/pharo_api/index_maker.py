"""Makes a data file from Tonel and FileTree sources: names only, one row per class."""

import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from pharo_api.classes import COLUMNS, ClassInfo, Side, to_row
from pharo_api.filetree import read_filetree
from pharo_api.pharo_version import collect
from pharo_api.tonel_reader import tonel_files


class Source(NamedTuple):
    """A folder with sources, and where they come from; ``~`` at its end: another version than the image's."""

    origin: str
    folder: Path


def make_index(file: Path, heading: str, sources: Iterable[Source]) -> dict[str, ClassInfo]:
    """Write the names in some sources to a file; answers them. What comes first wins."""
    classes: dict[str, ClassInfo] = {}
    for source in sources:
        for package in package_folders(source.folder):
            for name, info in read_package(source.origin, package).items():
                classes[name] = merged(classes[name], info) if name in classes else info
    for info in classes.values():
        if "Test" in info.package:
            info.selectors[Side.INSTANCE] -= set(tests_in(info))
    write_index(file, heading, classes.values())
    return classes


def package_folders(folder: Path) -> list[Path]:
    """The folders of packages."""
    tonel = {path.parent for path in folder.rglob("package.st")}
    return sorted(tonel | {path for path in folder.rglob("*.package") if path.is_dir()})


def read_package(origin: str, folder: Path) -> dict[str, ClassInfo]:
    """The classes of a package."""
    if folder.suffix == ".package":
        return read_filetree(folder, origin)
    return collect(tonel_files(folder), origin)


def merged(first: ClassInfo, second: ClassInfo) -> ClassInfo:
    """One class of what two packages say of it; the first definition stays."""
    if not first.is_known:
        first, second = second, first
    first.add(second)
    for side in Side:
        first.deprecated[side] |= second.deprecated[side]
    return first


def tests_in(info: ClassInfo) -> Iterator[str]:
    """The selectors of tests, which nobody sends: they only cost space."""
    return (each for each in info.selectors[Side.INSTANCE] if each.startswith("test") and ":" not in each)


def write_index(file: Path, heading: str, classes: Iterable[ClassInfo]) -> None:
    """Write a data file; the same names give the same bytes."""
    ordered = sorted(classes, key=lambda info: (info.package, info.superclass, info.name))
    rows = [f"# {heading}; columns: {COLUMNS}", *(to_row(info) for info in ordered)]
    with file.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as packed:
        packed.write(("\n".join(rows) + "\n").encode())
