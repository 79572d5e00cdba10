"""MCP's nouns: tools, resources and prompts, what results are made of, and what each revision has.

Values and their wire form; no I/O, no JSON-RPC, no Pharo.
The values are named tuples: `dataclasses` alone would cost as much start-up as all of this package.
"""

from pharo_mcp.imports import TYPE_CHECKING, import_later

from .revisions import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision

if TYPE_CHECKING:
    from .asking import asker_of, is_confirmed
    from .call import Call
    from .catalog import Catalog, Complete, Completion
    from .client_requests import Client, ClientRequest, InputRequired, Settle
    from .contents import Content, ImageContent, OtherContent, TextContent, content_in
    from .prompts import InvalidArguments, Prompt, PromptArgument, PromptMessage, PromptResult
    from .resources import Resource, ResourceContents, ResourceNotFound, ResourceTemplate
    from .schema import Schema, SchemaViolation
    from .server_event import ServerEvent
    from .tools import Tool, ToolError, ToolResult, always_quick
else:  # the handshake needs none of these
    __getattr__ = import_later(
        __name__,
        (
            "call",
            "catalog",
            "contents",
            "prompts",
            "resources",
            "schema",
            "server_event",
            "tools",
            "client_requests",
            "asking",
        ),
    )

__all__ = [
    "LEGACY_REVISIONS",
    "MODERN_REVISIONS",
    "NEWEST_LEGACY",
    "Call",
    "Catalog",
    "Client",
    "ClientRequest",
    "Complete",
    "Completion",
    "Content",
    "ImageContent",
    "InputRequired",
    "InvalidArguments",
    "OtherContent",
    "Prompt",
    "PromptArgument",
    "PromptMessage",
    "PromptResult",
    "Resource",
    "ResourceContents",
    "ResourceNotFound",
    "ResourceTemplate",
    "Revision",
    "Schema",
    "SchemaViolation",
    "ServerEvent",
    "Settle",
    "TextContent",
    "Tool",
    "ToolError",
    "ToolResult",
    "always_quick",
    "asker_of",
    "content_in",
    "is_confirmed",
]
