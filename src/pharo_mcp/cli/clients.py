"""The known MCP clients, the entry that starts pharo-mcp, and the files that hold it.

JSON is written again with the indentation that it had; in TOML, all other text stays. A file with comments in
JSON is not changed: its user pastes the entry.
"""

import filecmp
import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Callable, Mapping, Sequence
from difflib import unified_diff
from itertools import takewhile
from pathlib import PurePath
from typing import Any, NamedTuple

import tomlkit

from pharo_mcp import ADDRESS, strict_json

from .commands import SERVING
from .installed import Host

UV_CACHES = ("archive-v0", "environments-v2")
"""Folders of uv's temporary environments, which it may delete after a run of `uvx`."""
PROGRAM = re.compile(r"pharo[-_]mcp(\.exe|[\[@=~<>].*)?")
RUNNER = re.compile(r"(python[\d.]*|py|uvx?|pipx)(\.exe)?")
"""Programs that start pharo-mcp on this computer, such as `uvx pharo-mcp` and `python -m pharo_mcp`."""
FLAGS = {option.flag for option in SERVING}
SERVERS = "mcpServers"
STDIO = {"type": "stdio"}
BACKUP = "{}.before-pharo-mcp"
"""The copy of a file as it was before the first change; the names of later copies end in -2, -3 and so on."""


class Entry(NamedTuple):
    """A command and its arguments."""

    command: str
    args: tuple[str, ...]

    @property
    def words(self) -> tuple[str, ...]:
        """The command line as a tuple."""
        return (self.command, *self.args)

    def members(self, *, in_one_list: bool = False) -> dict[str, object]:
        """Return the members of an object that hold it: command and arguments, or one list of both."""
        if in_one_list:
            return {"command": list(self.words)}
        return {"command": self.command, "args": list(self.args)}

    @classmethod
    def read(cls, value: object) -> "Entry | None":
        """Return an entry that starts pharo-mcp on this computer; None for any other value."""
        match value:
            case {"command": [command, *args]} | {"command": str(command), "args": [*args]} if all(
                isinstance(word, str) for word in (command, *args)
            ):
                entry = cls(command, tuple(args))
            case {"command": str(), "args": _}:
                return None
            case {"command": str(command)}:
                entry = cls(command, ())
            case _:
                return None
        return None if entry.options is None else entry

    @property
    def options(self) -> tuple[str, ...] | None:
        """The arguments that are options of pharo-mcp; None if this starts another program."""
        if PROGRAM.fullmatch(_name(self.command)):
            return self.args
        if not RUNNER.fullmatch(_name(self.command)):
            return None
        before_options = list(takewhile(lambda word: word.partition("=")[0] not in FLAGS, self.args))
        places = [place for place, word in enumerate(before_options) if PROGRAM.fullmatch(_name(word))]
        return self.args[places[-1] + 1 :] if places else None


def own_entry(args: tuple[str, ...] = ()) -> Entry:
    """Return the entry that starts this installation; its path is absolute: clients have their own PATH."""
    uvx = shutil.which("uvx")
    if uvx and set(UV_CACHES) & set(PurePath(sys.prefix).parts):
        return Entry(os.path.abspath(uvx), ("--from", ADDRESS, "pharo-mcp", *args))
    script = os.path.join(os.path.dirname(sys.executable), "pharo-mcp" + (".exe" if os.name == "nt" else ""))
    if os.path.exists(script):
        return Entry(script, args)
    return Entry(sys.executable, ("-m", "pharo_mcp", *args))


def _name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


class UnusableFile(ValueError):
    """A file that cannot be read or changed; the message says why."""


