"""The computer we run on, as far as it decides where things are."""

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
}
"""Where a folder is whose variable is not set."""


class Host(NamedTuple):
    """A system (`macos`, `windows` or `linux`), a person's home folder, and the environment."""

    system: str
    home: str
    environ: Mapping[str, str]

    @classmethod
    def current(cls) -> "Host":
        """This one."""
        home = os.environ.get("HOME") or os.path.expanduser("~")
        return cls(SYSTEMS.get(sys.platform, "linux"), home, os.environ)

    def expand(self, pattern: str) -> str:
        """A path with `~` and `%NAME%` replaced."""
        return os.path.normpath(self._replaced(pattern, str))

    def places(self, pattern: str) -> Iterator[str]:
        """The files that a pattern means, there or not, of which the folder is there."""
        folder, name = os.path.split(self._replaced(pattern, escape))
        for found in sorted(glob(folder)):
            if os.path.isdir(found):
                yield os.path.normpath(os.path.join(found, name))

    def _replaced(self, pattern: str, quoted: Callable[[str], str]) -> str:
        named = re.sub(r"%(\w+)%", lambda found: self._folder(found[1], quoted), pattern)
        return re.sub(r"^~(?=/|$)", lambda _: quoted(self.home), named)

    def _folder(self, name: str, quoted: Callable[[str], str]) -> str:
        known = self.environ.get(name)
        return quoted(known) if known else DEFAULTS.get(name, f"%{name}%")
