"""Everything a server offers, in the order in which it is listed."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .call import Call
from .prompts import Prompt
from .resources import Resource, ResourceContents, ResourceNotFound, ResourceTemplate
from .tools import Tool

MOST_COMPLETIONS = 100
"""Values that completing a word answers at most."""


class Completion(NamedTuple):
    """Words that go on as somebody began to type, best first; `total` counts those left out as well."""

    values: tuple[str, ...] = ()
    total: int = 0

    def encode(self) -> dict[str, object]:
        """The wire form."""
        values = self.values[:MOST_COMPLETIONS]
        return {"values": list(values), "total": self.total, "hasMore": self.total > len(values)}


Complete = Callable[[str, str, Mapping[str, str], Call], Completion]
"""Takes the name of a blank, what stands in it up to now, and the blanks that are filled already.

Raises ToolError.
"""


def complete_nothing(name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
    """Know no word that a blank could hold."""
    return Completion()


class Offers(NamedTuple):
    """What is offered. Lists keep this order, so the same question has the same answer.

    `complete` is for the blanks of prompts and templates alike.
    """

    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    complete: Complete = complete_nothing

    def find_tool(self, name: str) -> Tool | None:
        """The tool of that name, if there is one."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def find_prompt(self, name: str) -> Prompt | None:
        """The prompt of that name, if there is one."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)

    def find_blanks(self, uri_template: str) -> tuple[str, ...] | None:
        """The names of what a template leaves open, none for a fixed URI; None if neither is offered."""
        if any(resource.uri == uri_template for resource in self.resources):
            return ()
        templates = (each for each in self.templates if each.uri_template == uri_template)
        return next((template.names for template in templates), None)

    def read(self, uri: str, call: Call) -> tuple[ResourceContents, ...]:
        """Read what is offered under a URI: an exact one first, then the templates in order.

        Raises:
            ResourceNotFound: If nothing is offered under it, or what is offered is not there.
            ToolError: If it cannot be read now.
        """
        for resource in self.resources:
            if resource.uri == uri:
                return _contents(uri, resource.mime_type, resource.read({}, call))
        for template in self.templates:
            parameters = template.match(uri)
            if parameters is not None:
                return _contents(uri, template.mime_type, template.read(parameters, call))
        raise ResourceNotFound(f"nothing is offered under {uri}")


def _contents(
    uri: str, mime_type: str, read: str | tuple[ResourceContents, ...]
) -> tuple[ResourceContents, ...]:
    return (ResourceContents(uri, mime_type, read),) if isinstance(read, str) else read
