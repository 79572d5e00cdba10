"""What can be set, on the command line and in the environment."""

from collections.abc import Mapping
from typing import Any, NamedTuple

CHOICES = ("url", "image", "stand_in", "launch")
ENVIRONMENT = {
    "url": "PHARO_MCP_URL",
    "token": "PHARO_MCP_TOKEN",
    "image": "PHARO_MCP_IMAGE",
    "tools": "PHARO_MCP_TOOLS",
}
READ_ONLY = "PHARO_MCP_READ_ONLY"
NO = ("", "0")
"""What that may say to mean no; whatever else means yes, for that is the safe one."""
TOOLS = ("core", "all")


class Settings(NamedTuple):
    """Which image to work in, what to offer of it (`read_only`: nothing that can change it), what to send.

    `tools` says which are listed: those of most use (`core`), or `all`.
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
            kept = ("tools", "token") if "url" in given else ("tools",)
            told = {name: told[name] for name in kept if name in told}
        read_only = environ.get(READ_ONLY, "") not in NO
        settings = cls(**{"read_only": read_only, **told, **given})
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
