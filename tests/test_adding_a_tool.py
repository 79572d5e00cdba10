"""The three steps by which CONTRIBUTING.md adds a tool, held against what is there."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import pharo_mcp
from pharo_mcp.tools.all import TOOLS

ROOT = Path(__file__).parents[1]
FRONT_END = Path(pharo_mcp.__file__).parent
GROUPS = {"evaluate", "debug", "browse", "change", "test", "insight", "project", "image"}


def paths_asked() -> set[str]:
    """The paths that the client of an image asks."""
    files = (FRONT_END / "image").rglob("*.py")
    return {path for file in files for path in re.findall(r'"(/[a-z/]+)"', file.read_text("utf-8"))}


def paths_answered() -> set[str]:
    """The paths of the endpoints, as their classes define them."""
    files = (ROOT / "pharo" / "PharoMcp-Server").glob("*Endpoint.class.st")
    path = re.compile(r"class >> path \[\s*\^ '([^']+)'")
    return {found for file in files for found in path.findall(file.read_text("utf-8"))}


def paths_in_the_contract() -> set[str]:
    """The paths of the exchanges."""
    files = (ROOT / "tests" / "contract").glob("*.json")
    return {json.loads(file.read_text("utf-8"))["request"]["path"] for file in files}


def assert_none(names: Iterable[str], advice: str) -> None:
    """Fail with advice if there are such names."""
    if found := sorted(names):
        pytest.fail(f"{', '.join(found)}: {advice}", pytrace=False)


def test_each_endpoint_is_asked() -> None:
    assert_none(paths_answered() - paths_asked(), "src/pharo_mcp/image has no such endpoint.")


def test_each_request_has_an_endpoint() -> None:
    assert_none(paths_asked() - paths_answered(), "pharo/PharoMcp-Server needs a subclass of PmcEndpoint.")


def test_each_endpoint_has_an_exchange() -> None:
    assert_none(paths_answered() - paths_in_the_contract(), "tests/contract needs a file for it.")


def test_each_name_is_declared_once() -> None:
    names = [tool.name for tool in TOOLS]
    assert_none({name for name in names if names.count(name) > 1}, "leave one tool of this name.")


def test_each_tool_has_a_description_and_a_group() -> None:
    assert_none((tool.name for tool in TOOLS if not tool.description), "its handler needs a docstring.")
    assert_none((tool.name for tool in TOOLS if tool.group not in GROUPS), "its group is not known.")
