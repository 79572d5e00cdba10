"""Parameters of tools that clients repeat in HTTP headers, for proxies.

Source: the Streamable HTTP transport in the specification of 2026-07-28.
"""

import re
from collections.abc import Iterator, Mapping

ANNOTATION = "x-mcp-header"
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
TYPES = ("integer", "string", "boolean")

Path = tuple[str, ...]
"""The names of the properties that lead to a parameter."""


def header_parameters(schema: Mapping[str, object]) -> Mapping[Path, str]:
    """Return the names of the headers of a tool, by the paths of the parameters that they repeat.

    Raises:
        ValueError: If an annotation is not valid: clients would leave out the tool.
    """
    found = dict(_reachable(schema))
    names = [name.lower() for name in found.values()]
    if len(set(names)) < len(names):
        raise ValueError(f"two of its parameters have the same {ANNOTATION}")
    if sum(1 for _ in _annotations(schema)) > len(found):
        raise ValueError(f"{ANNOTATION} is only for properties and for their own properties")
    return found


def text_in_header(value: object) -> str | None:
    """Return what a header says of a value; None if it is missing, or of a type that no header repeats."""
    match value:
        case bool():
            return str(value).lower()
        case int() | str():
            return str(value)
    return None


def _reachable(schema: Mapping[str, object], path: Path = ()) -> Iterator[tuple[Path, str]]:
    for name, each in _properties(schema).items():
        if not isinstance(each, Mapping):
            continue
        if ANNOTATION in each:
            yield (*path, name), _checked(name, each)
        yield from _reachable(each, (*path, name))


def _checked(name: str, schema: Mapping[str, object]) -> str:
    header = schema[ANNOTATION]
    if not isinstance(header, str) or not TOKEN.fullmatch(header):
        raise ValueError(f"the {ANNOTATION} of {name} is no name of a header")
    if schema.get("type") not in TYPES:
        raise ValueError(f"{name} has an {ANNOTATION} and is none of {', '.join(TYPES)}")
    return header


def _annotations(schema: object) -> Iterator[object]:
    """Return all annotations of a schema, wherever they are."""
    match schema:
        case Mapping():
            if ANNOTATION in schema:
                yield schema[ANNOTATION]
            for each in _properties(schema).values():
                yield from _annotations(each)
            for keyword, each in schema.items():
                if keyword not in ("properties", ANNOTATION, "const", "enum", "default", "examples"):
                    yield from _annotations(each)
        case list():
            for each in schema:
                yield from _annotations(each)


def _properties(schema: Mapping[str, object]) -> Mapping[str, object]:
    properties = schema.get("properties")
    return properties if isinstance(properties, Mapping) else {}
