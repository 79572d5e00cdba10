"""Reads Tonel files: classes, traits, extensions and packages, methods as text.

Both the older form (symbols as names) and the present one (strings) are understood.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from sys import intern
from typing import NamedTuple, TypeAlias

from pharo_practice.model.stored_text import StoredText
from pharo_practice.reading.records import Record, field

TonelValue: TypeAlias = "str | int | bool | list[TonelValue] | dict[str, TonelValue] | None"

Folder: TypeAlias = "str | os.PathLike[str]"

TYPE = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*)?(Class|Trait|Extension|Package)\s*')
METHOD = re.compile(
    r"\s*(?:\{(?P<head>[^}]*)\}\s*)?(?P<class>[\w]+)(?P<meta> class| classSide| classTrait)?\s*>>\s*"
)
PIECE = re.compile(r"""[^\[\]'"$]+|\$.|'[^']*'|"[^"]*"|\[|\]""", re.DOTALL)
VALUE = re.compile(
    r"""\s*(?:(?P<string>'(?:[^']|'')*')|\#'(?P<quoted>(?:[^']|'')*)'|\#(?P<symbol>[\w:]+)|(?P<word>\w+)|(?P<mark>[\[\]{},:.]))"""
)
CATEGORY = re.compile(r"#category\s*:\s*(?:#'((?:[^']|'')*)'|'((?:[^']|'')*)'|#?([\w:]+))")
WORDS: dict[str, TonelValue] = {"true": True, "false": False, "nil": None}


class TonelError(Exception):
    """A file that is not Tonel; the text names it and the line."""


class MethodSource(NamedTuple):
    """A method as it stands in a file."""

    class_name: str
    is_meta: bool
    selector: str
    protocol: str
    stored_source: str | StoredText

    @property
    def source(self) -> str:
        """The source text."""
        return str(self.stored_source)

    @property
    def code(self) -> bytes:
        """The packed code that is kept with the source; empty if there is none."""
        return self.stored_source.code if isinstance(self.stored_source, StoredText) else b""


class Definition(Record):
    """One file: a class, trait, extension or package."""

    kind: str
    comment: str
    properties: dict[str, TonelValue]
    methods: list[MethodSource] = field(default_factory=list)
    package: str = ""

    def take_methods(self) -> Iterator[MethodSource]:
        """The methods, one after the other; they are forgotten, since their memory is for the next ones."""
        methods, self.methods = self.methods, []
        return iter(methods)

    @property
    def name(self) -> str:
        """The name of the class or trait that the file defines or extends."""
        return str(self.properties.get("name", ""))

    def names(self, key: str) -> list[str]:
        """A property that lists names."""
        found = self.properties.get(key)
        return [str(each) for each in found] if isinstance(found, list) else []

    def text(self, key: str) -> str:
        """A property that is a text, '' if it is not there."""
        found = self.properties.get(key)
        return found if isinstance(found, str) else ""


def read_folder(folder: Folder) -> list[Definition]:
    """Every definition of every package in a folder of Tonel packages, by package and file name."""
    return read_files(files_in(folder))


def read_package(folder: Folder) -> list[Definition]:
    """Every definition in one package's folder."""
    return read_files(_files_of(os.fspath(folder)))


def files_in(folder: Folder) -> list[str]:
    """The files of a package, or of every package in a folder of Tonel packages, by package and file name."""
    folder = os.fspath(folder)
    folders = (folder, *(os.path.join(folder, name) for name in _names(folder)))
    return [
        file
        for each in folders
        if os.path.isfile(os.path.join(each, "package.st"))
        for file in _files_of(each)
    ]


def _files_of(package: str) -> list[str]:
    return [os.path.join(package, name) for name in _names(package) if name.endswith(".st")]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def read_files(files: list[str]) -> list[Definition]:
    """The definitions in files of packages."""
    found = []
    for path in files:
        definition = read_file(path)
        definition.package = os.path.basename(os.path.dirname(path))
        found.append(definition)
    return found


def read_file(path: str | os.PathLike[str]) -> Definition:
    """The definition in one file.

    Raises:
        TonelError: If it is not Tonel.
    """
    with open(path, encoding="utf-8") as file:
        text = file.read().replace("\r\n", "\n").replace("\r", "\n")
    return read_text(text, os.fspath(path))


