"""Everything a server offers, in the order in which it is listed."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

from .call import Call
from .prompts import Prompt
from .resources import Resource, ResourceContents, ResourceTemplate
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


Read = Callable[[Call], tuple[ResourceContents, ...]]
"""Answers what is there. Raises ResourceNotFound if it is not, or ToolError."""


def nothing_new() -> "Offers":
    """Offer nothing that came in the meantime."""
    return Offers()


class Offers(NamedTuple):
    """What is offered. Lists keep this order, so the same question has the same answer.

    `complete` is for the blanks of prompts and templates alike. `ask_anew` takes a moment: it is for a name
    that is not among them, and may have come in the meantime.
    """

    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[ResourceTemplate, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    complete: Complete = complete_nothing
    ask_anew: Callable[[], "Offers"] = nothing_new

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

    def find_reader(self, uri: str) -> Read | None:
        """What reads a URI, by an exact one first, then by the templates in order; if one is offered."""
        for resource in self.resources:
            if resource.uri == uri:
                return partial(_read, uri, resource, {})
        for template in self.templates:
            parameters = template.match(uri)
            if parameters is not None:
                return partial(_read, uri, template, parameters)
        return None


def _read(
    uri: str, offered: Resource | ResourceTemplate, parameters: Mapping[str, str], call: Call
) -> tuple[ResourceContents, ...]:
    call.uri = uri
    there = offered.read(parameters, call)
    return (ResourceContents(uri, offered.mime_type, there),) if isinstance(there, str) else there
