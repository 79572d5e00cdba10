"""Reads Tonel files."""

import re
from dataclasses import replace
from pathlib import Path

from pharo_api.classes import Side
from pharo_api.parser import Parser
from pharo_api.problems import Problem, error
from pharo_api.ston import Ston, StonReader
from pharo_api.syntax_tree import Method
from pharo_api.tokens import SmalltalkSyntaxError, skip_blanks
from pharo_api.tonel import Header, TonelFile

SUFFIXES = (".class.st", ".trait.st", ".extension.st")
HEADER = re.compile(
    r'[\s\ufeff]*(?P<comment>"(?:[^"]|"")*")?\s*(?P<kind>Class|Trait|Extension|Package)\s*(?=\{)'
)
OWNER = re.compile(r"\s*([^\W\d]\w*)( class| classSide| classTrait| trait)?\s*>>")
NEXT_METHOD = re.compile(r"^\{\s*#\w+ ?:", re.MULTILINE)
NOT_BLANK = re.compile(r"\S")


def tonel_files(*folders: Path) -> list[TonelFile]:
    """The Tonel files in some folders, read."""
    return [read_tonel(path) for folder in folders for path in tonel_paths(folder)]


def tonel_paths(folder: Path) -> list[Path]:
    """The Tonel files in a folder and those below it, hidden ones left out, in a stable order."""
    found = (
        path
        for path in folder.rglob("*.st")
        if path.name == "package.st" or path.name.endswith(SUFFIXES)
        if not any(part.startswith(".") for part in path.relative_to(folder).parts)
    )
    return sorted(found, key=lambda path: (path.parent.parts, path.name))


def read_tonel(path: Path) -> TonelFile:
    """Read a file; what is wrong with its syntax is among its problems."""
    text = path.read_bytes().decode("utf-8", errors="replace")
    match = HEADER.match(text)
    if match is None:
        mistake = error(0, "no Tonel header (Class, Trait, Extension or Package)")
        return TonelFile(path, text, Header(), (), (mistake,))
    header = Header(match["kind"], match["comment"] or "", {}, match.start("kind"))
    try:
        header, end = with_values(header, text, match.end())
    except SmalltalkSyntaxError as mistake:
        return TonelFile(path, text, header, (), (error(mistake.position, str(mistake)),))
    if header.kind == "Package":
        return TonelFile(path, text, header, (), ())
    reader = MethodReader(text, end)
    reader.read_all()
    return TonelFile(path, text, header, tuple(reader.methods), tuple(reader.problems))


def with_values(header: Header, text: str, position: int) -> tuple[Header, int]:
    """A header with the definition that begins at a position, and where that ends."""
    reader = StonReader(text, position)
    complete = replace(header, values=reader.map())
    if not complete.text("name"):
        raise SmalltalkSyntaxError("the header has no #name", header.position)
    return complete, reader.position


class MethodReader:
    """Collects the methods after a header, and the syntax errors in them."""

    def __init__(self, text: str, position: int) -> None:
        self.text, self.position = text, position
        self.methods: list[Method] = []
        self.problems: list[Problem] = []

    def read_all(self) -> None:
        """Read to the end; after a syntax error, from the next method on."""
        while begun := NOT_BLANK.search(self.text, self.position):
            start = begun.start()
            try:
                self.position = self._read(start)
            except SmalltalkSyntaxError as mistake:
                self.problems.append(error(mistake.position, f"syntax: {mistake}"))
                following = self._next_method(start, mistake.position)
                if following is None:
                    return
                self.position = following.start()

    def _next_method(self, start: int, mistake: int) -> re.Match[str] | None:
        """After the mistake, or in what was taken to be part of the method that begins at the start."""
        after = start + 1
        return NEXT_METHOD.search(self.text, max(after, mistake)) or NEXT_METHOD.search(self.text, after)

    def _read(self, start: int) -> int:
        protocol, start = self._read_protocol(start)
        owner = OWNER.match(self.text, start)
        if owner is None:
            raise SmalltalkSyntaxError("expected `Class >> selector [`", skip_blanks(self.text, start))
        parser = Parser(self.text, owner.end())
        pattern = parser.pattern()
        if not parser.is_bracket("["):
            raise parser.mistake("expected [ after the method's pattern")
        parser.advance()
        side = Side.CLASS if owner[2] else Side.INSTANCE
        self.methods.append(Method(owner[1], side, protocol, pattern, parser.body()))
        if not parser.is_bracket("]"):
            raise parser.expected("the method to end with ]")
        return parser.end

    def _read_protocol(self, start: int) -> tuple[str, int]:
        if self.text[start] != "{":
            return "", start
        reader = StonReader(self.text, start)
        protocol: Ston = reader.map().get("category")
        return protocol if isinstance(protocol, str) else "", reader.position
