"""The settings of a session: from the command line, the environment, and defaults."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.times import EVALUATION_SECONDS, MAX_EVALUATION_SECONDS

IMAGE_CHOICES = ("url", "image", "practice", "or_practice", "launch")
"""The settings of which each chooses an image."""
ENVIRONMENT = {
    "url": "PHARO_MCP_URL",
    "token": "PHARO_MCP_TOKEN",
    "image": "PHARO_MCP_IMAGE",
    "tools": "PHARO_MCP_TOOLS",
    "timeout": "PHARO_MCP_TIMEOUT",
    "practice": "PHARO_MCP_PRACTICE",
    "read_only": "PHARO_MCP_READ_ONLY",
    "confirm": "PHARO_MCP_CONFIRM",
}
SWITCHES = ("practice", "read_only", "confirm")
FALSE_VALUES = ("", "0", "false", "no", "off")
"""Values of switches that mean false; every other value means true, the safer one."""


class InvalidSettings(ValueError):
    """The settings are invalid; the message says why, and does not repeat a token."""


class Settings(NamedTuple):
    """The image to use, and how to serve it.

    At most one of `url`, `image` (a name or a URL), `practice`, `or_practice` (where no image is live) and
    `launch` (an image file that the virtual machine `vm` starts, without windows if `headless`) is set; with
    none, the only live image is used. A practice image loads the Tonel packages in the folders `load`.
    `tools` are `all`, `core` to list only the most useful, or the names of the only ones. `read_only` offers
    only tools that cannot change the image; `confirm` has the person asked before a tool destroys something.
    `timeout` is the time limit of an evaluation in seconds, unless the call sets one.
    """

    url: str | None = None
    token: str | None = None
    image: str | None = None
    practice: bool = False
    or_practice: bool = False
    load: tuple[str, ...] = ()
    read_only: bool = False
    tools: str = "all"
    timeout: float = EVALUATION_SECONDS
    launch: str | None = None
    vm: str | None = None
    headless: bool = False
    confirm: bool = False

    @classmethod
    def read(cls, environ: Mapping[str, str], options: Mapping[str, Any] | None = None) -> "Settings":
        """Merge the command line's options, which take precedence, with the environment.

        Options for anything else are ignored.

        Raises:
            InvalidSettings: If they are invalid.
        """
        chosen = {name: value for name, value in (options or {}).items() if value and name in cls._fields}
        inherited: dict[str, Any] = {
            name: environ[key] for name, key in ENVIRONMENT.items() if environ.get(key)
        }
        for switch in inherited.keys() & set(SWITCHES):
            inherited[switch] = inherited[switch].lower() not in FALSE_VALUES
        if chosen.keys() & set(IMAGE_CHOICES):  # replaces the environment's choice; a token is for a URL
            replaced = {*IMAGE_CHOICES} if "url" in chosen else {*IMAGE_CHOICES, "token"}
            inherited = {name: value for name, value in inherited.items() if name not in replaced}
        values = {**inherited, **chosen}
        values["load"] = tuple(values.get("load", ()))
        try:
            values["timeout"] = time_limit(values.get("timeout", EVALUATION_SECONDS))
            settings = cls(**values)
            settings.check()
        except ValueError as error:
            raise InvalidSettings(str(error)) from error
        return settings

    def check(self) -> None:
        """Raise ValueError if the settings are invalid."""
        if sum(bool(getattr(self, choice)) for choice in IMAGE_CHOICES) > 1:
            raise ValueError(
                "--url, --image, --practice, --or-practice and --launch exclude each other: "
                "use at most one of them"
            )
        if self.load and not (self.practice or self.or_practice):
            raise ValueError("--load is for the practice image: add --practice (PHARO_MCP_PRACTICE=1)")
        if self.tools != "all":
            from pharo_mcp.tools.all import chosen_tools  # here: the handshake does without the tools

            chosen_tools(self.tools)
        if self.token and not self.url:
            raise ValueError("a token requires a URL: set --url (PHARO_MCP_URL) too, or omit the token")
        if url := self.url or self.image_url():
            Address.parse(url, self.token or "none")

    @property
    def chooses_image(self) -> bool:
        """Whether an image is chosen, and not left to be found."""
        return any(getattr(self, choice) for choice in IMAGE_CHOICES)

    def image_url(self) -> str | None:
        """Return the URL of the image, if it was given instead of its name."""
        return self.image if self.image and "://" in self.image else None


def time_limit(value: str | float) -> float:
    """Return the time limit of an evaluation that a person has given.

    Raises:
        ValueError: If it is not one.
    """
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"{value} is not a number of seconds (--timeout, PHARO_MCP_TIMEOUT)") from None
    if not 0 < number <= MAX_EVALUATION_SECONDS:
        raise ValueError(
            f"must be greater than 0 and at most {MAX_EVALUATION_SECONDS} seconds, not {value} "
            "(--timeout, PHARO_MCP_TIMEOUT)"
        )
    return number
