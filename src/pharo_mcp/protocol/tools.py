"""Tools, and what calling one answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .call import Call
from .contents import Content, TextContent
from .revisions import Revision, given
from .schema import Schema, SchemaViolation


class ToolError(Exception):
    """What was asked could not be done; the sentence says why and what to do next.

    For tools it becomes a result with `isError`, for resources and prompts an error reply.
    `kind` is one camelCase word for programs, `details` whatever else they may want to know.
    """

    def __init__(
        self, message: str, kind: str = "failed", details: Mapping[str, object] | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
        self.details = details or {}


class ToolResult(NamedTuple):
    """What a tool answers. The contents carry everything; `structured` repeats it for programs."""

    contents: tuple[Content, ...]
    structured: Mapping[str, object] | None = None
    is_error: bool = False

    @classmethod
    def from_text(cls, text: str, structured: Mapping[str, object] | None = None) -> ToolResult:
        """A result of one block of text."""
        return cls((TextContent(text),), structured)

    @classmethod
    def from_error(cls, text: str) -> ToolResult:
        """A result that says what went wrong."""
        return cls((TextContent(text),), is_error=True)

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form."""
        structured = self.structured if revision.structured else None
        return given(
            content=[content.encode() for content in self.contents],
            structuredContent=structured,
            isError=self.is_error,
        )


def always(arguments: Mapping[str, object]) -> bool:
    """The rule of a tool that is quick whatever it is asked."""
    return True


def never(arguments: Mapping[str, object]) -> bool:
    """The rule of a tool that is never quick."""
    return False


class Tool(NamedTuple):
    """Something a model may do.

    `annotations` are MCP's hints in its own words, such as `readOnlyHint`.
    `handler` takes the checked arguments; it answers a result or raises ToolError.
    Structured results are sent only with an `output_schema`: several clients show the model nothing else.
    `is_quick` takes arguments that nobody has checked yet, and answers whether a call with them does not wait
    for work in the image: then it need not wait behind calls that do.
    One that is not `listed` can be called all the same: lists cost a model attention.
    """

    name: str
    title: str
    description: str
    input_schema: Schema
    handler: Callable[[Mapping[str, object], Call], ToolResult]
    annotations: Mapping[str, bool] = {}
    output_schema: Schema | None = None
    is_quick: Callable[[Mapping[str, object]], bool] = never
    listed: bool = True

    def call(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Check the arguments and run the handler.

        Arguments that do not fit and a handler that cannot do its work are results, which a model reads
        and can act on; any other exception is a bug and goes up.
        """
        try:
            result = self.handler(self.input_schema.check(arguments), call)
        except SchemaViolation as violation:
            return ToolResult.from_error(
                f"{self.name} was not called, its arguments do not fit: {violation}."
            )
        except ToolError as error:
            return ToolResult.from_error(error.message)
        return result if self.output_schema else result._replace(structured=None)

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form, as listed."""
        output = self.output_schema if revision.structured else None
        return given(
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            inputSchema=self.input_schema.definition,
            outputSchema=output.definition if output else None,
            annotations=self.annotations if self.annotations and revision.annotations else None,
        )
