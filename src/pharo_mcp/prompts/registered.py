"""Prompts that are registered in an image."""

from collections.abc import Mapping
from functools import partial

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.evaluations import new_evaluation_id
from pharo_mcp.image.replies.registrations import RegisteredPrompt
from pharo_mcp.image.replies.shapes import write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Prompt, PromptArgument, PromptMessage, PromptResult
from pharo_mcp.protocol.questions import asker_of
from pharo_mcp.protocol.tools import content_in


def registered_prompt(image: ImageClient, registered: RegisteredPrompt) -> Prompt:
    """Make the prompt that an image registers."""

    def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
        evaluation_id = call.evaluation or new_evaluation_id()
        call.on_cancel(partial(image.cancel, evaluation_id))
        called = image.registrations.answer(
            "prompt",
            arguments,
            name=registered.name,
            evaluation_id=evaluation_id,
            asker=asker_of(call, image.questions),
        )
        messages = (PromptMessage(content_in(write(each.content)), each.role) for each in called.messages)
        return PromptResult(registered.description, tuple(messages))

    arguments = (PromptArgument(each.name, each.description, each.required) for each in registered.arguments)
    return Prompt(
        registered.name, registered.title or registered.name, registered.description, tuple(arguments), render
    )
