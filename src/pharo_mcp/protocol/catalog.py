"""What a server offers: tools, resources, prompts, the content of their results, and the catalog of them.

Lists keep the order of the catalog, so the same request has the same answer.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple, Self

from .call import Call, ClientQuestion, Result
from .revisions import Revision
from .schema import Schema, SchemaViolation


def omit_none(**members: object) -> dict[str, object]:
    """Return a JSON object of these members, without those that are None."""
    return {name: value for name, value in members.items() if value is not None}


class TextContent(NamedTuple):
    """Text for the model."""

    text: str

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return {"type": "text", "text": self.text}


class ImageContent(NamedTuple):
    """A picture for the model."""

    base64: str
    mime_type: str = "image/png"

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return {"type": "image", "data": self.base64, "mimeType": self.mime_type}


class ResourceLink(NamedTuple):
    """A resource that the client may read."""

    uri: str
    name: str
    mime_type: str

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return {"type": "resource_link", "uri": self.uri, "name": self.name, "mimeType": self.mime_type}


class OtherContent(NamedTuple):
    """A block of another type, such as sound or a resource, in its wire form."""

    members: Mapping[str, object]

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return dict(self.members)


Content = TextContent | ImageContent | ResourceLink | OtherContent


def content_in(members: Mapping[str, object]) -> Content:
    """Return the content block for its members as the companion sends them."""
    match members:
        case {"type": "text", "text": str(text)}:
            return TextContent(text)
        case {"type": "image", "data": str(base64), "mimeType": str(mime_type)}:
            return ImageContent(base64, mime_type)
        case {"type": "resource", **resource}:
            return OtherContent({"type": "resource", "resource": resource})
    return OtherContent(members)


class ToolError(Exception):
    """A request could not be carried out; the message says why, and what to do next.

    For tools it becomes a result with `isError`, for resources and prompts an error response.
    `kind` is one camelCase word for programs, `details` is more for them.
    """

    def __init__(
        self, message: str, kind: str = "failed", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.details = details or {}


class CallFailed(Exception):
    """A call failed in a way that concerns the client and not the model: the answer is an error."""


class Unfinished(NamedTuple):
    """How far work is that goes on after a call of it was answered.

    `progress` is in any unit, `total` is where it is done. `asks` has the questions whose answers it waits
    for.
    """

    progress: float
    message: str | None = None
    total: float | None = None
    asks: tuple[ClientQuestion, ...] = ()


class ToolResult(NamedTuple):
    """The result of a tool. The contents hold everything, and only they are sent to clients.

    `reply` is what the image replied, where the command line reads it; `error` has the kind and the details
    of an error, and `unfinished` how far the work is if it goes on.
    """

    contents: tuple[Content, ...]
    reply: "NamedTuple | None" = None
    is_error: bool = False
    error: Mapping[str, object] | None = None
    unfinished: Unfinished | None = None

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Return a result of one block of text."""
        return cls((TextContent(text),))

    @classmethod
    def from_error(cls, text: str, kind: str = "failed", details: Mapping[str, object] | None = None) -> Self:
        """Return a result that reports an error."""
        return cls((TextContent(text),), is_error=True, error={**(details or {}), "kind": kind})

    def followed_by(self, another: "ToolResult") -> "ToolResult":
        """Return the other result with this one's contents before it; either makes it an error."""
        return another._replace(
            contents=(*self.contents, *another.contents), is_error=self.is_error or another.is_error
        )

    def encode(self, revision: Revision) -> dict[str, object]:
        """Return the wire form."""
        contents = (
            content
            for content in self.contents
            if revision.resource_links or not isinstance(content, ResourceLink)
        )
        return omit_none(
            content=[content.encode() for content in contents],
            isError=self.is_error,
        )


Handler = Callable[[Mapping[str, object], Call], ToolResult]
"""Does what a call asks for, with checked arguments. Raises ToolError."""


class LongWork(NamedTuple):
    """How the work of calls is followed and stopped after they were answered.

    Both handlers are called with an `evaluation_id`, `follow` perhaps with the `max_characters` of the call,
    too: it returns what the call would have returned, or that the work is unfinished. `answer` is called with
    an evaluation, a question of it, and the result of a client, or None if the client has none.
    """

    follow: Handler
    stop: Handler
    answer: Callable[[str, ClientQuestion, Result | None], None]


DEFAULT_HINTS = {
    "readOnlyHint": False,
    "destructiveHint": True,
    "idempotentHint": False,
    "openWorldHint": True,
}
"""What MCP's hints mean if they are left out; such hints are not listed (`ToolAnnotations` of the schema)."""

LONGEST_RESULT = "anthropic/maxResultSizeChars"
"""By this Claude Code knows that a longer result is meant; it writes others above 50,000 to a file."""


class Tool(NamedTuple):
    """A tool that a model can call.

    `annotations` are MCP's hints, such as `readOnlyHint`. `handler` is called with checked arguments; it
    returns a result or raises ToolError. A tool that is not `listed` can be called, too. With `long_work` its
    calls can be tasks, and with `needs_task` they must be wherever the client knows tasks. `title` is a name
    for people that says more than `name`. `longest` is how many characters a result can have on request, if
    that is more than usual. There is no output schema and no structuredContent: several clients
    show the model nothing else where these are.
    """

    name: str
    description: str
    input_schema: Schema
    handler: Handler
    annotations: Mapping[str, bool] = {}
    listed: bool = True
    title: str | None = None
    long_work: LongWork | None = None
    needs_task: bool = False
    longest: int | None = None

    def call(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Check the arguments, which are first taken as the schema wants them, and run the handler.

        Invalid arguments and a handler that cannot do its work are results, which a model reads and can
        act on; any other exception is a bug and is not caught.
        """
        try:
            checked = self.input_schema.check(self.input_schema.coerce(arguments))
            return self.handler(checked, call)
        except SchemaViolation as violation:
            text = f"Invalid arguments for {self.name}: {violation}."
            return ToolResult.from_error(text, "invalidArguments")
        except ToolError as error:
            return ToolResult.from_error(error.message, error.kind, error.details)

    def encode(self, revision: Revision) -> dict[str, object]:
        """Return the wire form, as listed."""
        return omit_none(
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            inputSchema=self.input_schema.listed,
            annotations=self._hints or None if revision.annotations else None,
            execution=self._execution if self.long_work and revision.tasks else None,
            _meta={LONGEST_RESULT: self.longest} if self.longest and revision.meta_of_tools else None,
        )

    @property
    def _hints(self) -> Mapping[str, bool]:
        return {hint: value for hint, value in self.annotations.items() if value != DEFAULT_HINTS.get(hint)}

    @property
    def _execution(self) -> Mapping[str, str]:
        return {"taskSupport": "required" if self.needs_task else "optional"}


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

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        return {"name": self.name, "description": self.description, "required": self.required}


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
            arguments=[argument.encode() for argument in self.arguments],
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
        from urllib.parse import unquote  # here: the first answer need not wait for it

        return dict(zip(self.parameters, map(unquote, found.groups()), strict=True))

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


class Completion(NamedTuple):
    """Values that complete an argument, best first, 100 at most; `total` also counts those omitted."""

    values: tuple[str, ...] = ()
    total: int = 0

    def encode(self) -> dict[str, object]:
        """Return the wire form."""
        more = self.total > len(self.values)
        return {"values": list(self.values), "total": self.total, "hasMore": more}


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
    updated: Callable[[], "Catalog"] = lambda: Catalog()
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
