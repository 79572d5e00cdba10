"""Prompt `explain-class`: ask for an explanation of a class."""

from collections.abc import Mapping

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptResult

from .code import class_paragraphs, method_paragraphs, prompt_of

REQUEST = """\
Explain its purpose, the classes it works with, and its most important methods. Give a short example of \
its use, and run the example with `evaluate` first. Its code in the image is below; `search` finds its \
users."""


def explain_class_prompt(image: ImageClient) -> Prompt:
    """Make the prompt for an image."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        details = image.code.class_details(arguments["className"])
        paragraphs = [
            f"Please explain the {details.kind} {details.name}. {REQUEST}",
            f"Its superclasses: {' > '.join(details.superclasses or ()) or 'none'}.",
            *class_paragraphs(details),
            *method_paragraphs(image, details),
        ]
        return prompt_of(f"Explanation of {details.name}", paragraphs)

    return Prompt(
        name="explain-class",
        title="Explain a class",
        description="Asks for an explanation of a class, with its code from the live image.",
        arguments=(PromptArgument("className", "Name of the class or trait to explain.", required=True),),
        render=render,
    )
