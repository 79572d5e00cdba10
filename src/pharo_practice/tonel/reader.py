"""Reads Tonel files: classes, traits, extensions and packages, methods as text.

Both the older form (symbols as names) and the present one (strings) are understood. Source: TonelParser.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from sys import intern
from typing import NamedTuple, TypeAlias

from pharo_practice.tonel.ston import StonError, StonReader, StonValue

Folder: TypeAlias = "str | os.PathLike[str]"

PACKAGE_FILE = "package.st"
DEFINITION_FILES = (".class.st", ".trait.st", ".extension.st")
TYPE = re.compile(r'\s*(?:"([^"]*(?:""[^"]*)*)"\s*)?(Class|Trait|Extension|Package)\b')
METHOD = re.compile(r"\s*(?P<class>\w+)(?P<meta>\s+(?:class|classSide|classTrait))?\s*>>\s*")
PIECE = re.compile(r"""[^\[\]'"$#]+|\$.|'[^']*'|"[^"]*"|\[|\]|\#\(|\#""", re.DOTALL)
PIECE_OF_ARRAY = re.compile(r"""[^()'"$]+|\$.|'[^']*'|"[^"]*"|\(|\)""", re.DOTALL)
COMMENT, KEYWORD = re.compile(r'"[^"]*"'), re.compile(r"\w+:")
PATTERN = re.compile(
    r"(?P<unary>[^\W\d]\w*)|(?P<binary>[^\w\s:'\"#$;.()\[\]{}]+)\s*\w+|(?P<keywords>(?:[^\W\d]\w*:\s*\w+\s*)+)"
)


