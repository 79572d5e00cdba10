"""`pharo-mcp setup`, `config` and `skills`: what a client's configuration has of pharo-mcp."""

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pharo_mcp.app.processes import how_it_ended
from pharo_mcp.app.settings import Settings
from pharo_mcp.resources import built_in_skills

from .clients import BY_NAME, Client, ClientFile, Entry, UnusableFile, own_entry
from .commands import ENTRY, SERVING, SKILL_FOLDERS, serving_options
from .ending import CommandFailed
from .installed import Host

CLIENT_COMMAND_SECONDS = 60
"""The wait for a client's own command."""


class EntryChange(NamedTuple):
    """What to do in a client's configuration: set the options of an entry, or remove it if there are none."""

    client: Client
    name: str
    options: Mapping[str, Any] | None

    @property
    def entry(self) -> Entry:
        """The entry as it is if there was none before."""
        return entry_with(self.options or {})

    def of(self, file: ClientFile) -> ClientFile:
        """Return the file with the change: of an entry only the command and the given options change.

        Raises:
            CommandFailed: If another server has that name, or its options exclude those that are given.
        """
        client, name = self.client, self.name
        current = file.servers(client.key).get(name)
        if current is None:
            if self.options is None:
                return file
            return file.with_server(client.key, name, client.members(self.entry))
        old = Entry.read(current)
        if old is None:
            raise CommandFailed(
                f"in {file.path}, {name} is another server, or one that `pharo-mcp setup` did not write. "
                "Choose another name with --name"
            )
        if self.options is None:
            return file.without_server(client.key, name)
        try:
            entry = entry_with({**serving_options(old.options or ()), **self.options})
        except ValueError as error:
            raise CommandFailed(
                f"with the options that {file.path} has already: {error}. "
                f"Remove the entry first with `pharo-mcp setup {client.name} --remove`"
            ) from error
        return file.with_server(client.key, name, entry.members(in_one_list=client.in_one_list))


def run(options: Mapping[str, Any]) -> int:
    """Change the configuration and print what was done; return 1 if it failed and nothing was changed."""
    change = change_for(options)
    try:
        set_up(change, options.get("file"))
    except (CommandFailed, UnusableFile, OSError, subprocess.SubprocessError) as error:
        print(f"pharo-mcp: {error}.\nNothing was changed.", file=sys.stderr)
        if change.options is None:
            print("You can remove the entry by hand.", file=sys.stderr)
        else:
            print_snippet(change)
        return 1
    return 0


def print_config(options: Mapping[str, Any]) -> int:
    """Print the entry on standard output, and the file it belongs in on standard error."""
    print_snippet(change_for(options))
    return 0


def change_for(options: Mapping[str, Any]) -> EntryChange:
    """Return the change that the options of a command ask for.

    Raises:
        InvalidSettings: If they are invalid for serving.
        CommandFailed: If they are not text that a file can hold.
    """
    name = options.get("name", "pharo")
    its_options = {option.name: options[option.name] for option in ENTRY if option.name in options}
    for word in (name, *entry_with(its_options).args):
        try:
            word.encode()
        except UnicodeEncodeError:
            raise CommandFailed(f"{word!r} is not valid Unicode: use another name", 2) from None
    return EntryChange(BY_NAME[options["client"]], name, None if "remove" in options else its_options)


def entry_with(options: Mapping[str, Any]) -> Entry:
    """Return the entry that starts pharo-mcp with these options. Raise InvalidSettings if it cannot."""
    Settings.read({}, options)
    return own_entry(tuple(word for option in SERVING for word in option.words(options.get(option.name))))


def print_snippet(change: EntryChange) -> None:
    """Print the entry, and where to paste it."""
    print(change.client.snippet(change.name, change.entry))
    places = " or ".join(change.client.places(Host.current()))
    print(f"Add it to {places}. {change.client.next_step}", file=sys.stderr)


