"""The operating system and the user's folders."""

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from glob import escape, glob
from typing import NamedTuple

SYSTEMS = {"darwin": "macos", "win32": "windows"}
DEFAULTS = {
    "APPDATA": "~/AppData/Roaming",
    "LOCALAPPDATA": "~/AppData/Local",
    "XDG_CONFIG_HOME": "~/.config",
    "CLAUDE_CONFIG_DIR": "~",
    "CODEX_HOME": "~/.codex",
}
"""Folders to use where the environment variable is not set."""


class Host(NamedTuple):
    """An operating system (`macos`, `windows` or `linux`), the user's home folder, and the environment."""

    system: str
    home: str
    environ: Mapping[str, str]

    @classmethod
    def current(cls) -> "Host":
        """The computer that pharo-mcp runs on."""
        home = os.environ.get("HOME") or os.path.expanduser("~")
        return cls(SYSTEMS.get(sys.platform, "linux"), home, os.environ)

    def expand(self, pattern: str) -> str:
        """A path with `~` and `%NAME%` replaced."""
        return os.path.normpath(self._replace_variables(pattern, str))

    def paths(self, pattern: str) -> Iterator[str]:
        """The paths that match a pattern and whose folders exist; the files themselves need not exist."""
        folder, name = os.path.split(self._replace_variables(pattern, escape))
        for match in sorted(glob(folder)):
            if os.path.isdir(match):
                yield os.path.normpath(os.path.join(match, name))

    def is_in_home(self, path: str) -> bool:
        """Whether a file is in the home folder itself, not in a folder below."""
        return os.path.dirname(path) == os.path.normpath(self.home)

    def _replace_variables(self, pattern: str, quote: Callable[[str], str]) -> str:
        replaced = re.sub(r"%(\w+)%", lambda match: self._folder(match[1], quote), pattern)
        return re.sub(r"^~(?=/|$)", lambda _: quote(self.home), replaced)

    def _folder(self, name: str, quote: Callable[[str], str]) -> str:
        value = self.environ.get(name)
        return quote(value) if value else DEFAULTS.get(name, f"%{name}%")
