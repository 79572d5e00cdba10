"""The subset of JSON Schema that the hosts of all models take."""

from collections.abc import Iterator, Mapping

UNIONS = {"anyOf", "oneOf", "allOf", "not", "$ref", "if", "const", "prefixItems", "patternProperties"}
TYPES = {"string", "number", "integer", "boolean", "array", "object"}


def beyond_the_subset(schema: object, path: str = "schema") -> Iterator[str]:
    """What goes beyond it: where, and what is there."""
    if not isinstance(schema, Mapping):
        yield f"{path} is {schema!r}"
        return
    if schema.get("type") not in TYPES:
        yield f"{path} has the type {schema.get('type')!r}"
    yield from (f"{path} has {keyword}" for keyword in sorted(UNIONS & schema.keys()))
    if schema.get("type") == "array" and "items" not in schema:
        yield f"{path} has no items"
    if "enum" in schema and not schema["enum"]:
        yield f"{path} has an empty enum"
    for name, each in schema.get("properties", {}).items():
        yield from beyond_the_subset(each, f"{path}.{name}")
    if "items" in schema:
        yield from beyond_the_subset(schema["items"], f"{path}[]")
    if isinstance(schema.get("additionalProperties"), Mapping):
        yield from beyond_the_subset(schema["additionalProperties"], f"{path}.*")
