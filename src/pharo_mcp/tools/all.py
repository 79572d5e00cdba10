"""All tools, in the order in which they are listed: what the chapters declare.

Whatever names all tools reads this: catalogs, instructions, the pages, and the names that no image may use.
"""

from typing import NamedTuple

from pharo_mcp.tools import browsing, changing, debugging, evaluating, images, measuring, projects
from pharo_mcp.tools.declaration import BuiltInTool

CHAPTERS = (evaluating, debugging, browsing, changing, measuring, projects, images)
TOOLS = tuple(
    declared
    for chapter in CHAPTERS
    for declared in vars(chapter).values()
    if isinstance(declared, BuiltInTool)
)
NAMES = frozenset(tool.name for tool in TOOLS)


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
