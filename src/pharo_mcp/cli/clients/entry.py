"""The entry in a client's configuration that starts pharo-mcp."""

import os
import re
import shutil
import sys
from itertools import takewhile
from pathlib import PurePath
from typing import NamedTuple

from pharo_mcp.cli.options import SERVING

UV_CACHES = ("archive-v0", "environments-v2")
"""Folders of uv's temporary environments, which it may delete after a run of `uvx`."""

PROGRAM = re.compile(r"pharo[-_]mcp(\.exe|[\[@=~<>].*)?")
RUNNER = re.compile(r"(python[\d.]*|py|uvx?|pipx)(\.exe)?")
"""Programs that start pharo-mcp on this computer, such as `uvx pharo-mcp` and `python -m pharo_mcp`."""
TAKES_VALUE = {option.flag: option.parse is not None for option in SERVING}


class Entry(NamedTuple):
    """A command and its arguments."""

    command: str
    args: tuple[str, ...]

    def members(self, *, in_one_list: bool = False) -> dict[str, object]:
        """The members of an object that hold it: a command and a list of arguments, or one list of both."""
        if in_one_list:
            return {"command": list(self.words)}
        return {"command": self.command, "args": list(self.args)}

    @classmethod
    def read(cls, value: object) -> "Entry | None":
        """An entry that starts pharo-mcp on this computer; None for any other value."""
        match value:
            case {"command": [command, *args]} | {"command": str(command), "args": list(args)} if all(
                isinstance(word, str) for word in (command, *args)
            ):
                entry = cls(command, tuple(args))
            case {"command": str(), "args": _}:
                return None
            case {"command": str(command)}:
                entry = cls(command, ())
            case _:
                return None
        return entry if entry.options_start is not None else None

    @property
    def options_start(self) -> int | None:
        """Where the options of pharo-mcp begin in the arguments; None if this starts another program."""
        if PROGRAM.fullmatch(_name(self.command)):
            return 0
        if not RUNNER.fullmatch(_name(self.command)):
            return None
        before_options = list(takewhile(lambda word: word.partition("=")[0] not in TAKES_VALUE, self.args))
        places = [place for place, word in enumerate(before_options) if PROGRAM.fullmatch(_name(word))]
        return places[-1] + 1 if places else None

    @property
    def options(self) -> tuple[str, ...]:
        """The arguments that are options of pharo-mcp, with their values."""
        return self.args[self.options_start :]

    def updating(self, old: "Entry") -> "Entry":
        """This entry with the options of an older one that it does not set itself."""
        options = {**_by_flag(old.options), **_by_flag(self.options)}
        launcher = self.args[: self.options_start]
        return Entry(self.command, (*launcher, *(word for words in options.values() for word in words)))

    @property
    def words(self) -> tuple[str, ...]:
        """The command line as a tuple."""
        return (self.command, *self.args)


def own_entry(args: tuple[str, ...] = ()) -> Entry:
    """The entry that starts this installation. Its path is absolute, because clients have their own PATH."""
    uvx = shutil.which("uvx")
    if uvx and set(UV_CACHES) & set(PurePath(sys.prefix).parts):
        return Entry(os.path.abspath(uvx), ("pharo-mcp", *args))
    script = os.path.join(os.path.dirname(sys.executable), "pharo-mcp" + (".exe" if os.name == "nt" else ""))
    if os.path.exists(script):
        return Entry(script, args)
    return Entry(sys.executable, ("-m", "pharo_mcp", *args))


def _by_flag(options: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The words of each option, by its flag."""
    remaining = iter(options)
    found: dict[str, tuple[str, ...]] = {}
    for word in remaining:
        flag, equals, _ = word.partition("=")
        value = (next(remaining, ""),) if TAKES_VALUE.get(flag) and not equals else ()
        found[flag] = (*found.get(flag, ()), word, *value)
    return found


def _name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]
