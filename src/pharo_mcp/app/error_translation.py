"""Translation of image errors to tool errors, in one place for all tools, resources and prompts."""

import re
from collections.abc import Callable, Mapping
from typing import TypeVar

from pharo_mcp.image import ImageClient, ImageError, all_within, wire_name
from pharo_mcp.protocol import Call, Catalog, Complete, Completion, TextContent, Tool, ToolError, ToolResult

NO_NAMES: Mapping[str, str] = {}
LONGEST_WORD = 500
Arguments = TypeVar("Arguments", bound=Mapping[str, object])
Answer = TypeVar("Answer")


def translate_errors(catalog: Catalog, image: ImageClient) -> Catalog:
    """A catalog whose handlers translate image errors, keep to their deadlines, and append notices."""
    return catalog._replace(
        tools=tuple(
            tool._replace(handler=_with_notices(_translated(tool.handler, _by_wire_name(tool)), image, tool))
            for tool in catalog.tools
        ),
        resources=tuple(resource._replace(read=_translated(resource.read)) for resource in catalog.resources),
        templates=tuple(template._replace(read=_translated(template.read)) for template in catalog.templates),
        prompts=tuple(prompt._replace(render=_translated(prompt.render)) for prompt in catalog.prompts),
        complete=_translated_words(catalog.complete),
    )


def _translated(
    answer: Callable[[Arguments, Call], Answer], names: Mapping[str, str] = NO_NAMES
) -> Callable[[Arguments, Call], Answer]:
    """The one place where what an image did wrong becomes what a tool could not do.

    And where it is seen to that all is over before the call must be answered. `names` are those of arguments
    by the ones that the image's refusals have for them.
    """

    def translating(asked: Arguments, call: Call) -> Answer:
        _check_text(asked)
        try:
            with all_within(call.remaining):
                return answer(asked, call)
        except ImageError as error:
            raise ToolError(_worded(error, names), error.kind, error.details) from error

    return translating


def _by_wire_name(tool: Tool) -> Mapping[str, str]:
    """The names of a tool's arguments by those that an image has for them: in camelCase."""
    properties = tool.input_schema.definition.get("properties")
    return {wire_name(name): name for name in properties} if isinstance(properties, Mapping) else NO_NAMES


def _worded(error: ImageError, names: Mapping[str, str]) -> str:
    """What is wrong; where it is wrong with arguments, these by the names that the model knows.

    No word is longer than it helps: an image repeats the names that it does not know.
    """
    message = re.sub(rf"(\S{{{LONGEST_WORD}}})\S+", r"\1…", error.message)
    if error.kind != "badRequest":
        return message
    return re.sub(r"\w+", lambda word: names.get(word[0], word[0]), message)


def _translated_words(complete: Complete) -> Complete:
    """The same for completing words."""

    def translating(name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
        def answer(words: Mapping[str, str], call: Call) -> Completion:
            return complete(name, begun, filled, call)

        completed: Completion = _translated(answer)({**filled, name: begun}, call)
        return completed

    return translating


def _check_text(asked: Mapping[str, object]) -> None:
    """Refuse strings that JSON can write and no text can hold, in words that name the argument."""
    for name, word in asked.items():
        try:
            str(word).encode()
        except UnicodeEncodeError as error:
            raise ToolError(
                f"`{name}` is not valid Unicode: character {error.start + 1} is an unpaired surrogate. "
                "Nothing ran.",
                "badRequest",
            ) from error


def _with_notices(
    handler: Callable[[Arguments, Call], ToolResult], image: ImageClient, tool: Tool
) -> Callable[[Arguments, Call], ToolResult]:
    """A handler that appends notices about the image to its results and errors."""

    def appending(asked: Arguments, call: Call) -> ToolResult:
        try:
            result = handler(asked, call)
        except ToolError as error:
            words = "\n\n".join((error.message, *_notices(image, tool)))
            raise ToolError(words, error.kind, error.details) from error
        notices = map(TextContent, _notices(image, tool))
        return result._replace(contents=(*result.contents, *notices))

    return appending


def _notices(image: ImageClient, tool: Tool) -> list[str]:
    notices = [image.take_notice()]
    if not tool.annotations["readOnlyHint"] and image.place and image.are_several():
        notices.append(f"Image: {image.place}")
    return [notice for notice in notices if notice]
