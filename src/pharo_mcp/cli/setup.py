"""`pharo-mcp setup`: add us to a client, or take us out again."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence

from .client_file import ClientFile, UnusableFile
from .clients import BY_NAME, Client
from .config import SERVER, entry_for
from .entry import Entry
from .host import Host

PATIENCE = 60
"""Seconds for a client's own command."""


class ClientNotFound(Exception):
    """None of a client's folders is there; the sentence says where they were looked for."""


def run(options: Mapping[str, str]) -> int:
    """Do it, and say what was done; 1 if it could not be, with nothing changed."""
    client = BY_NAME[options["client"]]
    name = options.get("name", SERVER)
    try:
        entry = None if "remove" in options else entry_for(options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    try:
        if "file" not in options and (command := own_command(client, name, entry)):
            return run_own(client, command, dry="dry_run" in options)
        places = [options["file"]] if "file" in options else places_of(client)
        return change(client, name, entry, places, dry="dry_run" in options)
    except (ClientNotFound, UnusableFile, OSError, subprocess.SubprocessError) as error:
        print(f"pharo-mcp: {error}\n{hint(client, error)}", file=sys.stderr)
        return 1


def places_of(client: Client) -> list[str]:
    """The files to change: every one that the client may be reading."""
    host = Host.current()
    if places := client.places(host):
        return places
    looked = "\n  ".join(host.expand(pattern) for pattern in client.files[host.system])
    raise ClientNotFound(f"{client.title} was not found: there is no folder for\n  {looked}")


def hint(client: Client, error: Exception) -> str:
    """What to do where we cannot."""
    match error:
        case ClientNotFound():
            remedy = f"Start {client.title} once and try again, give its configuration with --file"
        case UnusableFile():
            remedy = "Mend that file (comments and trailing commas are not JSON) and try again"
        case _:
            remedy = "Mend that and try again"
    return f"Nothing was changed. {remedy}, or paste what `pharo-mcp config {client.name}` prints."


def own_command(client: Client, name: str, entry: Entry | None) -> list[str] | None:
    """The client's own command for this, if it has one and it is installed."""
    own = client.own
    if own is None or (program := shutil.which(own.program)) is None:
        return None
    if entry:
        return [program, *own.add(name, entry)]
    return [program, *own.remove(name)] if own.remove else None


def run_own(client: Client, command: Sequence[str], *, dry: bool) -> int:
    """Have the client do it."""
    print(f"{client.title}: {subprocess.list2cmdline(command)}")
    if dry:
        print("Nothing was changed.")
        return 0
    done = subprocess.run(  # noqa: S603 - the client's own program, found on the person's PATH
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    said = (done.stdout + done.stderr).strip()
    if done.returncode:
        print(
            f"pharo-mcp: {client.title} refused: {said or f'status {done.returncode}'}. "
            f"If it has an older entry, `pharo-mcp setup {client.name} --remove` takes that out.",
            file=sys.stderr,
        )
        return 1
    print(f"Done. {client.then}")
    return 0


def change(client: Client, name: str, entry: Entry | None, places: Sequence[str], *, dry: bool) -> int:
    """Change each file, after all of them were read; show the changes first."""
    before = [ClientFile.read(place) for place in places]
    told = entry.as_json(typed=client.typed) if entry else None
    changed = [(file, file.with_server(client.key, name, told)) for file in before]
    todo = [(file, new) for file, new in changed if file.text != new.text]
    for file, new in todo:
        print(f"{client.title}: {file.path}\n{file.changes_to(new)}")
    if not todo:
        print(f"{client.title}: nothing to change in {' or '.join(places)}.")
        return 0
    if dry:
        print("Nothing was changed.")
        return 0
    for _, new in todo:
        try:
            backup = new.write()
        except OSError as error:  # its own text names the file that we meant to put in place
            raise OSError(f"{new.path} cannot be written: {error.strerror}") from error
        print(f"Written{f'; what was there is kept in {backup}' if backup else ''}.")
    print(client.then)
    return 0
