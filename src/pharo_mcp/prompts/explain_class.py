"""Prompt `explain-class`: ask what a class is for and how it works."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, method_paragraphs, prompt_of, refused_is_a_wrong_argument

ASKED = """\
Say what it is for, whom it works with and how, which methods matter most, and show by a short example how \
to use it; try the example with `evaluate` before you show it. Below is its code as it is in the image; \
`search` finds who uses it."""


def explain_class_prompt(image: ImageClient) -> Prompt:
    """The prompt, for one image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        with refused_is_a_wrong_argument():
            details = image.code.class_details(arguments["className"])
            methods = [*method_paragraphs(image, details)]
        paragraphs = [
            f"Please explain the {details.kind} {details.name}. {ASKED}",
            f"Its superclasses: {' > '.join(details.superclasses or ()) or 'none'}.",
            *class_paragraphs(details),
            *methods,
        ]
        return prompt_of(f"Explanation of {details.name}", paragraphs)

    return Prompt(
        name="explain-class",
        title="Explain a class",
        description="Asks what a class is for and how it works, with its code from the live image.",
        arguments=(PromptArgument("className", "Name of the class or trait to explain.", required=True),),
        render=render,
    )
