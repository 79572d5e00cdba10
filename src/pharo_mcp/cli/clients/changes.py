"""Add pharo-mcp to a client's file, change what is ours in an entry, or remove it."""

from pharo_mcp.app.settings import Settings
from pharo_mcp.cli.commands import serving_options

from .client_file import ClientFile
from .entry import Entry
from .known_clients import Client


class Refused(Exception):
    """A change that is not made; the message says why, and `fix` what to do."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def with_server(client: Client, file: ClientFile, name: str, entry: Entry) -> ClientFile:
    """The file with an entry.

    In an existing one only the command and the options that are given change.

    Raises:
        Refused: If another server has that name, or its options exclude those that are given.
    """
    path = (client.key, name)
    current = file.servers(client.key).get(name)
    if current is None:
        return file.with_value(path, client.value(entry))
    old = _ours(client, file, name, current)
    new = entry.updating(old)
    _check(client, file, new)
    before = old.members(in_one_list=client.in_one_list)
    for member, value in new.members(in_one_list=client.in_one_list).items():
        if value != before[member]:
            file = file.with_value((*path, member), value)
    return file


def without_server(client: Client, file: ClientFile, name: str) -> ClientFile:
    """The file without an entry.

    Raises:
        Refused: If another server has that name.
    """
    current = file.servers(client.key).get(name)
    if current is None:
        return file
    _ours(client, file, name, current)
    return file.without((client.key, name))


def own_servers(client: Client, file: ClientFile) -> set[str]:
    """The names of the entries that start pharo-mcp on this computer."""
    return {name for name, entry in file.servers(client.key).items() if Entry.read(entry)}


def _ours(client: Client, file: ClientFile, name: str, entry: object) -> Entry:
    """The entry, if it starts pharo-mcp on this computer."""
    if ours := Entry.read(entry):
        return ours
    raise Refused(
        f"in {file.path}, {name} is another server, or one that `pharo-mcp setup` did not write",
        "Choose another name with --name",
    )


def _check(client: Client, file: ClientFile, entry: Entry) -> None:
    try:
        options = serving_options(entry.options)
        Settings.read({}, {key: value for key, value in options.items() if key in Settings._fields})
    except ValueError as error:
        raise Refused(
            f"with the options that {file.path} has already: {error}",
            f"Remove the entry first with `pharo-mcp setup {client.name} --remove`",
        ) from error
