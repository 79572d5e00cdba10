"""What a tool declares, in one place: `tool` makes a declaration of the function that does its work.

    @tool("image", schema_of_arguments(), READS)
    def get_version(image, arguments, call):
        "Show the versions of Pharo and pharo-mcp."
        ...

The name of the function is the tool's, its docstring is the description that clients list. The handler asks
the image, and returns or yields the lines of its text, or a ToolResult. Below are the schemas of arguments,
and MCP's annotations.

`openWorldHint` is left out of all annotations: no client decides by it, its default is the careful one, and
every session reads the list.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from pharo_mcp.handlers import ToolHandler, run_handler
from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.catalog import Tool
from pharo_mcp.protocol.schema import NOT_BLANK, Schema
from pharo_mcp.times import MAX_WAIT_SECONDS

Property = Mapping[str, object]

UNLISTED = {
    "additionalProperties",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maximum",
    "minItems",
    "minLength",
    "minimum",
    "pattern",
}
"""Rules that are checked, with errors that explain them, but not listed: few calls break them."""
WORDS = {"type": "string", "pattern": NOT_BLANK}
"""The schema of a string that is not empty."""
LISTED_OF_ITEMS = ("type", "enum")
"""What is listed of the items of an array; its description says the rest."""


def schema_of_arguments(required: tuple[str, ...] = (), **properties: Property) -> Schema:
    """Return the schema of an object with these properties and no others."""
    schema: dict[str, object] = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return Schema(schema, listed=_listed(schema))


def _listed(schema: Property) -> Property:
    """Return what is listed of a schema, of its properties and of its items: the first of several types.

    Hosts of Gemini models refuse all tools of a server for one schema without a type, or with several.
    """
    listed = {rule: value for rule, value in schema.items() if rule not in UNLISTED}
    if not listed.get("default", True):
        del listed["default"]  # false, 0 or nothing, as one expects
    match schema:
        case {"properties": Mapping() as properties}:
            listed["properties"] = {name: _listed(each) for name, each in properties.items()}
        case {"items": Mapping() as items}:
            listed["items"] = {rule: each for rule, each in _listed(items).items() if rule in LISTED_OF_ITEMS}
        case {"type": [first, *_]}:
            listed["type"] = first
    return listed


def any_string(description: str, **rules: object) -> Property:
    """Return the schema of a string that may be empty."""
    return {"type": "string", **rules, "description": description}


def string(description: str, **rules: object) -> Property:
    """Return the schema of a string; an empty one counts as left out if it may be left out."""
    return {**WORDS, **rules, "description": description}


def names(description: str) -> Property:
    """Return the schema of a list of strings, none of them empty."""
    return {"type": "array", "items": WORDS, "description": description}


def names_of_tests(when: str = "") -> Property:
    """Return the schema of the names of tests to run, which `tests_in` reads."""
    named = "Packages, classes or tests (`ShOrderTest>>testTotal`) to run"
    return names(f"{named}{when}; or `affected`, those that reach what changed.")


def choice(description: str, *words: str, default: str | None = None) -> Property:
    """Return the schema of one of some words."""
    rules: dict[str, object] = {"enum": list(words)}
    return any_string(description, **rules if default is None else {**rules, "default": default})


def choices(description: str, *words: str, **rules: object) -> Property:
    """Return the schema of a list of some of these words."""
    items = {"type": "string", "enum": list(words)}
    return {"type": "array", "items": items, **rules, "description": description}


def flag(description: str, *, default: bool) -> Property:
    """Return the schema of a boolean."""
    return {"type": "boolean", "default": default, "description": description}


def integer(description: str, **rules: object) -> Property:
    """Return the schema of an integer."""
    return {"type": "integer", **rules, "description": description}


def number(description: str, **rules: object) -> Property:
    """Return the schema of a number."""
    return {"type": "number", **rules, "description": description}


def wait_seconds(description: str, **rules: object) -> Property:
    """Return the schema of how long to wait for an evaluation."""
    return number(f"{description}, at most {MAX_WAIT_SECONDS}.", minimum=0, **rules)


SIDES = ["instance", "class"]
CLASS_NAME = string("Class or trait.")
SELECTOR = string("Selector of the method.")
# Without a default: the image also accepts `Foo class` as class_name for the class side.
SIDE = choice("Side; default: instance.", *SIDES)
# Without a default: an image previews what affects other code, and only that.
PREVIEW = {"type": "boolean", "description": "Only report; default if it affects other code."}
CONFIRM = {"type": "boolean", "description": "Also change kernel code."}
ON_ERROR = choice("Report an error (default), or pause on it.", "report", "pause")
CURSOR = string("`next_cursor` of the previous page; repeat its arguments.")

READS = {"readOnlyHint": True}
"""The tool changes nothing."""

ADDS = {"destructiveHint": False}
"""The tool changes the image; undo_change can restore everything that it replaces."""

ANYTHING = {"destructiveHint": True}
"""The tool runs code, which can do anything, outside of the image, too."""

DESTROYS = {"destructiveHint": True}
"""The tool removes or replaces something."""


class BuiltInTool(NamedTuple):
    """A tool as it is declared; `make` makes the tool for an image.

    Attributes:
        name: Its name, as clients call it.
        group: The heading it belongs under in documentation.
        description: What clients list.
        arguments: The schema of its arguments, or what returns it for an image.
        annotations: MCP's hints.
        handler: Does its work.
        core: Whether `--tools core` lists it, as tests/scenarios/README.md decides; the other tools can be
            called too.
        takes_long: Whether its calls can be tasks.
    """

    name: str
    group: str
    description: str
    arguments: Schema | Callable[[ImageClient], Schema]
    annotations: Mapping[str, bool]
    handler: ToolHandler
    core: bool
    takes_long: bool

    @property
    def reads_only(self) -> bool:
        """Whether it can change nothing in the image; only such tools exist in a read-only session."""
        return self.annotations.get("readOnlyHint", False)

    def make(self, image: ImageClient) -> Tool:
        """Make the tool for an image."""
        schema = self.arguments if isinstance(self.arguments, Schema) else self.arguments(image)
        longest = schema.properties.get("max_characters", {}).get("maximum")
        handler = partial(run_handler, self.handler, image)
        return Tool(self.name, self.description, schema, handler, self.annotations, longest=longest)


def tool(
    group: str,
    arguments: Schema | Callable[[ImageClient], Schema],
    annotations: Mapping[str, bool],
    *,
    core: bool = False,
    takes_long: bool = False,
) -> Callable[[ToolHandler], BuiltInTool]:
    """Declare a tool by its handler; see BuiltInTool."""

    def declare(handler: ToolHandler) -> BuiltInTool:
        description = " ".join((handler.__doc__ or "").split())
        return BuiltInTool(
            handler.__name__, group, description, arguments, annotations, handler, core, takes_long
        )

    return declare