class TonelError(Exception):
    """Files that are not Tonel; each of the ``faults`` names a file and a line."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class MethodSource(NamedTuple):
    """A method as it stands in a file."""

    class_name: str
    is_meta: bool
    selector: str
    protocol: str
    source: str


class Definition:
    """One file: a class, trait, extension or package."""

    def __init__(
        self,
        kind: str,
        comment: str,
        path: str,
        properties: dict[str, StonValue],
        lines: dict[str, int],
        others: dict[str, int],
        methods: list[MethodSource],
    ) -> None:
        self.kind, self.comment, self.path, self.properties = kind, comment, path, properties
        self.package = os.path.basename(os.path.dirname(path))
        """The name of its package: that of the folder."""
        self.lines = lines
        """The line of each property."""
        self.others = others
        """The classes besides its own that the file has methods of, and the line of the first of each."""
        self.methods = methods

    @property
    def name(self) -> str:
        """The name of the class or trait that the file defines or extends."""
        return self.text("name")

    def names(self, key: str) -> list[str]:
        """A property that lists names."""
        found = self.properties.get(key)
        return [str(each) for each in found] if isinstance(found, list) else []

    def text(self, key: str) -> str:
        """A property that is a text, '' if it is not there."""
        found = self.properties.get(key)
        return found if isinstance(found, str) else ""

    def location(self, key: str = "") -> str:
        """The file and the line of a property."""
        return f"{self.path}:{self.lines.get(key, 1)}"


# folders


def files_in(folder: Folder) -> list[str]:
    """The files of a package, or of every package in a folder of Tonel packages, by package and file name."""
    return [
        file
        for each in (os.fspath(folder), *folders_in(folder))
        if os.path.isfile(os.path.join(each, PACKAGE_FILE))
        for file in _files_of(each)
    ]


def folders_without_package_file(folder: Folder) -> list[str]:
    """The folders there with files of classes and without the file that makes a package of them."""
    return [
        each
        for each in (os.fspath(folder), *folders_in(folder))
        if not os.path.exists(os.path.join(each, PACKAGE_FILE))
        and any(file.endswith(DEFINITION_FILES) for file in _files_of(each))
    ]


def folders_in(folder: Folder) -> list[str]:
    """The folders in a folder, but for hidden ones."""
    found = [os.path.join(folder, name) for name in _names(os.fspath(folder)) if not name.startswith(".")]
    return [each for each in found if os.path.isdir(each)]


def _files_of(package: str) -> list[str]:
    """The files of a package; as Pharo, without hidden ones, which other programs leave there."""
    names = [name for name in _names(package) if name.endswith(".st") and not name.startswith(".")]
    return [os.path.join(package, name) for name in names]


def _names(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


def read_files(files: Iterable[str]) -> list[Definition]:
    """The definitions in files of packages.

    Raises:
        TonelError: If some are not Tonel; all of them are named.
    """
    found: list[Definition] = []
    faults: list[str] = []
    for path in files:
        try:
            found.append(_of_its_package(read_file(path)))
        except TonelError as error:
            faults += error.faults
    if faults:
        raise TonelError(*faults)
    return found


def _of_its_package(definition: Definition) -> Definition:
    """The definition, which must be one that a file of this name may have."""
    name = os.path.basename(definition.path)
    if (name == PACKAGE_FILE) is not (definition.kind == "Package"):
        expected = "Package" if name == PACKAGE_FILE else "Class, Trait or Extension"
        raise TonelError(f"{definition.path}:1: {expected} expected, not {definition.kind}")
    return definition


# files


def read_file(path: str | os.PathLike[str]) -> Definition:
    """The definition in one file.

    Raises:
        TonelError: If it is not Tonel, or cannot be read.
    """
    where = os.fspath(path)
    try:
        with open(path, "rb") as file:
            data = file.read()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise TonelError(f"{where}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise TonelError(f"{where}:{line}: not UTF-8 (byte 16r{data[error.start]:02X})") from None
    return read_text(text.replace("\r\n", "\n").replace("\r", "\n"), where)


def read_text(text: str, where: str) -> Definition:
    """The definition in a text; ``where`` names it in errors.

    Raises:
        TonelError: If it is not Tonel.
    """
    return _FileReader(text, where).definition()


class _FileReader:
    """Reads one file from its beginning to its end."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where
        self.line, self.counted = 1, 0
        """The line of an index, from which the next one is counted."""

    def definition(self) -> Definition:
        """The head of the file, and its methods."""
        head = TYPE.match(self.text)
        if head is None:
            raise self.fault("Class, Trait, Extension or Package expected", self.first_mark(0))
        reader = StonReader(self.text, head.end())
        properties, lines = self.map(reader)
        comment = (head[1] or "").replace('""', '"').strip("\n")
        definition = Definition(head[2], comment, self.where, properties, lines, {}, [])
        position = reader.position
        while (position := self.first_mark(position)) < len(self.text):
            line = self.line_of(position)
            method, position = self.method(position)
            definition.methods.append(method)
            if method.class_name != definition.name:
                definition.others.setdefault(method.class_name, line)
        return definition

    def map(self, reader: StonReader) -> tuple[dict[str, StonValue], dict[str, int]]:
        """The next map of properties, and their lines."""
        try:
            values, positions = reader.map()
        except StonError as error:
            raise self.fault(str(error), error.position) from None
        return values, {key: self.line_of(position) for key, position in positions.items()}

    def method(self, start: int) -> tuple[MethodSource, int]:
        """The method at an index, and the index behind it."""
        protocol: StonValue = ""
        if self.text.startswith("{", start):
            reader = StonReader(self.text, start)
            protocol = self.map(reader)[0].get("category", "")
            start = self.first_mark(reader.position)
        head = METHOD.match(self.text, start)
        if head is None:
            raise self.fault("a method expected", start)
        opening = self.text.find("[", head.end())
        pattern = self.text[head.end() : opening].strip()
        selector = selector_of(pattern)
        if opening < 0 or not selector:
            raise self.fault("a method with its pattern and [ expected", start)
        end = self.closing(opening)
        method = MethodSource(
            head["class"],
            head["meta"] is not None,
            intern(selector),  # thousands of methods share some hundred
            intern(str(protocol)),
            pattern + self.text[opening + 1 : end].rstrip(),
        )
        return method, end + 1

    def closing(self, opening: int) -> int:
        """The index of the bracket that closes the one at ``opening``."""
        depth, position = 0, opening
        while (piece := PIECE.match(self.text, position)) is not None:
            mark, position = piece[0], piece.end()
            if mark == "[":
                depth += 1
            elif mark == "]":
                depth -= 1
                if depth == 0:
                    return piece.start()
            elif mark == "#(":
                position = self.end_of_array(position)
        raise self.fault("the method's closing bracket is missing", opening)

    def end_of_array(self, position: int) -> int:
        """The index behind a literal array, in which brackets are symbols."""
        depth = 1
        while depth and (piece := PIECE_OF_ARRAY.match(self.text, position)) is not None:
            depth += {"(": 1, ")": -1}.get(piece[0], 0)
            position = piece.end()
        return position

    # locations

    def first_mark(self, position: int) -> int:
        """The index of the next character that is not blank, or the end of the text."""
        while position < len(self.text) and self.text[position].isspace():
            position += 1
        return position

    def line_of(self, position: int) -> int:
        """The line of an index; those asked for in ascending order are counted once."""
        if position < self.counted:
            self.line, self.counted = 1, 0
        self.line += self.text.count("\n", self.counted, position)
        self.counted = position
        return self.line

    def fault(self, text: str, position: int) -> TonelError:
        """An error with its location."""
        return TonelError(f"{self.where}:{self.line_of(position)}: {text}")


def selector_of(pattern: str) -> str:
    """The selector in a method's first line; '' if it is no pattern."""
    found = PATTERN.fullmatch(COMMENT.sub(" ", pattern).strip())
    if found is None:
        return ""
    return "".join(KEYWORD.findall(found[0])) or found["unary"] or found["binary"]
