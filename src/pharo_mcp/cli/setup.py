"""`pharo-mcp setup`: add pharo-mcp to a client's configuration, or remove it."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

from pharo_mcp.times import CLIENT_COMMAND_SECONDS

from .clients import BY_NAME, Client, ClientFile, Entry, UnusableFile
from .config import SERVER, entry_for
from .host import Host


class ClientNotFound(Exception):
    """None of a client's folders exists; the message lists the folders that were searched."""


def run(options: Mapping[str, str]) -> int:
    """Change the configuration and print what was done; return 1 if it failed and nothing was changed."""
    client = BY_NAME[options["client"]]
    name = options.get("name", SERVER)
    try:
        entry = None if "remove" in options else entry_for(options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    try:
        if "file" not in options and (command := command_of(client, name, entry)):
            return run_command(client, command, dry="dry_run" in options)
        paths = [options["file"]] if "file" in options else paths_of(client)
        return change(client, name, entry, paths, dry="dry_run" in options)
    except (ClientNotFound, UnusableFile, OSError, subprocess.SubprocessError) as error:
        print(f"pharo-mcp: {error}\n{hint(client, error)}", file=sys.stderr)
        return 1


def paths_of(client: Client) -> list[str]:
    """The files to change: every file that the client may read."""
    host = Host.current()
    if paths := client.paths(host):
        return paths
    searched = "\n  ".join(host.expand(pattern) for pattern in client.files[host.system])
    raise ClientNotFound(f"{client.title} was not found: no folder exists for\n  {searched}")


def hint(client: Client, error: Exception) -> str:
    """Advice for an error."""
    match error:
        case ClientNotFound():
            fix = f"Start {client.title} once and try again, choose its configuration file with --file"
        case UnusableFile():
            fix = "Fix that file (comments and trailing commas are not JSON) and try again"
        case _:
            fix = "Fix the cause and try again"
    return f"Nothing was changed. {fix}, or paste what `pharo-mcp config {client.name}` prints."


def command_of(client: Client, name: str, entry: Entry | None) -> list[str] | None:
    """The client's own command that makes the change, if it has one and it is installed."""
    command = client.command
    if command is None or (program := shutil.which(command.program)) is None:
        return None
    if entry:
        return [program, *command.add(name, entry)]
    return [program, *command.remove(name)] if command.remove else None


def run_command(client: Client, command: Sequence[str], *, dry: bool) -> int:
    """Let the client's own command make the change."""
    print(f"{client.title}: {subprocess.list2cmdline(command)}")
    if dry:
        print("Nothing was changed.")
        return 0
    finished = subprocess.run(  # noqa: S603 - the client's own program, found on the user's PATH
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=CLIENT_COMMAND_SECONDS,
        check=False,
    )
    output = (finished.stdout + finished.stderr).strip()
    if finished.returncode:
        print(
            f"pharo-mcp: {client.title} failed: {output or f'status {finished.returncode}'}. "
            f"If it has an older entry, remove that with `pharo-mcp setup {client.name} --remove`.",
            file=sys.stderr,
        )
        return 1
    print(f"Done. {client.next_step}")
    return 0


def change(client: Client, name: str, entry: Entry | None, paths: Sequence[str], *, dry: bool) -> int:
    """Read all files, show the changes, then write each file that changes."""
    files = [ClientFile.read(path) for path in paths]
    server = entry.as_json(typed=client.typed) if entry else None
    changed = [(file, file.with_server(client.key, name, server)) for file in files]
    changes = [(file, new) for file, new in changed if file.text != new.text]
    for file, new in changes:
        print(f"{client.title}: {file.path}\n{file.changes_to(new)}")
    if not changes:
        print(f"{client.title}: nothing to change in {' or '.join(paths)}.")
        return 0
    if dry:
        print("Nothing was changed.")
        return 0
    for _, new in changes:
        try:
            backup = new.write()
        except OSError as error:  # its own text names the temporary file
            raise OSError(f"{new.path} cannot be written: {error.strerror}") from error
        print(f"Written{f'; the previous file was copied to {backup}' if backup else ''}.")
    print(client.next_step)
    return 0
