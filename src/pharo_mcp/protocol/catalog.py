"""What a server offers: prompts, resources, and the catalog of these and its tools.

Lists keep the order of the catalog, so the same request has the same answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple
from urllib.parse import unquote

from .call import Call
from .revisions import Revision
from .tools import Content, Tool, omit_none


class ServerEvent(NamedTuple):
    """Something that happened without a request.

    The topic is `tools`, `resources` or `prompts` when that list has changed, `contents` when the resources
    at the URIs that it `concerns` may have changed, or `message` for a log message of the image (`params`).
    """

    topic: str
    params: Mapping[str, object] = {}
    concerns: Callable[[str], bool] = lambda uri: False


class InvalidArguments(ValueError):
    """The arguments of a prompt are not valid; the message says why."""


class PromptArgument(NamedTuple):
    """One argument of a prompt."""

    name: str
    description: str
    required: bool = False
    title: str | None = None

    def encode(self, revision: Revision) -> dict[str, object]:
        """Return the wire form."""
        return omit_none(
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            required=self.required,
        )


class PromptMessage(NamedTuple):
    """One message of a prompt; `role` is `user` or `assistant`."""

    content: Content
    role: str = "user"

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return {"role": self.role, "content": self.content.encode()}


class PromptResult(NamedTuple):
    """A prompt with its arguments filled in."""

    description: str
    messages: tuple[PromptMessage, ...]

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return {"description": self.description, "messages": [message.encode() for message in self.messages]}


class Prompt(NamedTuple):
    """A prompt that a person can choose. `render` may raise ToolError or InvalidArguments."""

    name: str
    title: str
    description: str
    arguments: tuple[PromptArgument, ...]
    render: Callable[[Mapping[str, str], Call], PromptResult]

    def get(self, arguments: Mapping[str, object], call: Call) -> PromptResult:
        """Fill in the arguments.

        Raises:
            InvalidArguments: If a required argument is missing, one is unknown, or a value is not a string.
            ToolError: If the image does not provide what the prompt contains.
        """
        known = {argument.name for argument in self.arguments}
        filled: dict[str, str] = {}
        for name, value in arguments.items():
            if name not in known:
                raise InvalidArguments(f"prompt {self.name} has no argument {name}")
            if not isinstance(value, str | None):
                raise InvalidArguments(f"argument {name} of prompt {self.name} must be a string")
            if value and not value.isspace():  # clients send null or '' for what was left out
                filled[name] = value
        for argument in self.arguments:
            if argument.required and argument.name not in filled:
                raise InvalidArguments(f"prompt {self.name} needs the argument {argument.name}")
        return self.render(filled, call)

    def encode(self, revision: Revision) -> dict[str, object]:
        """Return the wire form, as listed."""
        return omit_none(
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            arguments=[argument.encode(revision) for argument in self.arguments],
        )


# One value of a template. RFC 6570 percent-encodes all but unreserved characters; people and models
# write `at:put:` as it is, so only what would end the segment must be encoded.
VALUE = "([^/?#]+)"


class ResourceNotFound(Exception):
    """There is no resource at that URI; the message says what is missing."""


class ResourceContents(NamedTuple):
    """The contents of a resource: text, or bytes in base64."""

    uri: str
    mime_type: str
    text: str | None
    base64: str | None = None

    def encode(self) -> dict[str, object]:
        """Return the wire form.

        No revision has `type` here. Older documents do, and all known clients ignore unknown members.
        """
        head = {"uri": self.uri, "mimeType": self.mime_type}
        if self.text is None:
            return {**head, "blob": self.base64}
        return {**head, "text": self.text, "type": "text"}


ResourceReader = Callable[[Mapping[str, str], Call], str | tuple[ResourceContents, ...]]
"""Is called with the parameters in the URI (none for a fixed one); returns text or contents.

Raises ResourceNotFound or ToolError.
"""


class Resource(NamedTuple):
    """A resource with a fixed URI, or a template.

    A template is all resources whose URIs have parameters: `{name}` in its URI stands for one value (RFC
    6570, level 1).
    """

    uri: str
    name: str
    description: str
    read: ResourceReader
    title: str | None = None
    mime_type: str = "text/plain"
    is_template: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of its parameters, in order."""
        return tuple(re.findall(r"\{(\w+)\}", self.uri)) if self.is_template else ()

    def match(self, uri: str) -> dict[str, str] | None:
        """Return the parameters of a URI, percent-decoded; None if it is not the URI of this resource."""
        if not self.is_template:
            return {} if uri == self.uri else None
        pattern = VALUE.join(map(re.escape, re.split(r"\{\w+\}", self.uri)))
        found = re.fullmatch(pattern, uri)
        if found is None:
            return None
        try:
            values = [unquote(value, errors="strict") for value in found.groups()]
        except UnicodeDecodeError:
            return None
        return dict(zip(self.parameters, values, strict=True))

    def encode(self, revision: Revision) -> dict[str, object]:
        """Return the wire form, as listed."""
        return omit_none(
            **{"uriTemplate" if self.is_template else "uri": self.uri},
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            mimeType=self.mime_type,
        )


