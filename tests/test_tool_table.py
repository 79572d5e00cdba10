"""The table of tools, and the steps by which CONTRIBUTING.md adds one, held against what is there."""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

import pharo_mcp.tool_table
from pharo_mcp.address import Address
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection.images import at
from pharo_mcp.protocol.tools import Tool
from pharo_mcp.tool_table import TOOLS
from pharo_mcp.tools.makers import MAKERS
from scenarios.playing import TASKS
from scenarios.test_tasks import ALWAYS_NEEDED, SENT_TO

ROOT = Path(__file__).parents[1]
TABLE = Path(pharo_mcp.tool_table.__file__)
MODULES = TABLE.with_name("tools")
NO_TOOLS = {"__init__", "declaration", "makers", "registered"}
"""Modules of `tools` that make no built-in tool."""
GROUPS = {"evaluate", "debug", "browse", "change", "test", "insight", "project", "image"}


class Step(NamedTuple):
    """A step of adding a tool: `needed` and `done` answer the tools, or paths, that need it and have it."""

    needed: Callable[[], set[str]]
    done: Callable[[], set[str]]


def rows() -> set[str]:
    return {row.name for row in TOOLS}


def modules() -> set[str]:
    return {path.stem for path in MODULES.glob("*.py")} - NO_TOOLS


def tools_known() -> set[str]:
    return rows() | modules()


def core_tools() -> set[str]:
    return {row.name for row in TOOLS if row.core}


def paths_asked() -> set[str]:
    files = MODULES.with_name("image").rglob("*.py")
    return {path for file in files for path in re.findall(r'"(/[a-z/]+)"', file.read_text("utf-8"))}


def paths_answered() -> set[str]:
    """The paths of the endpoints, as their classes define them."""
    files = (ROOT / "pharo" / "PharoMcp-Server").glob("*Endpoint.class.st")
    path = re.compile(r"class >> path \[\s*\^ '([^']+)'")
    return {found for file in files for found in path.findall(file.read_text("utf-8"))}


def names_kept() -> set[str]:
    """The names that the companion lets no image register."""
    source = (ROOT / "pharo" / "PharoMcp-Model" / "PmcTool.class.st").read_text("utf-8")
    method = source.partition("PmcTool class >> builtInNames [")[2].partition("]")[0]
    return set(re.findall(r"'(\w+)'", method))


def paths_known() -> set[str]:
    return paths_asked() | paths_answered()


def paths_in_the_contract() -> set[str]:
    files = (ROOT / "tests" / "contract").glob("*.json")
    return {json.loads(file.read_text("utf-8"))["request"]["path"] for file in files}


def tools_tested() -> set[str]:
    return {path.stem.removeprefix("test_") for path in (ROOT / "tests" / "tools").glob("test_*.py")}


def tools_of_tasks() -> set[str]:
    used = {call["tool"] for task in TASKS for call in task["calls"]}
    return used | SENT_TO | ALWAYS_NEEDED


STEPS = {
    "src/pharo_mcp/tool_table.py": Step(tools_known, rows),
    "src/pharo_mcp/tools/NAME.py": Step(tools_known, modules),
    "src/pharo_mcp/image": Step(paths_known, paths_asked),
    "pharo/PharoMcp-Server": Step(paths_known, paths_answered),
    "pharo/PharoMcp-Model/PmcTool.class.st": Step(rows, names_kept),
    "tests/contract": Step(paths_known, paths_in_the_contract),
    "tests/tools/test_NAME.py": Step(tools_known, tools_tested),
    "tests/scenarios/tasks.json": Step(core_tools, tools_of_tasks),
}
"""Each step by the place that it names first, in the order of CONTRIBUTING.md."""


def written_steps() -> dict[str, str]:
    """The steps in CONTRIBUTING.md by the place that each names first."""
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = page.partition("## Adding a tool\n")[2].partition("\n## ")[0]
    return {step.split("`")[1]: step for step in re.findall(r"^\d+\. (.+)$", section, re.M)}


def test_contributing_lists_each_step_of_adding_a_tool_in_order() -> None:
    assert list(written_steps()) == list(STEPS)


@pytest.mark.parametrize("place", STEPS)
def test_each_step_of_adding_a_tool_is_done(place: str) -> None:
    needed = STEPS[place].needed()
    assert needed
    assert_none(
        needed - STEPS[place].done(), f"the step of CONTRIBUTING.md is missing: {written_steps()[place]}"
    )


@pytest.fixture(scope="module")
def tools() -> Mapping[str, Tool]:
    """Each tool, for an image that nobody asks."""
    image = ImageClient(at(Address(1, "none")))
    return {name: make(image, structured=False) for name, make in MAKERS.items()}


def assert_none(names: Iterable[str], advice: str) -> None:
    """Fail with advice if there are such names."""
    if found := sorted(names):
        pytest.fail(f"{', '.join(found)}: {advice}", pytrace=False)


def test_each_name_has_one_row() -> None:
    names = [row.name for row in TOOLS]
    assert_none({name for name in names if names.count(name) > 1}, "leave one row of each in tool_table.py.")


def test_each_group_is_known() -> None:
    others = {row.group for row in TOOLS} ^ GROUPS
    assert_none(others, "correct the group in tool_table.py, or change GROUPS in this test.")


def test_each_tool_has_the_name_of_its_row(tools: Mapping[str, Tool]) -> None:
    others = (f"{name} makes {tool.name}" for name, tool in tools.items() if tool.name != name)
    assert_none(others, "give the tool the name of its module.")


def test_each_row_reads_only_if_its_tool_does(tools: Mapping[str, Tool]) -> None:
    hints = {name: tool.annotations.get("readOnlyHint", False) for name, tool in tools.items()}
    others = (row.name for row in TOOLS if row.reads_only != hints[row.name])
    assert_none(others, "reads_only in tool_table.py must equal the tool's readOnlyHint; correct either.")
