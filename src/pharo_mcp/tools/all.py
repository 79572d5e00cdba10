"""All tools, in the order in which they are listed: what the chapters declare, and an image registers.

Whatever names all tools reads this: catalogs, instructions, the pages, and the names that no image may use.
"""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.registrations import RegisteredTool
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Tool, ToolResult
from pharo_mcp.protocol.headers import header_parameters
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.tools import browsing, changing, debugging, evaluating, images, measuring, projects
from pharo_mcp.tools.declaration import ON_ERROR, BuiltInTool
from pharo_mcp.tools.outcomes import following, long_work, result_of

CHAPTERS = (evaluating, debugging, browsing, changing, measuring, projects, images)
TOOLS = tuple(
    declared
    for chapter in CHAPTERS
    for declared in vars(chapter).values()
    if isinstance(declared, BuiltInTool)
)
NAMES = frozenset(tool.name for tool in TOOLS)
FORMER_NAMES = {
    **dict.fromkeys(
        ("compile_method", "compile_methods", "define_class", "remove_class", "remove_method"), "edit_code"
    ),
    **dict.fromkeys(("get_method", "get_package", "list_packages"), "read_code"),
    **dict.fromkeys(("move_method", "rename_class", "rename_method"), "refactor"),
    "find_method_by_example": "search with kind example",
    "list_images": "get_status",
    "list_repositories": "commit without a message",
    "reset_workspace": "evaluate with reset_workspace: true",
}
"""Names of earlier tools that models may remember, and what does their work now."""


class ChosenTools(NamedTuple):
    """The tools of a session: those that can be called, and the names of those that are listed."""

    tools: tuple[BuiltInTool, ...]
    listed: frozenset[str]


def chosen_tools(tools: str) -> ChosenTools:
    """Return the tools of a session with `--tools`: `all`, `core`, or names separated by commas.

    With `core`, the others can be called, too; with names, there are no others.

    Raises:
        ValueError: If it is none of these.
    """
    match tools:
        case "all":
            return ChosenTools(TOOLS, NAMES)
        case "core":
            return ChosenTools(TOOLS, frozenset(tool.name for tool in TOOLS if tool.core))
    names = frozenset(name.strip() for name in tools.split(","))
    if unknown := sorted(names - NAMES):
        raise ValueError(
            f"unknown --tools value {', '.join(unknown)}: use all, core, or names of tools, "
            "such as evaluate,run_tests (PHARO_MCP_TOOLS)"
        )
    return ChosenTools(tuple(tool for tool in TOOLS if tool.name in names), names)


NAME = "on_error"
"""An argument that every registered tool takes, unless it declares one of this name itself."""


def registered_tool(image: ImageClient, offered: RegisteredTool) -> Tool:
    """Make the tool that an image registers.

    Raises:
        ValueError: If the schema of its arguments is not valid.
    """
    header_parameters(offered.input_schema)
    schema = _with_on_error(Schema(offered.input_schema))
    schema.compile()
    takes_on_error = schema.definition is not offered.input_schema

    def call_it(arguments: Mapping[str, object], call: Call) -> ToolResult:
        own = dict(arguments)
        on_error = str(own.pop(NAME)) if takes_on_error and NAME in own else None
        caller = following(image, call)
        request = partial(image.call_registered, "tool", own, caller, name=offered.name, on_error=on_error)
        return result_of(image, request)

    return Tool(
        name=offered.name,
        title=offered.title,
        description=offered.description,
        input_schema=schema,
        handler=call_it,
        annotations={"readOnlyHint": offered.read_only},
        long_work=long_work(image),
        needs_task=bool(offered.needs_task),
    )


def _with_on_error(schema: Schema) -> Schema:
    """Return the schema with our own argument, or itself if it declares that one."""
    if NAME in schema.properties:
        return schema
    with_it = {**schema.definition, "properties": {**schema.properties, NAME: ON_ERROR}}
    return Schema(with_it, listed=schema.definition)