class Skill(NamedTuple):
    """Instructions for one kind of work, which a model opens when it needs them: a folder with one file.

    The `text` of that file, SKILL.md, begins with the name and the description.
    """

    name: str
    description: str
    text: str

    @property
    def uri(self) -> str:
        """The URI of its file."""
        return f"skill://{self.name}/SKILL.md"

    @property
    def resource(self) -> Resource:
        """Its file, as a resource: clients that do not know skills read that."""
        return Resource(
            self.uri, self.name, self.description, lambda uri, call: self.text, mime_type="text/markdown"
        )

    def encode(self, revision: Revision) -> dict[str, object]:
        """Return the wire form, as listed."""
        from hashlib import sha256  # here: it is slow to import, and few clients ask for skills

        content = self.text.encode()
        digest = f"sha256:{sha256(content).hexdigest()}"
        return {
            "uri": self.uri,
            "frontmatter": {"name": self.name, "description": self.description},
            "resources": [{"uri": self.uri, "digest": digest, "size": len(content)}],
        }


MOST_COMPLETIONS = 100
"""Most values in one completion: the limit of the specification."""


class Completion(NamedTuple):
    """Values that complete an argument, best first; `total` also counts those that are omitted."""

    values: tuple[str, ...] = ()
    total: int = 0

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        values = self.values[:MOST_COMPLETIONS]
        return {"values": list(values), "total": self.total, "hasMore": self.total > len(values)}


Complete = Callable[[str, str, Mapping[str, str], Call], Completion]
"""Is called with the name of a parameter, its value so far, and the parameters that have values.

Raises ToolError.
"""


UriReader = Callable[[Call], tuple[ResourceContents, ...]]
"""Reads one URI. Raises ResourceNotFound or ToolError."""


class Catalog(NamedTuple):
    """Tools, resources, prompts and skills, whose files are among the resources.

    Lists keep their order, so the same request has the same answer.

    `complete` completes parameters of prompts and templates. `left_out` are the names of tools that this
    session does not have, each with the reason. `updated` takes a moment: it asks the image for
    entries that were registered since, and is for names that are not in this catalog.
    """

    tools: tuple[Tool, ...] = ()
    resources: tuple[Resource, ...] = ()
    templates: tuple[Resource, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    complete: Complete = lambda name, begun, filled, call: Completion()
    updated: Callable[[], Catalog] = lambda: Catalog()
    left_out: Mapping[str, str] = {}
    skills: tuple[Skill, ...] = ()

    def find_tool(self, name: str) -> Tool | None:
        """Return the tool of that name, if there is one."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def find_tool_or_reason(self, name: str) -> Tool | str | None:
        """Return the tool of that name, or the reason why this session does not have it."""
        return self.find_tool(name) or self.left_out.get(name)

    def find_prompt(self, name: str) -> Prompt | None:
        """Return the prompt of that name, if there is one."""
        return next((prompt for prompt in self.prompts if prompt.name == name), None)

    def find_skill(self, uri: str) -> Skill | None:
        """Return the skill with that URI, if there is one."""
        return next((skill for skill in self.skills if skill.uri == uri), None)

    def find_parameters(self, uri: str) -> tuple[str, ...] | None:
        """Return the parameters of the resource or template with that URI; None if there is neither."""
        found = (each.parameters for each in (*self.resources, *self.templates) if each.uri == uri)
        return next(found, None)

    def find_reader(self, uri: str) -> UriReader | None:
        """Return the reader of a URI: of the resource with it, else of the first template that matches."""
        for resource in (*self.resources, *self.templates):
            parameters = resource.match(uri)
            if parameters is not None:
                return partial(_read, uri, resource, parameters)
        return None


def _read(
    uri: str, resource: Resource, parameters: Mapping[str, str], call: Call
) -> tuple[ResourceContents, ...]:
    call.uri = uri
    contents = resource.read(parameters, call)
    return (ResourceContents(uri, resource.mime_type, contents),) if isinstance(contents, str) else contents
