"""A client's JSON file: read, changed as a value, and written as a whole or not at all."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from difflib import unified_diff
from typing import Any, NamedTuple

INDENT = "  "


class UnusableFile(ValueError):
    """A file that we leave alone; the sentence says why."""


class ClientFile(NamedTuple):
    """A file as it is, or should be: `text` is '' for one that is not there."""

    path: str
    text: str

    @classmethod
    def read(cls, path: str) -> "ClientFile":
        """The file at a path.

        Raises:
            UnusableFile: If it cannot be read, or holds anything but a JSON object.
        """
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                read = cls(path, file.read())
        except FileNotFoundError:
            return cls(path, "")
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableFile(f"{path} cannot be read: {error}") from error
        read.content()
        return read

    def content(self) -> dict[str, Any]:
        """What it says."""
        try:
            content = json.loads(self.text or "{}") if self.text.strip() else {}
        except (ValueError, RecursionError) as error:
            raise UnusableFile(f"{self.path} is not valid JSON: {error}") from error
        if not isinstance(content, dict):
            raise UnusableFile(f"{self.path} does not hold a JSON object")
        return content

    def servers(self, key: str) -> dict[str, object]:
        """The servers that it names under a key."""
        servers = self.content().get(key, {})
        if not isinstance(servers, dict):
            raise UnusableFile(f"in {self.path}, {key} is not a JSON object")
        return servers

    def with_server(self, key: str, name: str, entry: Mapping[str, object] | None) -> "ClientFile":
        """The file with a server of that name, or without it; all else stays, in its order."""
        servers = {**self.servers(key), name: entry}
        if entry is None:
            del servers[name]
        if servers == self.servers(key):
            return self
        text = json.dumps({**self.content(), key: servers}, indent=self._indent(), ensure_ascii=False)
        newline = "\r\n" if "\r\n" in self.text else "\n"
        return self._replace(text=text.replace("\n", newline) + newline)

    def changes_to(self, other: "ClientFile") -> str:
        """What is different in another, as people read changes."""
        lines = unified_diff(self.text.splitlines(), other.text.splitlines(), "before", "after", lineterm="")
        return "\n".join(lines)

    def write(self) -> str | None:
        """Put it where it belongs; the path of a copy of what was there before.

        Raises:
            OSError: If that may not be; the file is then as it was.
        """
        path = os.path.realpath(self.path)  # through a link, so that it stays one
        backup = _copy_of(path) if os.path.exists(path) else None
        descriptor, new = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".pharo-mcp-")
        try:
            with open(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(self.text)
            if backup:
                shutil.copymode(path, new)
            os.replace(new, path)
        except BaseException:
            os.unlink(new)
            raise
        return backup

    def _indent(self) -> str:
        found = re.search(r"^([ \t]+)\"", self.text, re.MULTILINE)
        return found[1] if found else INDENT


def _copy_of(path: str) -> str:
    """Copy a file beside itself, under a name that is free."""
    number = 1
    while os.path.exists(copy := f"{path}.{number}.bak"):
        number += 1
    return shutil.copy2(path, copy)
