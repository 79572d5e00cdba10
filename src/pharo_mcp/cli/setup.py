"""`pharo-mcp setup`: add pharo-mcp to a client's configuration, or remove it."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

from pharo_mcp.app.image_process import how_it_ended
from pharo_mcp.times import CLIENT_COMMAND_SECONDS

from .clients.changes import Refused, own_servers, with_server, without_server
from .clients.client_file import JSON, ClientFile, UnusableFile
from .clients.entry import Entry
from .clients.known_clients import BY_NAME, Client
from .config import SERVER, check_text, entry_for, report_missing
from .host import Host

STRICT = " (comments and trailing commas are not JSON)"


def run(options: Mapping[str, str]) -> int:
    """Change the configuration and print what was done; return 1 if it failed and nothing was changed."""
    client = BY_NAME[options["client"]]
    name = options.get("name", SERVER)
    try:
        check_text(name)
        entry = None if "remove" in options else entry_for(options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    try:
        status = set_up(client, name, entry, options.get("file"), dry="dry_run" in options)
        if entry:
            report_missing(options)
        return status
    except (Refused, UnusableFile, OSError, subprocess.SubprocessError) as error:
        print(f"pharo-mcp: {error}\n{hint(client, error, entry)}", file=sys.stderr)
        return 1


def set_up(client: Client, name: str, entry: Entry | None, chosen: str | None, *, dry: bool) -> int:
    """Change every file that the client may read, or let the client's own command change its file."""
    host = Host.current()
    paths = [chosen] if chosen else client.paths(host)
    program = shutil.which(client.command.program) if client.command and not chosen else None
    if not paths and program is None:
        raise not_found(client, host, entry)
    changes = []
    listed: set[str] = set()
    for path in paths:
        file = ClientFile.read(path, client.syntax)
        changed = with_server(client, file, name, entry) if entry else without_server(client, file, name)
        listed |= own_servers(client, file)
        changes += [(file, changed)] if file.text != changed.text else []
    if not changes and (name in listed or entry is None):
        others = f" Remove {' or '.join(sorted(listed))} with --name." if entry is None and listed else ""
        print(f"{client.title}: nothing to change in {' or '.join(paths or client.places(host))}.{others}")
        return 0
    if program and (command := command_for(client, name, entry, is_listed=name in listed)):
        return run_command(client, [program, *command], entry, dry=dry)
    return write(client, changes, entry, dry=dry)


def not_found(client: Client, host: Host, entry: Entry | None) -> Refused:
    """The refusal for a client none of whose folders exists; the home folder always does."""
    paths = [host.expand(pattern) for pattern in client.files[host.system]]
    lacking = "there is no file" if all(map(host.is_in_home, paths)) else "no folder exists for"
    start = f"Start {client.title} once and try again, choose" if entry else "Choose"
    return Refused(
        "\n  ".join([f"{client.title} was not found: {lacking}", *paths]),
        f"{start} its configuration file with --file",
    )


def hint(client: Client, error: Exception, entry: Entry | None) -> str:
    """Advice for an error of adding an entry, or of removing one."""
    match error:
        case Refused(fix=fix):
            pass
        case UnusableFile():
            fix = f"Fix that file{STRICT if client.syntax == JSON else ''} and try again"
        case _:
            fix = "Fix the cause and try again"
    by_hand = f"paste what `pharo-mcp config {client.name}` prints" if entry else "remove the entry by hand"
    return f"Nothing was changed. {fix}, or {by_hand}."


def next_step(client: Client, entry: Entry | None) -> str:
    """What the user does, or sees, after a change."""
    return client.next_step if entry else client.after_change


def command_for(client: Client, name: str, entry: Entry | None, *, is_listed: bool) -> Sequence[str] | None:
    """The client's own command that adds or removes the server; none of them can change one."""
    command = client.command
    if command is None or (entry and is_listed):
        return None
    if entry:
        return command.add(name, entry)
    return command.remove(name) if command.remove else None


def run_command(client: Client, command: Sequence[str], entry: Entry | None, *, dry: bool) -> int:
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
        raise Refused(
            f"{client.title} failed: {output or how_it_ended(finished.returncode)}",
            "Fix the cause and try again, choose the configuration file with --file",
        )
    print(f"Done. {next_step(client, entry)}")
    return 0


def write(
    client: Client, changes: Sequence[tuple[ClientFile, ClientFile]], entry: Entry | None, *, dry: bool
) -> int:
    """Show the changes, then write each file that changes."""
    for file, new in changes:
        print(f"{client.title}: {file.path}\n{file.changes_to(new)}")
    if dry:
        print("Nothing was changed.")
        return 0
    for _, new in changes:
        try:
            backup = new.write()
        except OSError as error:  # its own text names the temporary file
            raise OSError(f"{new.path} cannot be written: {error.strerror}") from error
        print(f"Written{f'; the previous file was copied to {backup}' if backup else ''}.")
    print(next_step(client, entry))
    return 0
