"""Code of the image as paragraphs of Markdown."""

from collections.abc import Iterator, Sequence

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import ClassDetails, MethodProtocol, Package, method_name
from pharo_mcp.protocol.catalog import PromptMessage, PromptResult
from pharo_mcp.protocol.tools import TextContent

MOST = 60
"""Methods whose source a prompt includes."""
MOST_CHARACTERS = 40_000
"""Characters of source after which a prompt includes no further method."""


def prompt_of(description: str, paragraphs: Sequence[str]) -> PromptResult:
    """Return a prompt of one message."""
    return PromptResult(description, (PromptMessage(TextContent("\n\n".join(paragraphs))),))


def fenced(source: str) -> str:
    """Return Smalltalk source as a code block of Markdown."""
    return f"```smalltalk\n{source}\n```"


def class_paragraphs(details: ClassDetails) -> list[str]:
    """Return the definition and the comment of a class."""
    return [
        f"The definition of {details.name}, from the image:\n\n{fenced(details.definition or '')}",
        f"Its comment:\n\n{details.comment}" if details.comment else "It has no comment.",
    ]


def method_paragraphs(image: ImageClient, details: ClassDetails) -> Iterator[str]:
    """Yield the methods of both sides with their sources, as many as fit; then the names of the others."""
    selectors = [
        (side, selector)
        for side, protocols in (("instance", details.protocols), ("class", details.class_protocols))
        for selector in _selectors(protocols)
    ]
    if not selectors:
        yield "It has no methods."
        return
    room, shown = MOST_CHARACTERS, 0
    for side, selector in selectors[:MOST]:
        if room <= 0:
            break
        source = image.code.method(details.name, selector, side).source
        room, shown = room - len(source), shown + 1
        yield f"`{method_name(details.name, side, selector)}`\n\n{fenced(source)}"
    if rest := [method_name(details.name, *each) for each in selectors[shown:]]:
        yield f"Further methods, whose source `read_code` shows: {', '.join(rest)}"


def package_paragraphs(package: Package) -> Iterator[str]:
    """Yield the contents of a package."""
    for tag in package.tags:
        classes = [
            f"- {each.class_name}{' (trait)' if each.kind == 'trait' else ''}: {each.comment or 'no comment'}"
            for each in tag.classes
        ]
        yield "\n".join(
            (f"Classes tagged {tag.name}:" if tag.name else "Classes without a tag:", "", *classes)
        )
    if package.extensions:
        extensions = [
            f"- {each.class_name}{' class' if each.side == 'class' else ''}: {', '.join(each.selectors)}"
            for each in package.extensions
        ]
        yield "\n".join(("Its extension methods:", "", *extensions))
    tests = ", ".join(package.test_classes)
    yield f"Test classes: {tests}" if tests else "It has no test classes."


def _selectors(protocols: Sequence[MethodProtocol] | None) -> Iterator[str]:
    for protocol in protocols or ():
        yield from protocol.selectors
