"""Prompts that are registered in an image."""

from collections.abc import Mapping
from functools import partial

from pharo_mcp.image import ImageClient, RegisteredPrompt, new_evaluation_id, write
from pharo_mcp.protocol import Call, Prompt, PromptArgument, PromptMessage, PromptResult, content_in


def registered_prompt(image: ImageClient, offered: RegisteredPrompt) -> Prompt:
    """Make the prompt that an image registers."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        evaluation_id = new_evaluation_id()
        call.on_cancel(partial(image.cancel, evaluation_id))
        called = image.registrations.answer(
            "prompt", arguments, name=offered.name, evaluation_id=evaluation_id
        )
        messages = (PromptMessage(content_in(write(each.content)), each.role) for each in called.messages)
        return PromptResult(offered.description, tuple(messages))

    arguments = (PromptArgument(each.name, each.description, each.required) for each in offered.arguments)
    return Prompt(offered.name, offered.title or offered.name, offered.description, tuple(arguments), render)
