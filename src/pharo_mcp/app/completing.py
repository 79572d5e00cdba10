"""Completion of the parameters of prompts and resource templates, from the image."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.refusals import UnknownClass
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Complete, Completion

NAMES = {"className": "class", "selector": "selector", "packageName": "package"}
"""The kind of name that the image completes, by the name of the parameter."""
WORDS = {"side": ("class", "instance")}
"""The values of the parameters that have fixed values."""


def complete_from(image: ImageClient) -> Complete:
    """A function that completes parameters with names in an image."""

    def complete(name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
        if name in WORDS:
            words = tuple(word for word in WORDS[name] if word.startswith(begun))
            return Completion(words, len(words))
        if name not in NAMES:
            return Completion()
        kind = NAMES[name]
        class_name = filled.get("className") if kind == "selector" else None
        try:
            found = image.code.complete(kind, begun, class_name)
        except UnknownClass:  # perhaps its name is not complete yet
            return Completion()
        return Completion(found.values, found.total)

    return complete
