"""The names that a version of Pharo has, and those of a project that is loaded into it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cache, cached_property
from pathlib import Path
from typing import NamedTuple

from pharo_api.classes import ClassInfo, from_row
from pharo_api.hierarchy import NO_CLASS, Hierarchy
from pharo_api.later_version import NEWEST, later_classes
from pharo_api.problems import Problem, warning
from pharo_api.tonel import TonelFile

DATA = Path(__file__).with_name("data")
INDEXED = tuple(sorted(path.name[len("pharo") : -len(".tsv.gz")] for path in DATA.glob("pharo*.tsv.gz")))
"""The versions that have a data file."""
VERSIONS = (*INDEXED, NEWEST)
TEST_PACKAGE = re.compile("Test|Mock|Example")


class Collision(NamedTuple):
    """What a project defines although Pharo has it."""

    file: TonelFile
    problem: Problem


class PharoVersion(Hierarchy):
    """The classes of one version, with a project's own over them."""

    def __init__(self, number: str, classes: Mapping[str, ClassInfo], own: Set[str] = frozenset()) -> None:
        super().__init__(classes)
        self.number, self.own = number, own

    @cached_property
    def selectors(self) -> Set[str]:
        """All that are implemented anywhere."""
        return selectors_of(self.classes.values())

    @cached_property
    def deprecated(self) -> Set[str]:
        """Those that are deprecated by all who implement them."""
        infos = self.classes.values()
        return self.selectors - set().union(
            *(info.selectors[side] - info.deprecated[side] for info in infos for side in info.selectors)
        )

    @cached_property
    def only_in_tests(self) -> Set[str]:
        """Those that only classes of tests and examples implement."""
        infos = self.classes.values()
        others = (info for info in infos if info.name in self.own or not TEST_PACKAGE.search(info.package))
        return self.selectors - selectors_of(others)

    def knows(self, name: str) -> bool:
        """Whether the definition of a class or trait is known."""
        return name in self.classes and self.classes[name].is_known

    def with_project(self, files: Iterable[TonelFile]) -> PharoVersion:
        """This version with the classes and extensions of some files loaded."""
        classes = dict(self.classes)
        found = collect(files)
        for name, info in found.items():
            classes[name] = loaded(info, classes.get(name))
        own = {name for name, info in found.items() if info.is_known}
        return PharoVersion(self.number, classes, self.own | own)

    def collisions(self, files: Iterable[TonelFile]) -> Iterator[Collision]:
        """What some files define although this version has it."""
        packages = {info.package for info in self.classes.values()}
        for file in files:
            yield from (Collision(file, problem) for problem in self._collisions(file, packages))

    def _collisions(self, file: TonelFile, packages: Set[str]) -> Iterator[Problem]:
        if file.is_class_or_trait and self.knows(file.name):
            package = self.classes[file.name].package
            if package != file.folder:
                yield warning(file.header.position, f"{file.name} also exists in Pharo, in package {package}")
        if file.kind == "Extension" and file.folder not in packages:
            for method in file.methods:
                old = self.classes.get(method.owner, NO_CLASS)
                if method.selector in old.selectors[method.side]:
                    yield warning(method.position, f"{method.label} replaces a method that exists already")


def loaded(info: ClassInfo, old: ClassInfo | None) -> ClassInfo:
    """What a class of a project becomes where there is one of that name already."""
    if old is None:
        return info
    if info.is_known:  # what other packages add to it stays
        info.add(old)
        return info
    result = old.copy()
    result.add(info)
    for side, selectors in info.selectors.items():
        result.deprecated[side] -= selectors
    return result


@cache
def pharo_version(number: str) -> PharoVersion:
    """The version of this number, from its data file, or from the version before and the migration rules."""
    if number not in INDEXED:
        return PharoVersion(number, later_classes(number, pharo_version(INDEXED[-1]).classes))
    with gzip.open(data_file(number), "rt", encoding="utf-8") as stream:
        _, *rows = stream.read().splitlines()
    infos = (from_row(row) for row in rows)
    return PharoVersion(number, {info.name: info for info in infos})


def data_file(number: str) -> Path:
    """Where the names of a version are kept."""
    return DATA / f"pharo{number}.tsv.gz"


def selectors_of(infos: Iterable[ClassInfo]) -> set[str]:
    """The selectors that some classes implement, on either side."""
    return set().union(*(selectors for info in infos for selectors in info.selectors.values()))


def collect(files: Iterable[TonelFile], origin: str = "") -> dict[str, ClassInfo]:
    """The classes in some files, with their methods; of a class that is only extended, these methods."""
    classes: dict[str, ClassInfo] = {}
    readable = [file for file in files if file.has_methods]
    for file in readable:
        if file.kind != "Extension":
            info = file.header.class_info()
            info.package, info.origin = file.folder, origin
            classes[info.name] = info
    for file in readable:
        for method in file.methods:
            info = classes.setdefault(method.owner, ClassInfo(method.owner))
            info.selectors[method.side].add(method.selector)
            if method.is_deprecated:
                info.deprecated[method.side].add(method.selector)
    return classes
