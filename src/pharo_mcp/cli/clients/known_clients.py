"""The known MCP clients, and where each keeps its configuration."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from pharo_mcp.cli.host import Host

from .client_file import JSON, JSON_WITH_COMMENTS, TOML, Syntax
from .entry import Entry
from .toml_text import table

SERVERS = "mcpServers"
STDIO = {"type": "stdio"}


class ClientCommand(NamedTuple):
    """A client's own command that adds a server and, if `remove` is set, removes one."""

    program: str
    add: Callable[[str, Entry], Sequence[str]]
    remove: Callable[[str], Sequence[str]] | None = None


class Client(NamedTuple):
    """A client: its configuration files by operating system, and the key of the servers in them.

    `after_change` says how the client takes up a change, `after_adding` where it shows a new server.
    `other_members` are those of an entry beside the command, which has its arguments `in_one_list` with it or
    beside it. `other_name` is a name that the files may have instead.
    """

    name: str
    title: str
    after_change: str
    after_adding: str
    files: Mapping[str, Sequence[str]]
    key: str = SERVERS
    syntax: Syntax = JSON
    other_members: Mapping[str, object] = {}
    in_one_list: bool = False
    other_name: str | None = None
    command: ClientCommand | None = None

    def paths(self, host: Host) -> list[str]:
        """The paths of its configuration files: one for each of its folders that exists.

        A path directly in the home folder, which always exists, is included only if the file exists.
        """
        paths = [self._existing(path) for pattern in self.files[host.system] for path in host.paths(pattern)]
        return [path for path in paths if os.path.exists(path) or not host.is_in_home(path)]

    def _existing(self, path: str) -> str:
        other = os.path.join(os.path.dirname(path), self.other_name or "")
        return other if not os.path.exists(path) and os.path.isfile(other) else path

    def places(self, host: Host) -> list[str]:
        """Where its configuration files are, or would be."""
        usual = [pattern for pattern in self.files[host.system] if "*" not in pattern]
        return self.paths(host) or [host.expand(pattern) for pattern in usual]

    @property
    def next_step(self) -> str:
        """What the user does, or sees, after a server was added."""
        return f"{self.after_change} {self.after_adding}"

    def snippet(self, name: str, entry: Entry) -> str:
        """The text to paste into its configuration."""
        value = self.value(entry)
        if self.syntax == TOML:
            return table((self.key, name), value)
        return json.dumps({self.key: {name: value}}, indent=2, ensure_ascii=False)

    def value(self, entry: Entry) -> dict[str, object]:
        """A new entry as it is written in the configuration."""
        return {**self.other_members, **entry.members(in_one_list=self.in_one_list)}


def on_every_system(path: str) -> dict[str, Sequence[str]]:
    """The same path on every operating system."""
    return dict.fromkeys(("macos", "windows", "linux"), (path,))


CLIENTS = (
    Client(
        "claude-desktop",
        "Claude Desktop",
        "Quit Claude Desktop (closing its window is not enough) and start it again.",
        "Its settings list the server under Developer.",
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
        "Start a new session.",
        "There, /mcp lists the servers.",
        on_every_system("%CLAUDE_CONFIG_DIR%/.claude.json"),
        other_members=STDIO,
        command=ClientCommand(
            "claude",
            lambda name, entry: ("mcp", "add", "--scope", "user", name, "--", *entry.words),
            lambda name: ("mcp", "remove", "--scope", "user", name),
        ),
    ),
    Client(
        "cursor",
        "Cursor",
        "Cursor reloads the file.",
        "Its settings list the server under MCP.",
        on_every_system("~/.cursor/mcp.json"),
    ),
    Client(
        "vscode",
        "VS Code",
        "VS Code reloads the file.",
        "Run “MCP: List Servers” there and start the server.",
        {
            "macos": ("~/Library/Application Support/Code/User/mcp.json",),
            "windows": ("%APPDATA%/Code/User/mcp.json",),
            "linux": ("%XDG_CONFIG_HOME%/Code/User/mcp.json",),
        },
        key="servers",
        other_members=STDIO,
        syntax=JSON_WITH_COMMENTS,
        command=ClientCommand(
            "code",
            lambda name, entry: ("--add-mcp", json.dumps({"name": name, **STDIO, **entry.members()})),
        ),
    ),
    Client(
        "codex",
        "Codex",
        "Start Codex again.",
        "There, /mcp lists the servers.",
        on_every_system("%CODEX_HOME%/config.toml"),
        key="mcp_servers",
        syntax=TOML,
    ),
    Client(
        "gemini",
        "Gemini CLI",
        "Start Gemini CLI again.",
        "There, /mcp lists the servers.",
        on_every_system("~/.gemini/settings.json"),
        syntax=JSON_WITH_COMMENTS,
    ),
    Client(
        "opencode",
        "opencode",
        "Start opencode again.",
        "`opencode mcp list` lists the servers.",
        on_every_system("%XDG_CONFIG_HOME%/opencode/opencode.json"),
        key="mcp",
        syntax=JSON_WITH_COMMENTS,
        other_members={"type": "local"},
        in_one_list=True,
        other_name="opencode.jsonc",
    ),
    Client(
        "windsurf",
        "Windsurf",
        "Press Refresh in Windsurf's list of MCP servers.",
        "Then it lists the server.",
        on_every_system("~/.codeium/windsurf/mcp_config.json"),
    ),
    Client(
        "zed",
        "Zed",
        "Zed reloads the file.",
        "The settings of its agent panel list the server.",
        {
            "macos": ("~/.config/zed/settings.json",),
            "windows": ("%APPDATA%/Zed/settings.json",),
            "linux": ("%XDG_CONFIG_HOME%/zed/settings.json",),
        },
        key="context_servers",
        syntax=JSON_WITH_COMMENTS,
    ),
)
BY_NAME = {client.name: client for client in CLIENTS}
