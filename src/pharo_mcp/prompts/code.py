"""The real code that prompts speak of, as paragraphs of Markdown; and arguments that name none."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pharo_mcp.image import (
    ClassDetails,
    ImageClient,
    Package,
    Protocol,
    RequestRefused,
)
from pharo_mcp.protocol import InvalidArguments, PromptMessage, PromptResult, TextContent

MOST = 60
"""Methods whose source a prompt carries."""
MOST_CHARACTERS = 40_000
"""Characters of source that a prompt carries, give or take a method."""


WRONG = ("badRequest", "unknownClass", "unknownMethod", "unknownPackage")
"""The kinds of refusals that are the fault of what the prompt was filled with."""


@contextmanager
def refused_is_a_wrong_argument() -> Iterator[None]:
    """Let what the image does not know, or cannot use so, be an argument that is filled wrongly."""
    try:
        yield
    except RequestRefused as refused:
        if refused.kind not in WRONG:
            raise
        raise InvalidArguments(refused.message) from refused


def prompt_of(description: str, paragraphs: Sequence[str]) -> PromptResult:
    """A prompt of one message."""
    return PromptResult(description, (PromptMessage(TextContent("\n\n".join(paragraphs))),))


def fenced(source: str) -> str:
    """Smalltalk as Markdown."""
    return f"```smalltalk\n{source}\n```"


def class_paragraphs(details: ClassDetails) -> list[str]:
    """A class without its methods."""
    return [
        f"The definition of {details.name}, from the image:\n\n{fenced(details.definition or '')}",
        f"Its comment:\n\n{details.comment}" if details.comment else "It has no comment.",
    ]


def method_paragraphs(image: ImageClient, details: ClassDetails) -> Iterator[str]:
    """The methods of both sides with their sources, as many as fit; the others by name."""
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
        yield f"`{name_of(details.name, side, selector)}`\n\n{fenced(source)}"
    if rest := [name_of(details.name, *each) for each in selectors[shown:]]:
        yield f"Further methods, which `get_method` reads: {', '.join(rest)}"


def package_paragraphs(package: Package) -> Iterator[str]:
    """What a package holds."""
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
        yield "\n".join(("Methods that it adds to classes of other packages:", "", *extensions))
    tests = ", ".join(package.test_classes)
    yield f"Test classes: {tests}" if tests else "It has no test classes."


def name_of(class_name: str, side: str, selector: str) -> str:
    """A method as Smalltalkers write it."""
    return f"{class_name}{' class' if side == 'class' else ''}>>{selector}"


def _selectors(protocols: Sequence[Protocol] | None) -> Iterator[str]:
    for protocol in protocols or ():
        yield from protocol.selectors