def read_text(text: str, where: str) -> Definition:
    """The definition in a text; ``where`` names it in errors."""
    head = TYPE.match(text)
    if head is None:
        raise TonelError(f"{where}: Class, Trait, Extension or Package expected on line 1")
    properties, position = _value(text, head.end(), where)
    if not isinstance(properties, dict):
        raise TonelError(f"{where}: a dictionary expected behind {head[2]}")
    definition = Definition(head[2], (head[1] or "").replace('""', '"').strip("\n"), properties)
    while position < len(text) and text[position:].strip():
        method, position = _method(text, position, where)
        definition.methods.append(method)
    return definition


def _method(text: str, start: int, where: str) -> tuple[MethodSource, int]:
    head = METHOD.match(text, start)
    if head is None:
        raise TonelError(f"{where}:{_line(text, start)}: a method expected")
    opening = text.find("[", head.end())
    pattern = text[head.end() : opening].strip()
    end = _closing(text, opening, where)
    body = text[opening + 1 : end].rstrip()
    category = CATEGORY.search(head["head"] or "")
    protocol = next((group for group in category.groups() if group is not None), "") if category else ""
    return (
        MethodSource(
            head["class"],
            head["meta"] is not None,
            intern(selector_of(pattern)),  # thousands of methods share some hundred
            intern(protocol.replace("''", "'")),
            pattern + body,
        ),
        end + 1,
    )


def _closing(text: str, opening: int, where: str) -> int:
    """The index of the bracket that closes the one at ``opening``."""
    depth, position = 0, opening
    match = PIECE.match
    while True:
        piece = match(text, position)
        if piece is None:
            raise TonelError(f"{where}:{_line(text, opening)}: the method's closing bracket is missing")
        mark = text[position]
        if mark == "[":
            depth += 1
        elif mark == "]":
            depth -= 1
            if depth == 0:
                return position
        position = piece.end()


def selector_of(pattern: str) -> str:
    """The selector in a method's first line."""
    words = re.sub(r'"[^"]*"', " ", pattern).split()
    if not words:
        return ""
    first = words[0]
    if first[0].isalpha() or first[0] == "_":
        keywords = re.findall(r"[^\W\d]\w*:", " ".join(words))
        return "".join(keywords) if ":" in first else first
    operator = re.match(r"[^\w\s]+", first)
    return operator[0] if operator else first


def _value(text: str, start: int, where: str) -> tuple[TonelValue, int]:
    """A value of Tonel's notation and where it ends."""
    match = VALUE.match(text, start)
    if match is None:
        raise TonelError(f"{where}:{_line(text, start)}: a value expected")
    position = match.end()
    if match["string"] is not None:
        return match["string"][1:-1].replace("''", "'"), position
    if match["quoted"] is not None or match["symbol"] is not None:
        return (match["quoted"] or match["symbol"]).replace("''", "'"), position
    if match["word"] is not None:
        word = match["word"]
        return (WORDS[word] if word in WORDS else int(word) if word.isdigit() else word), position
    if match["mark"] == "[":
        return _list(text, position, where)
    if match["mark"] == "{":
        return _dictionary(text, position, where)
    raise TonelError(f"{where}:{_line(text, start)}: unexpected {match['mark']}")


def _mark(text: str, position: int) -> tuple[str, int]:
    match = VALUE.match(text, position)
    if match is not None and match["mark"] is not None:
        return match["mark"], match.end()
    return "", position


def _list(text: str, position: int, where: str) -> tuple[list[TonelValue], int]:
    values: list[TonelValue] = []
    while True:
        mark, after = _mark(text, position)
        if mark == "]":
            return values, after
        if mark in (",", "."):
            position = after
            continue
        value, position = _value(text, position, where)
        values.append(value)


def _dictionary(text: str, position: int, where: str) -> tuple[dict[str, TonelValue], int]:
    values: dict[str, TonelValue] = {}
    while True:
        mark, after = _mark(text, position)
        if mark == "}":
            return values, after
        if mark in (",", "."):
            position = after
            continue
        key, position = _value(text, position, where)
        mark, after = _mark(text, position)
        if mark != ":":
            raise TonelError(f"{where}:{_line(text, position)}: ':' expected")
        values[str(key)], position = _value(text, after, where)


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
