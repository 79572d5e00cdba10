"""What is offered, in the order in which it is listed."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from pharo_mcp.image import ImageClient, ImageError, all_within
from pharo_mcp.prompts import review_class_prompt
from pharo_mcp.protocol import Call, Offers, TextContent, Tool, ToolError, ToolResult
from pharo_mcp.resources import class_details_template, evaluation_template, system_version_resource
from pharo_mcp.tools import (
    evaluate_tool,
    get_class_tool,
    get_evaluation_tool,
    get_status_tool,
    get_version_tool,
    inspect_object_tool,
    list_images_tool,
    reset_workspace_tool,
    select_image_tool,
    stop_evaluation_tool,
)

Asked = TypeVar("Asked", bound=Mapping[str, object])
Answer = TypeVar("Answer")

TOOLS = (
    evaluate_tool,
    get_evaluation_tool,
    stop_evaluation_tool,
    inspect_object_tool,
    reset_workspace_tool,
    get_class_tool,
    get_status_tool,
    get_version_tool,
    list_images_tool,
    select_image_tool,
)
RESOURCES = (system_version_resource,)
TEMPLATES = (class_details_template, evaluation_template)
PROMPTS = (review_class_prompt,)


def offers_for(image: ImageClient, *, structured: bool = False, read_only: bool = False) -> Offers:
    """All that is offered for one image; tools answer programs too if `structured`.

    If `read_only`, only tools that can change nothing.
    """
    tools = [tool(image, structured=structured) for tool in TOOLS]
    resources = [resource(image) for resource in RESOURCES]
    templates = [template(image) for template in TEMPLATES]
    prompts = [prompt(image) for prompt in PROMPTS]
    return Offers(
        tuple(
            tool._replace(handler=_commented(_translated(tool.handler), image, tool))
            for tool in tools
            if tool.annotations["readOnlyHint"] or not read_only
        ),
        tuple(resource._replace(read=_translated(resource.read)) for resource in resources),
        tuple(template._replace(read=_translated(template.read)) for template in templates),
        tuple(prompt._replace(render=_translated(prompt.render)) for prompt in prompts),
    )


def _translated(answer: Callable[[Asked, Call], Answer]) -> Callable[[Asked, Call], Answer]:
    """The one place where what an image did wrong becomes what a tool could not do.

    And where it is seen to that all is over before the call must be answered.
    """

    def translating(asked: Asked, call: Call) -> Answer:
        _check_text(asked)
        try:
            with all_within(call.remaining):
                return answer(asked, call)
        except ImageError as error:
            raise ToolError(error.message, error.kind, error.details) from error

    return translating


def _check_text(asked: Mapping[str, object]) -> None:
    """Refuse strings that JSON can write and no text can hold, in words that name the argument."""
    for name, word in asked.items():
        try:
            str(word).encode()
        except UnicodeEncodeError as error:
            raise ToolError(
                f"`{name}` is no text: its character {error.start + 1} is half of a surrogate pair. "
                "Nothing ran.",
                "badRequest",
            ) from error


def _commented(
    handler: Callable[[Asked, Call], ToolResult], image: ImageClient, tool: Tool
) -> Callable[[Asked, Call], ToolResult]:
    """A handler whose answers also tell, in the end, what there is to know of the image that gave them."""

    def commenting(asked: Asked, call: Call) -> ToolResult:
        try:
            result = handler(asked, call)
        except ToolError as error:
            words = "\n\n".join((error.message, *_comments(image, tool)))
            raise ToolError(words, error.kind, error.details) from error
        comments = map(TextContent, _comments(image, tool))
        return result._replace(contents=(*result.contents, *comments))

    return commenting


def _comments(image: ImageClient, tool: Tool) -> list[str]:
    comments = [image.take_notice()]
    if not tool.annotations["readOnlyHint"] and image.place and image.are_several():
        comments.append(f"Image: {image.place}")
    return [comment for comment in comments if comment]