class ClientFile(NamedTuple):
    """A path and the text of the file, JSON or TOML; `text` is '' if the file does not exist."""

    path: str
    text: str
    is_toml: bool = False

    @classmethod
    def read(cls, path: str, *, is_toml: bool = False) -> "ClientFile":
        """Read the file at a path.

        Raises:
            UnusableFile: If it cannot be read, or does not contain an object.
        """
        try:
            with open(path, encoding="utf-8-sig", newline="") as file:
                client_file = cls(path, file.read(), is_toml)
        except FileNotFoundError:
            return cls(path, "", is_toml)
        except (OSError, UnicodeDecodeError) as error:
            raise UnusableFile(f"{path} cannot be read: {error}") from error
        client_file.content()
        return client_file

    def content(self) -> Any:  # noqa: ANN401 - tables of tomlkit, or what JSON has
        """Return the object in the file, which can be changed and passed to `containing`."""
        try:
            if self.is_toml:
                return tomlkit.parse(self.text)
            content = strict_json.read(self.text if self.text.strip() else "{}")
        except (ValueError, RecursionError) as error:
            kind = "TOML" if self.is_toml else "JSON (which has no comments)"
            raise UnusableFile(f"{self.path} is not valid {kind}: {error}") from error
        if not isinstance(content, dict):
            raise UnusableFile(f"{self.path} does not contain an object")
        return content

    def servers(self, key: str) -> Mapping[str, object]:
        """Return the servers listed under a key."""
        servers = self.content().get(key, {})
        if not isinstance(servers, Mapping):
            raise UnusableFile(f"in {self.path}, {key} is not an object")
        return servers

    def with_server(self, key: str, name: str, members: Mapping[str, object]) -> "ClientFile":
        """Return the file with a server that has these members; others of the same server stay."""
        content = self.content()
        servers = content.setdefault(key, {})
        if name in servers:
            servers[name].update(members)
        else:
            servers[name] = dict(members)
        return self._containing(content)

    def without_server(self, key: str, name: str) -> "ClientFile":
        """Return the file without a server."""
        content = self.content()
        del content[key][name]
        if self.is_toml and not content[key]:
            del content[key]
        return self._containing(content)

    def _containing(self, content: Any) -> "ClientFile":  # noqa: ANN401 - see `content`
        if content == self.content():
            return self
        if self.is_toml:
            text = tomlkit.dumps(content)
            if tomllib.loads(text) != content.unwrap():
                raise UnusableFile(f"{self.path} is written in a form that setup cannot change")
            return self._replace(text=text)
        indentation = re.search(r"^([ \t]+)\"", self.text, re.MULTILINE)
        text = json.dumps(content, indent=indentation[1] if indentation else 2, ensure_ascii=False)
        newline = "\r\n" if "\r\n" in self.text else "\n"
        return self._replace(text=f"{text}\n".replace("\n", newline))

    def changes_to(self, other: "ClientFile") -> str:
        """Return a unified diff from this file to another."""
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
    is_toml: bool = False
    allows_comments: bool = False
    other_members: Mapping[str, object] = {}
    in_one_list: bool = False
    other_name: str | None = None
    command: ClientCommand | None = None

    def paths(self, host: Host) -> list[str]:
        """Return the paths of its configuration files: one for each of its folders that exists.

        A path directly in the home folder, which always exists, is included only if the file exists.
        """
        paths = [self._existing(path) for pattern in self.files[host.system] for path in host.paths(pattern)]
        return [path for path in paths if os.path.exists(path) or not host.is_in_home(path)]

    def _existing(self, path: str) -> str:
        other = os.path.join(os.path.dirname(path), self.other_name or "")
        return other if not os.path.exists(path) and os.path.isfile(other) else path

    def places(self, host: Host) -> list[str]:
        """Return where its configuration files are, or would be."""
        usual = [pattern for pattern in self.files[host.system] if "*" not in pattern]
        return self.paths(host) or [host.expand(pattern) for pattern in usual]

    @property
    def next_step(self) -> str:
        """What the user does, or sees, after a server was added."""
        return f"{self.after_change} {self.after_adding}"

    def snippet(self, name: str, entry: Entry) -> str:
        """Return the text to paste into its configuration."""
        empty = ClientFile("", "", self.is_toml)
        return empty.with_server(self.key, name, self.members(entry)).text.rstrip()

    def members(self, entry: Entry) -> dict[str, object]:
        """Return the members of a new entry in the configuration."""
        return {**self.other_members, **entry.members(in_one_list=self.in_one_list)}


def on_every_system(path: str) -> dict[str, Sequence[str]]:
    """Return the same path on every operating system."""
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
        command=ClientCommand(
            "code", lambda name, entry: ("--add-mcp", json.dumps({"name": name, **STDIO, **entry.members()}))
        ),
        allows_comments=True,
    ),
    Client(
        "codex",
        "Codex",
        "Start Codex again.",
        "There, /mcp lists the servers.",
        on_every_system("%CODEX_HOME%/config.toml"),
        key="mcp_servers",
        is_toml=True,
    ),
    Client(
        "gemini",
        "Gemini CLI",
        "Start Gemini CLI again.",
        "There, /mcp lists the servers.",
        on_every_system("~/.gemini/settings.json"),
        allows_comments=True,
    ),
    Client(
        "opencode",
        "opencode",
        "Start opencode again.",
        "`opencode mcp list` lists the servers.",
        on_every_system("%XDG_CONFIG_HOME%/opencode/opencode.json"),
        key="mcp",
        other_members={"type": "local"},
        in_one_list=True,
        other_name="opencode.jsonc",
        allows_comments=True,
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
        allows_comments=True,
    ),
)
BY_NAME = {client.name: client for client in CLIENTS}
