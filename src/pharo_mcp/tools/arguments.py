"""What the schemas of several tools have in common."""

from collections.abc import Mapping

from pharo_mcp.protocol import Schema

Property = Mapping[str, object]


def arguments(required: tuple[str, ...] = (), **properties: Property) -> Schema:
    """The schema of arguments with these names; nothing else may be given."""
    schema: dict[str, object] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = list(required)
    return Schema({**schema, "additionalProperties": False})


def text(description: str, **rules: object) -> Property:
    """A string."""
    return {"type": "string", **rules, "description": description}


def name(description: str) -> Property:
    """A string that is not empty."""
    return text(description, minLength=1)


def names(description: str) -> Property:
    """A list of strings."""
    return {"type": "array", "items": {"type": "string"}, "description": description}


def choice(description: str, *words: str, default: str | None = None) -> Property:
    """One of some words."""
    rules: dict[str, object] = {"enum": list(words)}
    return text(description, **rules if default is None else {**rules, "default": default})


def flag(description: str, *, default: bool) -> Property:
    """Yes or no."""
    return {"type": "boolean", "default": default, "description": description}


def integer(description: str, **rules: object) -> Property:
    """A whole number."""
    return {"type": "integer", **rules, "description": description}


def seconds(description: str, **rules: object) -> Property:
    """A length of time."""
    return {"type": "number", **rules, "description": description}


CLASS_NAME = name("Class or trait.")
SELECTOR = text("Like `at:put:`.")
SIDE = choice("`class`: its class side.", "instance", "class")  # no default: `Foo class` says it, too
PREVIEW = flag("Only tell the impact; false does it.", default=True)
CONFIRM = {"type": "boolean", "description": "Also change kernel code."}
CURSOR = text("As the last page told.")
