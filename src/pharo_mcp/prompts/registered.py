"""Prompts that an image registers."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient, OfferedPrompt, write
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptMessage, PromptResult, content_in


def registered_prompt(image: ImageClient, offered: OfferedPrompt) -> Prompt:
    """The prompt, for the image that registers it."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        evaluation = image.new_evaluation(call.on_cancel)
        called = image.offering.answer("prompt", arguments, name=offered.name, evaluation=evaluation)
        said = (PromptMessage(content_in(write(each.content)), each.role) for each in called.messages)
        return PromptResult(offered.description, tuple(said))

    arguments = (PromptArgument(each.name, each.description, each.required) for each in offered.arguments)
    return Prompt(offered.name, offered.title or offered.name, offered.description, tuple(arguments), render)
