"""The settings of a session, and the instructions that the model gets at its beginning."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.times import EVALUATION_SECONDS, MAX_EVALUATION_SECONDS

IMAGE_CHOICES = ("url", "image", "practice", "launch")
"""The settings of which each chooses an image."""
ENVIRONMENT = {
    "url": "PHARO_MCP_URL",
    "token": "PHARO_MCP_TOKEN",
    "image": "PHARO_MCP_IMAGE",
    "tools": "PHARO_MCP_TOOLS",
    "timeout": "PHARO_MCP_TIMEOUT",
}
READ_ONLY = "PHARO_MCP_READ_ONLY"
CONFIRM = "PHARO_MCP_CONFIRM"
PRACTICE = "PHARO_MCP_PRACTICE"
FALSE_VALUES = ("", "0", "false", "no", "off")
"""Values of these three that mean false; every other value means true, the safer one."""


class Settings(NamedTuple):
    """The image to use, and how to serve it.

    At most one of `url`, `image` (a name or a URL), `practice` and `launch` (an image file that the virtual
    machine `vm` starts, without windows if `headless`) is set; with none, the only live image is used. A
    practice image loads the Tonel packages in the folders `load`.
    `tools` are `all`, `core` to list only the most useful, or the names of the only ones. `read_only` offers
    only tools that cannot change the image; `confirm` has the person asked before a tool destroys something.
    `timeout` is the time limit of an evaluation in seconds, unless the call sets one.
    """

    url: str | None = None
    token: str | None = None
    image: str | None = None
    practice: bool = False
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

        Raises:
            ValueError: If the settings are invalid; the message does not repeat a token.
        """
        chosen = {name: value for name, value in (options or {}).items() if value}
        inherited: dict[str, Any] = {
            name: environ[key] for name, key in ENVIRONMENT.items() if environ.get(key)
        }
        if _is_true(environ, PRACTICE):
            inherited["practice"] = True
        if chosen.keys() & set(IMAGE_CHOICES):  # replaces the environment's choice; a token is for a URL
            kept = {"tools", "timeout", "token"} if "url" in chosen else {"tools", "timeout"}
            inherited = {name: value for name, value in inherited.items() if name in kept}
        switches = {"read_only": _is_true(environ, READ_ONLY), "confirm": _is_true(environ, CONFIRM)}
        values = {**switches, **inherited, **chosen}
        if "timeout" in values:
            values["timeout"] = _seconds(values["timeout"])
        values["load"] = tuple(values.get("load", ()))
        settings = cls(**values)
        settings.check()
        return settings

    def check(self) -> None:
        """Raise ValueError if the settings are invalid."""
        if sum(bool(getattr(self, choice)) for choice in IMAGE_CHOICES) > 1:
            raise ValueError(
                "--url, --image, --practice and --launch exclude each other: use at most one of them"
            )
        if self.load and not self.practice:
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


def _is_true(environ: Mapping[str, str], variable: str) -> bool:
    return environ.get(variable, "").lower() not in FALSE_VALUES


def _seconds(value: str | float) -> float:
    try:
        number = float(value)
    except ValueError:
        raise ValueError(f"{value} is not a number of seconds (--timeout, PHARO_MCP_TIMEOUT)") from None
    if not 0 < number <= MAX_EVALUATION_SECONDS:
        raise ValueError(
            f"--timeout (PHARO_MCP_TIMEOUT) must be greater than 0 and at most {MAX_EVALUATION_SECONDS}, "
            f"not {value}"
        )
    return number


INTRODUCTION = """\
These tools work in a live Pharo Smalltalk image: a running system of objects, whose windows the user \
often sees. There are no files to edit."""

LASTING = """\
What you define or evaluate takes effect at once and lasts until the user quits the image without saving \
it."""


class Rule(NamedTuple):
    """A rule for working with the tools; `changing` ones are for sessions that can change the image."""

    text: str
    changing: bool = False


RULES = (
    Rule("""\
Do several things in one call. `read_code` reads whole packages, and any classes and methods, as one text. \
`search` finds names, implementors, senders and text. Rely on the image, not on memory, for classes and \
selectors."""),
    Rule(
        """\
Change code with `edit_code` rather than `evaluate`: any number of classes and methods by one text, which \
are then tried and tested: {"text": "Object << #ShOrder slots: { #lines }; package: 'Shop'\\n\\n\
ShOrder >> total [\\n\\t^ lines size\\n]", "tests": ["Shop-Tests"]}. If anything in the text is wrong, \
nothing changes. Keep methods short and comment classes.""",
        changing=True,
    ),
    Rule(
        """\
Run tests with each change, by `edit_code`, `evaluate` or `run_tests` (whose `read` shows code, too). A \
failure comes with its stack; read the methods on it before you change anything. With on_error `pause` it \
stops where it fails, to be corrected and continued.""",
        changing=True,
    ),
    Rule(
        """\
Try ideas with `evaluate`. It keeps undeclared variables for later calls. It can do whatever the image \
can: ask the user before you touch files, other images or the running program.""",
        changing=True,
    ),
    Rule(
        """\
Answers name the changes of code that they made, by number. `undo_change` undoes one change, or all after \
a number. `list_changes` lists them. An undo never overwrites what the user has changed since.""",
        changing=True,
    ),
    Rule("An error begins with its cause; the next step often follows."),
    Rule(
        """\
If an error reports that something may have run, check before you repeat the call. Long work returns an \
evaluation_id to wait for.""",
        changing=True,
    ),
    Rule("Save the image only if the user asks.", changing=True),
    Rule("""\
The image can offer tools, resources and prompts of its own, which are listed beside these."""),
)

READ_ONLY_SESSION = """\
This session is read-only: tools that can change the image are not available, evaluating code and running \
tests included."""

NOT_LISTED = """\
Not listed, but callable: {tools}."""


def instructions(tools: str = "all", *, read_only: bool) -> str:
    """Return the instructions for a session with `--tools`; rules about tools that it lacks are left out."""
    absent: frozenset[str] = frozenset()
    callable_too: list[str] = []
    if tools != "all":
        from pharo_mcp.tools.all import NAMES, TOOLS, chosen_tools  # here: the handshake does without

        absent = NAMES - {tool.name for tool in chosen_tools(tools).tools}
        if tools == "core":
            unlisted = (tool for tool in TOOLS if not tool.core)
            callable_too = [tool.name for tool in unlisted if tool.reads_only or not read_only]
    rules = [
        rule.text
        for rule in RULES
        if not (read_only and rule.changing) and absent.isdisjoint(rule.text.split("`"))
    ]
    numbered = "\n".join(f"{number}. {rule}" for number, rule in enumerate(rules, 1))
    paragraphs = [f"{INTRODUCTION} {READ_ONLY_SESSION if read_only else LASTING}", numbered]
    if callable_too:
        paragraphs.append(NOT_LISTED.format(tools=", ".join(callable_too)))
    return "\n\n".join(paragraphs)
