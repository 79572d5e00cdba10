"""The known MCP clients, and where each keeps its configuration."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pharo_mcp.cli.host import Host

from .client_file import JSON, JSON_WITH_COMMENTS, TOML, Syntax
from .entry import Entry

SERVERS = "mcpServers"


class ClientCommand(NamedTuple):
    """A client's own command that adds a server and, if `remove` is set, removes one."""

    program: str
    add: Callable[[str, Entry], Sequence[str]]
    remove: Callable[[str], Sequence[str]] | None = None


class Client(NamedTuple):
    """A client: its configuration files by operating system, and the key of the servers in them.

    `next_step` is what the user does after a change. `typed`: an entry includes the type of transport.
    """

    name: str
    title: str
    next_step: str
    files: Mapping[str, Sequence[str]]
    key: str = SERVERS
    syntax: Syntax = JSON
    typed: bool = False
    command: ClientCommand | None = None

    def paths(self, host: Host) -> list[str]:
        """The paths of its configuration files: one for each of its folders that exists.

        A path directly in the home folder, which always exists, is included only if the file exists.
        """
        paths = [path for pattern in self.files[host.system] for path in host.paths(pattern)]
        return [path for path in paths if os.path.exists(path) or not host.is_in_home(path)]

    def places(self, host: Host) -> list[str]:
        """Where its configuration files are, or would be."""
        usual = [pattern for pattern in self.files[host.system] if "*" not in pattern]
        return self.paths(host) or [host.expand(pattern) for pattern in usual]

    def snippet(self, name: str, entry: Entry) -> str:
        """The text to paste into its configuration."""
        if self.syntax == TOML:
            return entry.as_toml(name)
        return json.dumps({self.key: {name: entry.as_json(typed=self.typed)}}, indent=2, ensure_ascii=False)


def on_every_system(path: str) -> dict[str, Sequence[str]]:
    """The same path on every operating system."""
    return dict.fromkeys(("macos", "windows", "linux"), (path,))


CLIENTS = (
    Client(
        "claude-desktop",
        "Claude Desktop",
        "Quit Claude Desktop (closing its window is not enough) and start it again.",
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
        "Start a new session; /mcp lists the servers.",
        on_every_system("%CLAUDE_CONFIG_DIR%/.claude.json"),
        typed=True,
        command=ClientCommand(
            "claude",
            lambda name, entry: ("mcp", "add", "--scope", "user", name, "--", *entry.words),
            lambda name: ("mcp", "remove", "--scope", "user", name),
        ),
    ),
    Client(
        "cursor",
        "Cursor",
        "Cursor reloads the file; its settings list the server under MCP.",
        on_every_system("~/.cursor/mcp.json"),
    ),
    Client(
        "vscode",
        "VS Code",
        "Run “MCP: List Servers” in VS Code and start the server there.",
        {
            "macos": ("~/Library/Application Support/Code/User/mcp.json",),
            "windows": ("%APPDATA%/Code/User/mcp.json",),
            "linux": ("%XDG_CONFIG_HOME%/Code/User/mcp.json",),
        },
        key="servers",
        typed=True,
        syntax=JSON_WITH_COMMENTS,
        command=ClientCommand(
            "code",
            lambda name, entry: ("--add-mcp", json.dumps({"name": name, **entry.as_json(typed=True)})),
        ),
    ),
    Client(
        "codex",
        "Codex",
        "Start Codex again; /mcp lists the servers.",
        on_every_system("%CODEX_HOME%/config.toml"),
        key="mcp_servers",
        syntax=TOML,
    ),
)
BY_NAME = {client.name: client for client in CLIENTS}
