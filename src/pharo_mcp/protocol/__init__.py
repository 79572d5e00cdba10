"""MCP's nouns: tools, resources and prompts, what results are made of, and what each revision has.

Values and their wire form; no I/O, no JSON-RPC, no Pharo.
The values are named tuples: `dataclasses` alone would cost as much start-up as all of this package.
"""

from pharo_mcp.imports import TYPE_CHECKING, import_later

from .revisions import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision

if TYPE_CHECKING:
    from .asking import asker_of, is_confirmed, pass_on
    from .call import Call
    from .catalog import Catalog, Complete, Completion
    from .client_requests import Client, ClientRequest, InputRequired, Result, Settle
    from .contents import Content, ImageContent, OtherContent, ResourceLink, TextContent, content_in
    from .headers import header_parameters, text_in_header
    from .prompts import InvalidArguments, Prompt, PromptArgument, PromptMessage, PromptResult
    from .questions import Question, request_for
    from .resources import Resource, ResourceContents, ResourceNotFound, ResourceTemplate
    from .schema import NOT_BLANK, Schema, SchemaViolation
    from .server_event import ServerEvent
    from .tools import (
        CallFailed,
        LongWork,
        Tool,
        ToolError,
        ToolResult,
        Unfinished,
        always_quick,
    )
else:  # the handshake needs none of these
    __getattr__ = import_later(
        __name__,
        (
            "call",
            "catalog",
            "contents",
            "prompts",
            "questions",
            "resources",
            "schema",
            "server_event",
            "tools",
            "headers",
            "client_requests",
            "asking",
        ),
    )

__all__ = [
    "LEGACY_REVISIONS",
    "MODERN_REVISIONS",
    "NEWEST_LEGACY",
    "NOT_BLANK",
    "Call",
    "CallFailed",
    "Catalog",
    "Client",
    "ClientRequest",
    "Complete",
    "Completion",
    "Content",
    "ImageContent",
    "InputRequired",
    "InvalidArguments",
    "LongWork",
    "OtherContent",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "PromptResult",
    "Question",
    "Resource",
    "ResourceContents",
    "ResourceLink",
    "ResourceNotFound",
    "ResourceTemplate",
    "Result",
    "Revision",
    "Schema",
    "SchemaViolation",
    "ServerEvent",
    "Settle",
    "TextContent",
    "Tool",
    "ToolError",
    "ToolResult",
    "Unfinished",
    "always_quick",
    "asker_of",
    "content_in",
    "header_parameters",
    "is_confirmed",
    "pass_on",
    "request_for",
    "text_in_header",
]
