"""Prompt `review-class`: ask for a code review of a class."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, method_paragraphs, prompt_of

REQUEST = """\
Consider its name, comment, slots, protocols, place in the hierarchy, and methods; its code in the image \
is below. Report what is good, what is wrong, and what you would change, most important first. Do not \
change anything yet."""


def review_class_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        details = image.code.class_details(arguments["className"])
        focus = arguments.get("focus")
        paragraphs = [
            f"Please review the {details.kind} {details.name}. {REQUEST}",
            *([f"Focus on: {focus}"] if focus else []),
            *class_paragraphs(details),
            *method_paragraphs(image, details),
        ]
        return prompt_of(f"Code review for {details.name}", paragraphs)

    return Prompt(
        name="review-class",
        title="Review a class",
        description="Asks for a review of a class, with its code from the live image.",
        arguments=(
            PromptArgument("className", "Name of the class or trait to review.", required=True),
            PromptArgument("focus", "Focus of the review, such as naming or error handling."),
        ),
        render=render,
    )
