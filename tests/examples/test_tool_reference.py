"""The reference of the tools is generated: all tools are in it, with calls that their schemas accept.

scripts/test compares the page with what scripts/reference.py makes of a new session.
"""

import json
import re
from typing import cast

import pytest

from examples.pages import ROOT, Block, blocks_of
from pharo_mcp.address import Address
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at
from pharo_mcp.tools.all import TOOLS

PAGE = (ROOT / "docs" / "tools.md").read_text("utf-8").partition("\n## Resources\n")[0]
SCHEMAS = {tool.name: tool.input_schema for tool in catalog_for(ImageClient(at(Address(9, "none")))).tools}
EXAMPLES = blocks_of("recorded")


def test_each_tool_has_its_section_in_the_order_of_the_table() -> None:
    assert re.findall(r"^## (.+)$", PAGE, re.M) == [row.name for row in TOOLS]


def test_the_examples_are_of_tools() -> None:
    assert {block.text.split()[0] for block in EXAMPLES} <= {row.name for row in TOOLS}


@pytest.mark.parametrize("block", EXAMPLES, ids=str)
def test_the_arguments_of_an_example_fit_the_tool(block: Block) -> None:
    tool, _, arguments = block.text.splitlines()[0].partition(" ")
    SCHEMAS[tool].check(json.loads(arguments))


def test_no_example_shows_what_differs_from_run_to_run() -> None:
    shown = "\n".join(block.text for block in EXAMPLES)
    assert not re.findall(
        r"127\.0\.0\.1:\d|\be-[0-9a-f]{6}|\d seconds|\d{4}-\d\d-\d\d|practice\.image", shown
    )


@pytest.mark.parametrize(
    ("page", "heading", "tool", "argument"),
    [
        ("debugging.md", "| action | what happens |", "debug_step", "action"),
        ("memory.md", "| relation | of | what it shows |", "find_objects", "relation"),
    ],
)
def test_a_table_has_every_value_of_an_argument(page: str, heading: str, tool: str, argument: str) -> None:
    table = (ROOT / "docs" / page).read_text("utf-8").partition(heading)[2].partition("\n\n")[0]
    properties = cast(dict[str, dict[str, object]], SCHEMAS[tool].definition["properties"])
    assert re.findall(r"^\| `(\w+)` \|", table, re.M) == properties[argument]["enum"]
