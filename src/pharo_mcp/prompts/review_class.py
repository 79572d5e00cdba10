"""Prompt `review-class`: ask for a review of a class as it is in the image."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, method_paragraphs, prompt_of, refused_is_a_wrong_argument

ASKED = """\
Look at its name, its comment, its slots, its protocols, its place in the hierarchy, and its methods, below \
as they are in the image. Say what is good, what is wrong, and what you would change, the most important \
first. Change nothing yet."""


def review_class_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        with refused_is_a_wrong_argument():
            details = image.code.class_details(arguments["className"])
            methods = [*method_paragraphs(image, details)]
        focus = arguments.get("focus")
        paragraphs = [
            f"Please review the {details.kind} {details.name}. {ASKED}",
            *([f"Look above all at this: {focus}"] if focus else []),
            *class_paragraphs(details),
            *methods,
        ]
        return prompt_of(f"Code review for {details.name}", paragraphs)

    return Prompt(
        name="review-class",
        title="Review a class",
        description="Asks for a review of a class, with its code from the live image.",
        arguments=(
            PromptArgument("className", "Name of the class or trait to review.", required=True),
            PromptArgument("focus", "What to look at above all, such as naming or error handling."),
        ),
        render=render,
    )
