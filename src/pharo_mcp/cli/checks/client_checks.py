"""Checks of the clients' configurations."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import NamedTuple

from pharo_mcp.cli.clients import CLIENTS, Client, ClientFile, Entry, UnusableFile
from pharo_mcp.cli.host import Host

from .finding import Finding, good, note, problem

PROGRAM_NAMES = ("pharo-mcp", "pharo_mcp")


class ClientEntry(NamedTuple):
    """An entry that starts pharo-mcp on this computer: where it is, its options, and its environment."""

    client: Client
    name: str
    options: tuple[str, ...]
    environ: Mapping[str, str]

    def __str__(self) -> str:
        return f"{self.client.title}'s entry {self.name}"


def client_entries(host: Host) -> Iterator[ClientEntry]:
    """Find the entries of all clients, except in files that cannot be used."""
    for client in CLIENTS:
        for path in client.paths(host):
            with suppress(UnusableFile):
                for name, value in ClientFile.read(path, is_toml=client.is_toml).servers(client.key).items():
                    if entry := Entry.read(value):
                        yield ClientEntry(client, name, entry.options or (), _environment_in(value))


def _environment_in(value: object) -> Mapping[str, str]:
    match value:
        case {"env": {**environ}} | {"environment": {**environ}}:
            return {str(name): str(text) for name, text in environ.items()}
    return {}


def check_clients(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Check that each installed client has an entry for pharo-mcp, and that its command exists."""
    found = [(client, path) for client in CLIENTS for path in client.paths(host)]
    for client, path in found:
        yield from _check(client, path)
    if not found:
        names = ", ".join(client.name for client in CLIENTS)
        yield note("No MCP client was found", f"Paste what `pharo-mcp config CLIENT` prints ({names}).")


def _check(client: Client, path: str) -> Iterator[Finding]:
    setup = f"pharo-mcp setup {client.name}"
    try:
        servers = ClientFile.read(path, is_toml=client.is_toml).servers(client.key)
    except UnusableFile as error:
        yield problem(f"{client.title}: {error}", f"Fix {path}, then run `{setup}`.")
        return
    commands = {name: command for name, entry in servers.items() if (command := _command_in(entry))}
    if not commands:
        yield note(f"{client.title} has no entry for pharo-mcp ({path})", f"Run `{setup}`.")
    for name, command in commands.items():
        if shutil.which(command):
            yield good(f"{client.title} has the entry {name}: {command}")
        else:
            yield problem(f"{client.title} starts {command}, which does not exist", f"Run `{setup}`.")


def _command_in(entry: object) -> str | None:
    """The command of an entry that starts pharo-mcp; None for other entries."""
    match entry:
        case {"command": [str(command), *args]} | {"command": str(command), "args": [*args]}:
            words = [command, *map(str, args)]
        case {"command": str(command)}:
            words = [command]
        case _:
            return None
    return command if any(name in word for name in PROGRAM_NAMES for word in words) else None
