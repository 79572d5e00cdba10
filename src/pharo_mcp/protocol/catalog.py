"""The catalog of a server: its tools, resources and prompts, in the order in which they are listed."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from .call import Call
from .prompts import Prompt
from .resources import Resource, ResourceContents, ResourceTemplate
from .tools import Tool

MOST_COMPLETIONS = 100
"""Most values in one completion: the limit of the specification."""


class Completion(NamedTuple):
    """Values that complete an argument, best first; `total` also counts those that are omitted."""

    values: tuple[str, ...] = ()
    total: int = 0

    def encode(self) -> dict[str, object]:
        """The wire form."""
        values = self.values[:MOST_COMPLETIONS]
        return {"values": list(values), "total": self.total, "hasMore": self.total > len(values)}


Complete = Callable[[str, str, Mapping[str, str], Call], Completion]
"""Is called with the name of a parameter, its value so far, and the parameters that have values.

Raises ToolError.
"""


def complete_nothing(name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
    """Complete nothing."""
    return Completion()


UriReader = Callable[[Call], tuple[ResourceContents, ...]]
"""Reads one URI. Raises ResourceNotFound or ToolError."""


def nothing_new() -> "Catalog":
    """A catalog without entries."""
    return Catalog()


class Catalog(NamedTuple):
    """Tools, resources and prompts. Lists keep their order, so the same request has the same answer.

    `complete` completes parameters of prompts and templates. `left_out` are the names of tools that this
    session does not have, each with the reason. `updated` takes a moment: it asks the image for
    entries that were registered since, and is for names that are not in this catalog.
    """

    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    complete: Complete = complete_nothing
    updated: Callable[[], "Catalog"] = nothing_new
    left_out: Mapping[str, str] = {}

    def find_tool(self, name: str) -> Tool | None:
        """The tool of that name, if there is one."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def find_tool_or_reason(self, name: str) -> Tool | str | None:
        """The tool of that name, or the reason why this session does not have it."""
        return self.find_tool(name) or self.left_out.get(name)

    def find_prompt(self, name: str) -> Prompt | None:
        """The prompt of that name, if there is one."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)

    def find_parameters(self, uri_template: str) -> tuple[str, ...] | None:
        """The parameters of a template, none for a fixed URI; None if the catalog has neither."""
        if any(resource.uri == uri_template for resource in self.resources):
            return ()
        templates = (each for each in self.templates if each.uri_template == uri_template)
        return next((template.names for template in templates), None)

    def find_reader(self, uri: str) -> UriReader | None:
        """The reader of a URI: of a resource with that URI, else of the first template that matches."""
        for resource in self.resources:
            if resource.uri == uri:
                return partial(_read, uri, resource, {})
        for template in self.templates:
            parameters = template.match(uri)
            if parameters is not None:
                return partial(_read, uri, template, parameters)
        return None


def _read(
    uri: str, resource: Resource | ResourceTemplate, parameters: Mapping[str, str], call: Call
) -> tuple[ResourceContents, ...]:
    call.uri = uri
    contents = resource.read(parameters, call)
    return (ResourceContents(uri, resource.mime_type, contents),) if isinstance(contents, str) else contents
