"""TOML as text: set or remove one table, and keep all other text.

The tables of clients are simple; whatever is written in another form is found by reading the result.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
HEADER = re.compile(r"^[ \t]*\[.*$", re.MULTILINE)
ASSIGNMENT = re.compile(r"^[ \t]*([A-Za-z0-9_-]+|\"[^\"\r\n]*\"|'[^'\r\n]*')[ \t]*=[ \t]*", re.MULTILINE)
END = re.compile(r"[ \t]*(?:#[^\r\n]*)?(?:\r?\n|\Z)")


class Table(NamedTuple):
    """A table: the names in its header, and where it, its values and the next begin."""

    path: tuple[str, ...]
    start: int
    body: int
    end: int


class TomlText:
    """The text of a file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.newline = "\r\n" if "\r\n" in text else "\n"

    def content(self) -> dict[str, Any]:
        """The value in the text.

        Raises:
            ValueError: If it is not TOML.
        """
        return tomllib.loads(self.text)

    def with_value(self, path: Sequence[str], value: object) -> str:
        """The text with a table at a path, or with the value of a key in a table.

        Raises:
            LookupError: If the table of the key is written in another form.
        """
        if isinstance(value, Mapping):
            before = self.text if self.text.endswith("\n") or not self.text else self.text + self.newline
            lines = [*([""] if before else []), *table(path, value).splitlines(), ""]
            return before + self.newline.join(lines)
        *parents, key = path
        found = {one.path: one for one in self._tables()}[tuple(parents)]
        for name, start, end in self._values(found):
            if name == key:
                return self.text[:start] + _value(value) + self.text[end:]
        line = f"{_key(key)} = {_value(value)}{self.newline}"
        return self.text[: found.body] + line + self.text[found.body :]

    def without(self, path: Sequence[str]) -> str:
        """The text without the table at a path and the tables in it."""
        text = self.text
        for found in reversed(list(self._tables())):
            if found.path[: len(path)] == tuple(path):
                rest = text[self._next(found) :]
                text = text[: found.start] + rest if rest else self._ended(text[: found.start])
        return text

    def _ended(self, text: str) -> str:
        return text.rstrip() + self.newline if text.strip() else ""

    def _tables(self) -> Iterator[Table]:
        headers = [(path, found) for found in HEADER.finditer(self.text) if (path := _path(found[0]))]
        starts = [found.start() for _, found in headers[1:]] + [len(self.text)]
        for (path, found), end in zip(headers, starts, strict=False):
            yield Table(path, found.start(), min(found.end() + 1, len(self.text)), end)

    def _values(self, found: Table) -> Iterator[tuple[str, int, int]]:
        """The values in a table: key, start and end. A value may take several lines."""
        at = found.body
        while assignment := ASSIGNMENT.search(self.text, at, found.end):
            [key] = tomllib.loads(f"{assignment[1]} = 0")
            at = start = assignment.end()
            for candidate in range(start + 1, found.end + 1):
                if END.match(self.text, candidate) and _is_value(self.text[start:candidate]):
                    yield key, start, candidate
                    at = candidate
                    break

    def _next(self, found: Table) -> int:
        """Where a table ends: comments and empty lines before the next header belong to that."""
        lines = self.text[found.body : found.end].splitlines(keepends=True)
        while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
            lines.pop()
        rest = self.text[found.body + len("".join(lines)) : found.end]
        return found.end - len(rest.lstrip())


def table(path: Sequence[str], members: Mapping[str, object]) -> str:
    """A table whose values are texts and lists of texts."""
    lines = [f"{_key(name)} = {_value(value)}" for name, value in members.items()]
    return "\n".join([f"[{'.'.join(map(_key, path))}]", *lines])


def _key(name: str) -> str:
    return name if BARE_KEY.fullmatch(name) else _value(name)


def _value(value: object) -> str:
    """A text or a list of texts. JSON writes them as TOML does, but for one character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _path(header: str) -> tuple[str, ...]:
    """The names in the header of a table; none for another line."""
    try:
        content: Any = tomllib.loads(header.strip())
    except tomllib.TOMLDecodeError:
        return ()
    names = []
    while isinstance(content, dict) and content:
        [(name, content)] = content.items()
        names.append(name)
    return tuple(names)


def _is_value(text: str) -> bool:
    try:
        tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return False
    return True
