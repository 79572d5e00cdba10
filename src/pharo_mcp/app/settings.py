"""What can be set, on the command line and in the environment."""

from collections.abc import Mapping
from typing import Any, NamedTuple

CHOICES = ("url", "image", "stand_in", "launch")
ENVIRONMENT = {
    "url": "PHARO_MCP_URL",
    "token": "PHARO_MCP_TOKEN",
    "image": "PHARO_MCP_IMAGE",
    "tools": "PHARO_MCP_TOOLS",
    "timeout": "PHARO_MCP_TIMEOUT",
}
READ_ONLY = "PHARO_MCP_READ_ONLY"
NO = ("", "0", "false", "no", "off")
"""What that may say to mean no; whatever else means yes, for that is the safe one."""
LONGEST = 3600
"""Seconds that an evaluation may take at most."""
TOOLS = ("core", "all")


class Settings(NamedTuple):
    """Which image to work in, what to offer of it (`read_only`: nothing that can change it), what to send.

    `tools` says which are listed: those of most use (`core`), or `all`. `timeout` is how many seconds an
    evaluation may take unless its caller says so.
    At most one of `url`, `image` (a name), `stand_in` and `launch` (an image file, to be started by the
    virtual machine `vm`, without windows if `headless`) is chosen; without, the one live image is meant.
    """

    url: str | None = None
    token: str | None = None
    image: str | None = None
    stand_in: bool = False
    structured: bool = False
    read_only: bool = False
    tools: str = "core"
    timeout: float = 20
    launch: str | None = None
    vm: str | None = None
    headless: bool = False

    @classmethod
    def read(cls, environ: Mapping[str, str], options: Mapping[str, Any] | None = None) -> "Settings":
        """The command line's options, and what the environment says where they leave it open.

        Raises:
            ValueError: If they cannot be followed; the sentence says why, and repeats no token.
        """
        given = {name: value for name, value in (options or {}).items() if value}
        told = {name: environ[variable] for name, variable in ENVIRONMENT.items() if environ.get(variable)}
        if given.keys() & set(CHOICES):  # replaces the choice of the environment, save a token for its URL
            kept = {"tools", "timeout", "token"} if "url" in given else {"tools", "timeout"}
            told = {name: value for name, value in told.items() if name in kept}
        read_only = environ.get(READ_ONLY, "").lower() not in NO
        wanted: dict[str, Any] = {"read_only": read_only, **told, **given}
        if "timeout" in wanted:
            wanted["timeout"] = _seconds(wanted["timeout"])
        settings = cls(**wanted)
        settings.check()
        return settings

    def check(self) -> None:
        """Raise ValueError if these cannot be followed."""
        if sum(bool(getattr(self, choice)) for choice in CHOICES) > 1:
            raise ValueError(
                "give one of --url, --image, --stand-in and --launch; none means the one live image"
            )
        if self.tools not in TOOLS:
            raise ValueError(f"there are no tools {self.tools}: say core or all (--tools, PHARO_MCP_TOOLS)")
        if self.token and not self.url:
            raise ValueError("a token belongs to an address: give --url (PHARO_MCP_URL) too, or no token")
        if self.url:
            from pharo_mcp.image import Address  # here, since most have none and its import takes time

            Address.parse(self.url, self.token or "none")


def _seconds(word: str | float) -> float:
    try:
        number = float(word)
    except ValueError:
        number = 0
    if not 0 < number <= LONGEST:
        raise ValueError(
            f"{word} is no timeout: give seconds, {LONGEST} at most (--timeout, PHARO_MCP_TIMEOUT)"
        )
    return number
