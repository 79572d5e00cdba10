"""Prompt `review-class`: ask for a review of a class as it is in the image."""

from collections.abc import Mapping

from pharo_mcp.image import ClassDetails, ImageClient, UnknownClass
from pharo_mcp.protocol import (
    Call,
    InvalidArguments,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptResult,
    TextContent,
)

ASKED = """\
Look at its name, its comment, its slots, its protocols and its place in the hierarchy; read the methods \
that matter in the image before you judge them. Say what is good, what is wrong, and what you would \
change, the most important first."""


def review_class_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        try:
            details = image.code.class_details(arguments["className"])
        except UnknownClass as unknown:
            raise InvalidArguments(unknown.message) from unknown
        text = "\n\n".join(_paragraphs(details, arguments.get("focus")))
        return PromptResult(f"Code review for {details.name}", (PromptMessage(TextContent(text)),))

    return Prompt(
        name="review-class",
        title="Review a class",
        description="Asks for a review of a class, with its definition and comment from the live image.",
        arguments=(
            PromptArgument("className", "Name of the class or trait to review.", required=True),
            PromptArgument("focus", "What to look at above all, such as naming or error handling."),
        ),
        render=render,
    )


def _paragraphs(details: ClassDetails, focus: str | None) -> list[str]:
    focused = [f"Look above all at this: {focus}"] if focus else []
    protocols = (*(details.protocols or ()), *(details.class_protocols or ()))
    selectors = sum(len(each.selectors) for each in protocols)
    return [
        f"Please review the {details.kind} {details.name}. {ASKED}",
        *focused,
        f"Its definition:\n\n```smalltalk\n{details.definition}\n```",
        f"Its comment:\n\n{details.comment}" if details.comment else "It has no comment.",
        f"It has {selectors} methods; the tool `get_class` lists them.",
    ]
