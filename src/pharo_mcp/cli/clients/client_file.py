"""Read a client's JSON file, change it as a value, and write it atomically."""

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
    """A file that cannot be changed; the message says why."""


class ClientFile(NamedTuple):
    """A path and the text of the file; `text` is '' if the file does not exist."""

    path: str
    text: str

    @classmethod
    def read(cls, path: str) -> "ClientFile":
        """Read the file at a path.

        Raises:
            UnusableFile: If it cannot be read, or does not contain a JSON object.
        """
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                client_file = cls(path, file.read())
        except FileNotFoundError:
            return cls(path, "")
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableFile(f"{path} cannot be read: {error}") from error
        client_file.content()
        return client_file

    def content(self) -> dict[str, Any]:
        """The JSON object in the file."""
        try:
            content = json.loads(self.text or "{}") if self.text.strip() else {}
        except (ValueError, RecursionError) as error:
            raise UnusableFile(f"{self.path} is not valid JSON: {error}") from error
        if not isinstance(content, dict):
            raise UnusableFile(f"{self.path} does not contain a JSON object")
        return content

    def servers(self, key: str) -> dict[str, object]:
        """The servers listed under a key."""
        servers = self.content().get(key, {})
        if not isinstance(servers, dict):
            raise UnusableFile(f"in {self.path}, {key} is not a JSON object")
        return servers

    def with_server(self, key: str, name: str, entry: Mapping[str, object] | None) -> "ClientFile":
        """The file with an entry for a server, or without one (None); other content keeps its order."""
        servers = {**self.servers(key), name: entry}
        if entry is None:
            del servers[name]
        if servers == self.servers(key):
            return self
        text = json.dumps({**self.content(), key: servers}, indent=self._indent(), ensure_ascii=False)
        newline = "\r\n" if "\r\n" in self.text else "\n"
        return self._replace(text=text.replace("\n", newline) + newline)

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
        backup = _back_up(path) if os.path.exists(path) else None
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

    def _indent(self) -> str:
        match = re.search(r"^([ \t]+)\"", self.text, re.MULTILINE)
        return match[1] if match else INDENT


def _back_up(path: str) -> str:
    """Copy a file within its folder, under an unused name."""
    number = 1
    while os.path.exists(copy := f"{path}.{number}.bak"):
        number += 1
    return shutil.copy2(path, copy)
