"""Read a client's file, change one server in its text, and write it atomically."""

import filecmp
import os
import shutil
import tempfile
from collections.abc import Sequence
from difflib import unified_diff
from typing import Any, NamedTuple

from .json_text import JsonText
from .toml_text import TomlText

BACKUP = "{}.before-pharo-mcp"
"""The copy of a file as it was before the first change; the names of later copies end in -2, -3 and so on."""


class Syntax(NamedTuple):
    """The syntax of a file."""

    name: str
    comments: bool = False

    def document(self, text: str) -> JsonText | TomlText:
        """A text of this syntax, to be read and edited."""
        return TomlText(text) if self.name == "TOML" else JsonText(text, comments=self.comments)


JSON = Syntax("JSON")
JSON_WITH_COMMENTS = Syntax("JSON", comments=True)
TOML = Syntax("TOML")


class UnusableFile(ValueError):
    """A file that cannot be changed; the message says why."""


class ClientFile(NamedTuple):
    """A path and the text of the file; `text` is '' if the file does not exist."""

    path: str
    text: str
    syntax: Syntax = JSON

    @classmethod
    def read(cls, path: str, syntax: Syntax = JSON) -> "ClientFile":
        """Read the file at a path.

        Raises:
            UnusableFile: If it cannot be read, or does not contain an object.
        """
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                client_file = cls(path, file.read(), syntax)
        except FileNotFoundError:
            return cls(path, "", syntax)
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableFile(f"{path} cannot be read: {error}") from error
        client_file.content()
        return client_file

    def content(self) -> dict[str, Any]:
        """The object in the file."""
        try:
            content = self.syntax.document(self.text).content()
        except (ValueError, RecursionError) as error:
            raise UnusableFile(f"{self.path} is not valid {self.syntax.name}: {error}") from error
        if not isinstance(content, dict):
            raise UnusableFile(f"{self.path} does not contain an object")
        return content

    def servers(self, key: str) -> dict[str, object]:
        """The servers listed under a key."""
        servers = self.content().get(key, {})
        if not isinstance(servers, dict):
            raise UnusableFile(f"in {self.path}, {key} is not an object")
        return servers

    def with_value(self, path: Sequence[str], value: object) -> "ClientFile":
        """The file with a value at a path of names. All other text stays."""
        try:
            edited = self._replace(text=self.syntax.document(self.text).with_value(path, value))
            self._check(edited, path, value)
        except (LookupError, UnusableFile) as error:
            raise self._unusual(path) from error
        return edited

    def without(self, path: Sequence[str]) -> "ClientFile":
        """The file without the value at a path. All other text stays."""
        try:
            edited = self._replace(text=self.syntax.document(self.text).without(path))
            self._check(edited, path)
        except (LookupError, UnusableFile) as error:
            raise self._unusual(path) from error
        return edited

    def _check(self, edited: "ClientFile", path: Sequence[str], *value: object) -> None:
        """Raise UnusableFile unless an edited file has this value, or none, there, and is else the same."""
        expected = self.content()
        *parents, name = path
        parent = expected
        for each in parents:
            parent = parent.setdefault(each, {})
        parent.pop(name, None)
        parent.update((name, each) for each in value)
        actual = edited.content()
        for each in parents[:1]:  # an empty table may have gone with its last server
            actual.setdefault(each, {})
        if actual != expected:
            raise UnusableFile(f"{self.path} would change elsewhere")

    def _unusual(self, path: Sequence[str]) -> UnusableFile:
        return UnusableFile(f"in {self.path}, {'.'.join(path)} is written in a form that setup cannot change")

    def changes_to(self, other: "ClientFile") -> str:
        """A unified diff from this file to another."""
        lines = unified_diff(self.text.splitlines(), other.text.splitlines(), "before", "after", lineterm="")
        return "\n".join(lines)

    def write(self) -> str | None:
        """Write the file, and return the path of a copy of the previous file, if there was one.

        Raises:
            OSError: If it cannot be written; the file is then unchanged.
        """
        path = os.path.realpath(self.path)  # write through a symbolic link, to keep the link
        backup = _copy(path) if os.path.exists(path) else None
        descriptor, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".pharo-mcp-")
        try:
            with open(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(self.text)
            if backup:
                shutil.copymode(path, temporary)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        return backup


def _copy(path: str) -> str:
    """Copy a file beside itself, unless there is a copy like it; return the path of the copy."""
    copy, number = BACKUP.format(path), 1
    while os.path.exists(copy) and not filecmp.cmp(path, copy, shallow=False):
        number += 1
        copy = f"{BACKUP.format(path)}-{number}"
    return copy if os.path.exists(copy) else shutil.copy2(path, copy)
