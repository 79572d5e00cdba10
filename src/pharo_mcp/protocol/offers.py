"""Everything a server offers, in the order in which it is listed."""

from typing import NamedTuple

from .call import Call
from .prompts import Prompt
from .resources import Resource, ResourceContents, ResourceNotFound, ResourceTemplate
from .tools import Tool


class Offers(NamedTuple):
    """What is offered. Lists keep this order, so the same question has the same answer."""

    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()

    def find_tool(self, name: str) -> Tool | None:
        """The tool of that name, if there is one."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def find_prompt(self, name: str) -> Prompt | None:
        """The prompt of that name, if there is one."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)

    def read(self, uri: str, call: Call) -> ResourceContents:
        """Read what is offered under a URI: an exact one first, then the templates in order.

        Raises:
            ResourceNotFound: If nothing is offered under it, or what is offered is not there.
            ToolError: If it cannot be read now.
        """
        for resource in self.resources:
            if resource.uri == uri:
                return ResourceContents(uri, resource.mime_type, resource.read({}, call))
        for template in self.templates:
            parameters = template.match(uri)
            if parameters is not None:
                return ResourceContents(uri, template.mime_type, template.read(parameters, call))
        raise ResourceNotFound(f"nothing is offered under {uri}")
