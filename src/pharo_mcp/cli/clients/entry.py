"""The entry in a client's configuration that starts pharo-mcp."""

import json
import os
import shutil
import sys
from pathlib import PurePath
from typing import NamedTuple

UV_CACHES = ("archive-v0", "environments-v2")
"""Folders of uv's temporary environments, which it may delete after a run of `uvx`."""


class Entry(NamedTuple):
    """A command and its arguments."""

    command: str
    args: tuple[str, ...]

    def as_json(self, *, typed: bool = False) -> dict[str, object]:
        """The entry as a JSON object; with `typed`, it includes the type of transport."""
        kind = {"type": "stdio"} if typed else {}
        return {**kind, "command": self.command, "args": list(self.args)}

    def as_toml(self, name: str) -> str:
        """The entry as a TOML table for Codex. JSON strings are valid TOML strings."""
        args = ", ".join(_quoted(arg) for arg in self.args)
        return f"[mcp_servers.{name}]\ncommand = {_quoted(self.command)}\nargs = [{args}]"

    @property
    def words(self) -> tuple[str, ...]:
        """The command line as a tuple."""
        return (self.command, *self.args)


def own_entry(args: tuple[str, ...] = ()) -> Entry:
    """The entry that starts this installation. Its path is absolute, because clients have their own PATH."""
    uvx = shutil.which("uvx")
    if uvx and set(UV_CACHES) & set(PurePath(sys.prefix).parts):
        return Entry(os.path.abspath(uvx), ("pharo-mcp", *args))
    script = os.path.join(os.path.dirname(sys.executable), "pharo-mcp" + (".exe" if os.name == "nt" else ""))
    if os.path.exists(script):
        return Entry(script, args)
    return Entry(sys.executable, ("-m", "pharo_mcp", *args))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
