"""Tools, their results, and the blocks of content that results and prompts are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .call import Call, Result
from .questions import ClientQuestion
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
    reply: NamedTuple | None = None
    is_error: bool = False
    error: Mapping[str, object] | None = None
    unfinished: Unfinished | None = None

    @classmethod
    def from_text(cls, text: str) -> ToolResult:
        """Return a result of one block of text."""
        return cls((TextContent(text),))

    @classmethod
    def from_error(
        cls, text: str, kind: str = "failed", details: Mapping[str, object] | None = None
    ) -> ToolResult:
        """Return a result that reports an error."""
        return cls((TextContent(text),), is_error=True, error={**(details or {}), "kind": kind})

    def followed_by(self, another: ToolResult) -> ToolResult:
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
