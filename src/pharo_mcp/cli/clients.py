"""The MCP clients that we can be added to, and where each keeps its configuration."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .entry import Entry
from .host import Host

SERVERS = "mcpServers"


class OwnCommand(NamedTuple):
    """A client's own command for this, as words; without `remove` it has none for that."""

    program: str
    add: Callable[[str, Entry], Sequence[str]]
    remove: Callable[[str], Sequence[str]] | None = None


class Client(NamedTuple):
    """A client: its files by system, most usual first, and under which key they name their servers.

    A client without files is only told what to write. `typed`: it wants to know the type of transport;
    `commented`: its file may hold comments, which we could not keep, so such a one is left alone.
    """

    name: str
    title: str
    then: str
    files: Mapping[str, Sequence[str]] = {}
    key: str = SERVERS
    typed: bool = False
    commented: bool = False
    own: OwnCommand | None = None

    def places(self, host: Host) -> list[str]:
        """Where its file is, or would be: one for each of its folders that are there.

        Everybody has a home folder, so a file that would lie right there counts only if it is there.
        """
        places = [place for pattern in self.files[host.system] for place in host.places(pattern)]
        home = os.path.normpath(host.home)
        return [place for place in places if os.path.exists(place) or os.path.dirname(place) != home]

    def snippet(self, name: str, entry: Entry) -> str:
        """What a person pastes."""
        if not self.files:
            return entry.as_toml(name)
        return json.dumps({self.key: {name: entry.as_json(typed=self.typed)}}, indent=2, ensure_ascii=False)


def everywhere(path: str) -> dict[str, Sequence[str]]:
    """One path, on every system."""
    return dict.fromkeys(("macos", "windows", "linux"), (path,))


CLIENTS = (
    Client(
        "claude-desktop",
        "Claude Desktop",
        "Quit Claude Desktop entirely (closing its window is not enough) and start it again.",
        {
            "macos": ("~/Library/Application Support/Claude/claude_desktop_config.json",),
            "windows": (
                "%APPDATA%/Claude/claude_desktop_config.json",
                "%LOCALAPPDATA%/Packages/Claude_*/LocalCache/Roaming/Claude/claude_desktop_config.json",
                "%LOCALAPPDATA%/Claude-Data/claude_*/claude_desktop_config.json",
            ),
            "linux": ("%XDG_CONFIG_HOME%/Claude/claude_desktop_config.json",),
        },
    ),
    Client(
        "claude-code",
        "Claude Code",
        "Start a new session; /mcp shows its servers.",
        everywhere("~/.claude.json"),
        typed=True,
        own=OwnCommand(
            "claude",
            lambda name, entry: ("mcp", "add", "--scope", "user", name, "--", *entry.words),
            lambda name: ("mcp", "remove", "--scope", "user", name),
        ),
    ),
    Client(
        "cursor",
        "Cursor",
        "Cursor reads the file by itself; its settings, under MCP, show the server.",
        everywhere("~/.cursor/mcp.json"),
    ),
    Client(
        "vscode",
        "VS Code",
        "Run “MCP: List Servers” in VS Code and start it there.",
        {
            "macos": ("~/Library/Application Support/Code/User/mcp.json",),
            "windows": ("%APPDATA%/Code/User/mcp.json",),
            "linux": ("%XDG_CONFIG_HOME%/Code/User/mcp.json",),
        },
        key="servers",
        typed=True,
        commented=True,
        own=OwnCommand(
            "code",
            lambda name, entry: ("--add-mcp", json.dumps({"name": name, **entry.as_json(typed=True)})),
        ),
    ),
    Client("codex", "Codex", "Put it into ~/.codex/config.toml and start Codex again."),
)
BY_NAME = {client.name: client for client in CLIENTS}