def set_up(change: EntryChange, chosen: str | None) -> None:
    """Change every file that the client may read, or let the client's own command change its file."""
    client, host = change.client, Host.current()
    paths = [chosen] if chosen else client.paths(host)
    program = shutil.which(client.command.program) if client.command and not chosen else None
    if not paths and program is None:
        raise not_found(client, host)
    files: list[ClientFile] = []
    for path in paths:
        try:
            files.append(ClientFile.read(path, is_toml=client.is_toml))
        except UnusableFile:
            if program is None:
                raise
    own = {name for file in files for name, entry in file.servers(client.key).items() if Entry.read(entry)}
    changes = [(file, new) for file in files if (new := change.of(file)).text != file.text]
    if not changes and files and (change.name in own or change.options is None):
        others = f" Remove {' or '.join(sorted(own))} with --name." if own and change.options is None else ""
        print(f"{client.title}: nothing to change in {' or '.join(paths)}.{others}")
    elif program and (command := command_for(change, is_listed=change.name in own)):
        run_command(change, [program, *command])
    else:
        write(change, changes)
    if change.options is not None and "practice" not in change.options and keeps_practice(change, files):
        print(
            f"The entry starts a practice image, as before (--practice). For an image of your own, run "
            f"`pharo-mcp setup {client.name} --remove` first."
        )


def keeps_practice(change: EntryChange, files: Sequence[ClientFile]) -> bool:
    """Return whether the entry had an option that starts a practice image, which it keeps."""
    entries = (Entry.read(file.servers(change.client.key).get(change.name)) for file in files)
    return any("--practice" in (entry.options or ()) for entry in entries if entry)


def not_found(client: Client, host: Host) -> CommandFailed:
    """Return the refusal for a client none of whose folders exists; the home folder always does."""
    paths = [host.expand(pattern) for pattern in client.files[host.system]]
    lacking = "there is no file" if all(map(host.is_in_home, paths)) else "no folder exists for"
    found = "\n  ".join([f"{client.title} was not found: {lacking}", *paths])
    return CommandFailed(
        f"{found}\nStart it once and try again, or choose its configuration file with --file"
    )


def command_for(change: EntryChange, *, is_listed: bool) -> Sequence[str] | None:
    """Return the client's own command that adds or removes the server; none of them can change one."""
    command = change.client.command
    if command is None or (change.options is not None and is_listed):
        return None
    if change.options is not None:
        return command.add(change.name, change.entry)
    return command.remove(change.name) if command.remove else None


def run_command(change: EntryChange, command: Sequence[str]) -> None:
    """Let the client's own command make the change."""
    print(f"{change.client.title}: {subprocess.list2cmdline(command)}")
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
        reason = output or how_it_ended(finished.returncode)
        raise CommandFailed(f"{change.client.title} failed: {reason}. You can choose its file with --file")
    print(f"Done. {next_step(change)}")


def write(change: EntryChange, files: Sequence[tuple[ClientFile, ClientFile]]) -> None:
    """Show the changes, then write each file that changes."""
    for file, new in files:
        print(f"{change.client.title}: {file.path}\n{file.changes_to(new)}")
    for _, new in files:
        try:
            backup = new.write()
        except OSError as error:  # its own text names the temporary file
            raise OSError(f"{new.path} cannot be written: {error.strerror}") from error
        print(f"Written{f'; the previous file was copied to {backup}' if backup else ''}.")
    print(next_step(change))


def next_step(change: EntryChange) -> str:
    """Return what the user does, or sees, after the change."""
    return change.client.after_change if change.options is None else change.client.next_step


def run_skills(options: Mapping[str, Any]) -> int:
    """List the skills, or write them into a client's folder, in place of those of the same names."""
    if client := options.get("install"):
        install_skills(Path.home() / SKILL_FOLDERS[client])
    else:
        for skill in built_in_skills():
            print(f"{skill.name}\n    {skill.description}")
    return 0


def install_skills(folder: Path) -> None:
    """Write each skill into a folder of its own, and print where."""
    for skill in built_in_skills():
        file = folder / skill.name / "SKILL.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(skill.text.encode())
        print(file)
