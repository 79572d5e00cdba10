"""What is offered, in the order in which it is listed."""

from collections.abc import Callable, Mapping
from typing import TypeVar

from pharo_mcp.image import ImageClient, ImageError
from pharo_mcp.prompts import review_class_prompt
from pharo_mcp.protocol import Call, Offers, ToolError
from pharo_mcp.resources import class_details_template, system_version_resource
from pharo_mcp.tools import evaluate_tool, get_class_tool, get_version_tool

Asked = TypeVar("Asked", bound=Mapping[str, object])
Answer = TypeVar("Answer")

TOOLS = (evaluate_tool, get_class_tool, get_version_tool)
RESOURCES = (system_version_resource,)
TEMPLATES = (class_details_template,)
PROMPTS = (review_class_prompt,)


def offers_for(image: ImageClient, *, structured: bool = False) -> Offers:
    """All that is offered for one image; tools answer programs too if `structured`."""
    tools = [tool(image, structured=structured) for tool in TOOLS]
    resources = [resource(image) for resource in RESOURCES]
    templates = [template(image) for template in TEMPLATES]
    prompts = [prompt(image) for prompt in PROMPTS]
    return Offers(
        tuple(tool._replace(handler=_translated(tool.handler)) for tool in tools),
        tuple(resource._replace(read=_translated(resource.read)) for resource in resources),
        tuple(template._replace(read=_translated(template.read)) for template in templates),
        tuple(prompt._replace(render=_translated(prompt.render)) for prompt in prompts),
    )


def _translated(answer: Callable[[Asked, Call], Answer]) -> Callable[[Asked, Call], Answer]:
    """The one place where what an image did wrong becomes what a tool could not do."""

    def translating(asked: Asked, call: Call) -> Answer:
        try:
            return answer(asked, call)
        except ImageError as error:
            raise ToolError(error.message, error.kind, error.details) from error

    return translating
