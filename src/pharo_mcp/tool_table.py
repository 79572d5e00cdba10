"""The tools: one row each, in the order in which they are listed.

Everything else that names all tools is derived from these rows. No tool is imported here, so that the
handshake can name the tools without loading them.
"""

from typing import NamedTuple


class ToolRow(NamedTuple):
    """One tool: the module `tools/NAME.py` makes it with its function `NAME_tool`.

    Attributes:
        name: Its name, as clients call it.
        group: The heading it belongs under in documentation.
        core: Whether `--tools core` lists it, as tests/scenarios/README.md decides; the other tools can be
            called too.
        reads_only: Whether it can change nothing in the image; only such tools exist in a read-only session.
        takes_long: Whether its calls can be tasks.
    """

    name: str
    group: str
    core: bool
    reads_only: bool
    takes_long: bool = False


TOOLS = (
    ToolRow("evaluate", "evaluate", core=True, reads_only=False, takes_long=True),
    ToolRow("get_evaluation", "evaluate", core=True, reads_only=True),
    ToolRow("stop_evaluation", "evaluate", core=True, reads_only=False),
    ToolRow("inspect_object", "evaluate", core=True, reads_only=True),
    ToolRow("debug_show", "debug", core=False, reads_only=True),
    ToolRow("debug_step", "debug", core=False, reads_only=False),
    ToolRow("set_breakpoint", "debug", core=False, reads_only=False),
    ToolRow("search", "browse", core=True, reads_only=True),
    ToolRow("read_code", "browse", core=True, reads_only=True),
    ToolRow("get_class", "browse", core=True, reads_only=True),
    ToolRow("edit_code", "change", core=True, reads_only=False),
    ToolRow("refactor", "change", core=True, reads_only=False),
    ToolRow("list_changes", "change", core=True, reads_only=True),
    ToolRow("undo_change", "change", core=True, reads_only=False),
    ToolRow("save_image", "image", core=False, reads_only=False),
    ToolRow("run_tests", "test", core=True, reads_only=False, takes_long=True),
    ToolRow("find_objects", "insight", core=False, reads_only=True),
    ToolRow("profile", "insight", core=False, reads_only=False, takes_long=True),
    ToolRow("load_project", "project", core=False, reads_only=False, takes_long=True),
    ToolRow("export_package", "project", core=False, reads_only=False),
    ToolRow("import_package", "project", core=False, reads_only=False),
    ToolRow("commit", "project", core=False, reads_only=False),
    ToolRow("take_screenshot", "image", core=False, reads_only=True),
    ToolRow("get_status", "image", core=False, reads_only=True),
    ToolRow("get_version", "image", core=False, reads_only=True),
    ToolRow("select_image", "image", core=True, reads_only=True),
)
NAMES = frozenset(row.name for row in TOOLS)
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

    rows: tuple[ToolRow, ...]
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
            return ChosenTools(TOOLS, frozenset(row.name for row in TOOLS if row.core))
    names = frozenset(name.strip() for name in tools.split(","))
    if unknown := sorted(names - NAMES):
        raise ValueError(
            f"unknown --tools value {', '.join(unknown)}: use all, core, or names of tools, "
            "such as evaluate,run_tests (PHARO_MCP_TOOLS)"
        )
    return ChosenTools(tuple(row for row in TOOLS if row.name in names), names)
