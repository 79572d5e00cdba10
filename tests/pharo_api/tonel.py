"""What a Tonel file holds: a header, methods, and what is wrong with its syntax."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pharo_api.classes import ClassInfo
from pharo_api.problems import Problem
from pharo_api.ston import Ston
from pharo_api.syntax_tree import Method

LINE_END = re.compile(r"\r\n|\r|\n")
WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Header:
    """The definition that a file begins with; one that cannot be read has no name, or not even a kind."""

    kind: str = ""
    """Class, Trait, Extension or Package."""
    comment: str = ""
    """With its quotes."""
    values: Mapping[str, Ston] = field(default_factory=dict)
    position: int = 0

    def text(self, key: str) -> str:
        """A value; empty where there is none."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def names(self, key: str) -> set[str]:
        """The names in a list; of a slot's definition, its name."""
        words = (WORD.search(each) for each in texts(self.values.get(key)))
        return {word[0] for word in words if word}

    @property
    def package(self) -> str:
        """The package that it names."""
        return self.text("package") or self.text("category")

    def class_info(self) -> ClassInfo:
        """The class or trait without its methods."""
        return ClassInfo(
            self.text("name"),
            self.text("superclass") or ("nil" if self.kind == "Class" else ""),
            "trait" if self.kind == "Trait" else "class",
            self.package,
            traits=self.text("traits"),
            class_traits=self.text("classTraits"),
            instance_variables=self.names("instVars"),
            class_variables=self.names("classVars"),
            class_instance_variables=self.names("classInstVars"),
            pools=self.names("pools"),
        )


@dataclass(frozen=True)
class TonelFile:
    """One file, read."""

    path: Path
    text: str
    header: Header
    methods: tuple[Method, ...]
    problems: tuple[Problem, ...]

    @property
    def kind(self) -> str:
        """What the header defines."""
        return self.header.kind

    @property
    def name(self) -> str:
        """Of the class, trait or package."""
        return self.header.text("name")

    @property
    def folder(self) -> str:
        """The name of the folder, which should be the package's."""
        return self.path.parent.name

    @property
    def is_class_or_trait(self) -> bool:
        """Whether it defines a class or a trait."""
        return self.kind in {"Class", "Trait"}

    @property
    def has_methods(self) -> bool:
        """Whether it is of a kind that has methods, and its header could be read."""
        return bool(self.name) and self.kind != "Package"

    def line_and_column(self, position: int) -> tuple[int, int]:
        """A position as people count."""
        line = bisect_right(self._lines, position)
        return line, position - self._lines[line - 1] + 1

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(match.end() for match in LINE_END.finditer(self.text))]


def texts(value: Ston) -> Iterator[str]:
    """The texts of a list, or the only one."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str):
            yield each
