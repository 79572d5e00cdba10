"""What the doctor looks at in the clients' configurations."""

import shutil
from collections.abc import Iterator, Mapping

from .client_file import ClientFile, UnusableFile
from .clients import CLIENTS, Client
from .finding import Finding, good, note, problem
from .host import Host

OURS = ("pharo-mcp", "pharo_mcp")


def check_clients(host: Host, options: Mapping[str, object]) -> Iterator[Finding]:
    """Every client that is installed: does it know us, and does what it knows exist?"""
    found = [(client, place) for client in CLIENTS if client.files for place in client.places(host)]
    for client, place in found:
        yield from _check(client, place)
    if not found:
        names = ", ".join(client.name for client in CLIENTS)
        yield note("No MCP client was found", f"`pharo-mcp config CLIENT` prints what to paste ({names}).")


def _check(client: Client, place: str) -> Iterator[Finding]:
    setup = f"pharo-mcp setup {client.name}"
    try:
        servers = ClientFile.read(place).servers(client.key)
    except UnusableFile as error:
        if client.commented:
            fix = f"If it only has comments, paste into it what `pharo-mcp config {client.name}` prints."
            yield note(f"{client.title}: {error}", fix)
        else:
            yield problem(f"{client.title}: {error}", f"Mend {place}, then run `{setup}`.")
        return
    ours = {name: command for name, entry in servers.items() if (command := _our_command(entry))}
    if not ours:
        yield note(f"{client.title} does not know pharo-mcp ({place})", f"Run `{setup}`.")
    for name, command in ours.items():
        if shutil.which(command):
            yield good(f"{client.title} starts it as {name}: {command}")
        else:
            yield problem(f"{client.title} would start {command}, which is not there", f"Run `{setup}`.")


def _our_command(entry: object) -> str | None:
    """The command of an entry that starts pharo-mcp."""
    match entry:
        case {"command": str(command), "args": list(args)}:
            words = [command, *map(str, args)]
        case {"command": str(command)}:
            words = [command]
        case _:
            return None
    return command if any(mark in word for mark in OURS for word in words) else None
