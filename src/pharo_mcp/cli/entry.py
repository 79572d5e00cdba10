"""What a client has to know to start us."""

import json
import os
import shutil
import sys
from pathlib import PurePath
from typing import NamedTuple

UV_CACHES = ("archive-v0", "environments-v2")
"""Folders of environments that uv makes for one run of `uvx` and may throw away."""


class Entry(NamedTuple):
    """A command and its arguments."""

    command: str
    args: tuple[str, ...]

    def as_json(self, *, typed: bool = False) -> dict[str, object]:
        """As an object in a client's file; some clients want the type of transport."""
        kind = {"type": "stdio"} if typed else {}
        return {**kind, "command": self.command, "args": list(self.args)}

    def as_toml(self, name: str) -> str:
        """As a table of Codex's file. Strings of JSON are strings of TOML."""
        words = ", ".join(_quoted(arg) for arg in self.args)
        return f"[mcp_servers.{name}]\ncommand = {_quoted(self.command)}\nargs = [{words}]"

    @property
    def words(self) -> tuple[str, ...]:
        """As typed in a terminal."""
        return (self.command, *self.args)


def own_entry(args: tuple[str, ...] = ()) -> Entry:
    """The entry that starts this very program: by absolute paths, for clients know no PATH of ours."""
    uvx = shutil.which("uvx")
    if uvx and set(UV_CACHES) & set(PurePath(sys.prefix).parts):
        return Entry(os.path.abspath(uvx), ("pharo-mcp", *args))
    script = os.path.join(os.path.dirname(sys.executable), "pharo-mcp" + (".exe" if os.name == "nt" else ""))
    if os.path.exists(script):
        return Entry(script, args)
    return Entry(sys.executable, ("-m", "pharo_mcp", *args))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
