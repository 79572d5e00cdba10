"""Words for the blanks of prompts and of resource templates, from the image."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient, UnknownClass
from pharo_mcp.protocol import Call, Complete, Completion

NAMES = {"className": "class", "selector": "selector", "packageName": "package"}
"""What kind of name in the image goes into a blank, by its own name: of all prompts and templates."""
WORDS = {"side": ("class", "instance")}
"""The words that go into a blank."""


def complete_from(image: ImageClient) -> Complete:
    """Completes names as the image has them."""

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
        except UnknownClass:  # its name is still being written, perhaps
            return Completion()
        return Completion(found.values, found.total)

    return complete
