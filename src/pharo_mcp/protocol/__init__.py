"""MCP's nouns: what can be offered, what an answer is made of, and what each revision knows.

Values and their wire form; no I/O, no JSON-RPC, no Pharo.
The values are named tuples: `dataclasses` alone would cost as much start-up as all of this package.
"""

from .call import Call
from .contents import Content, ImageContent, OtherContent, TextContent, content_in
from .news import News
from .offers import Complete, Completion, Offers
from .prompts import InvalidArguments, Prompt, PromptArgument, PromptMessage, PromptResult
from .resources import Resource, ResourceContents, ResourceNotFound, ResourceTemplate
from .revisions import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision
from .schema import Schema, SchemaViolation
from .tools import Tool, ToolError, ToolResult, always

__all__ = [
    "LEGACY_REVISIONS",
    "MODERN_REVISIONS",
    "NEWEST_LEGACY",
    "Call",
    "Complete",
    "Completion",
    "Content",
    "ImageContent",
    "InvalidArguments",
    "News",
    "Offers",
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
    "TextContent",
    "Tool",
    "ToolError",
    "ToolResult",
    "always",
    "content_in",
]
