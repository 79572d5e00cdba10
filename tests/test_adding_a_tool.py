"""The three steps by which CONTRIBUTING.md adds a tool, held against what is there."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

import pharo_mcp
from pharo_mcp.tools.all import TOOLS

ROOT = Path(__file__).parents[1]
FRONT_END = Path(pharo_mcp.__file__).parent
COPIED = (
    "docs",
    "pharo",
    "scripts",
    "src",
    "tests",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "pyproject.toml",
)
TOOL = '''

@tool("image", schema_of_arguments(("name",), name=string("Whom to greet.")), READS)
def greet(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Greet somebody by name, from the image that is in use."""
    yield image.ask(endpoints.GREETING, **arguments).text
'''
REPLY = '''

class Greeting(NamedTuple):
    """A greeting."""

    text: str
'''
ROW = """

GREETING = endpoint("/greeting", image.Greeting)
"""
ENDPOINT = """
{ #category : 'endpoints' }
PmcBrowsingEndpoints >> greet [
	"POST /greeting: a greeting.

		{ ""name"" : ""Ada"" }  →  { ""text"" : ""Good morning, Ada"" }"

	<reads: '/greeting'>
	| text |
	text := 'Good morning, ' , (self stringAt: 'name').
	^ self inJobDo: [ PmcOutcome value: (OrderedDictionary newFromPairs: { 'text'. text }) ]
]
"""
TESTED_ROW = "		  { PmcBrowsingEndpoints. '/greeting'. true. true. #( 'name' 'Ada' ) }.\n"
EXCHANGE = {
    "about": "A greeting.",
    "request": {"method": "POST", "path": "/greeting", "headers": {}, "body": {"name": "Ada"}},
    "reply": {"status": 200, "body": {"ok": True, "value": {"text": "Good morning, Ada"}}},
}
CHECKS = (
    "tests/companion/test_taken_names.py",
    "tests/test_contract_files.py",
    "tests/app/test_catalog.py",
    "tests/image/test_contract.py",
)
SUNIT = (
    "PmcContractTest>>testExchanges",
    "PmcConventionsTest>>testEachClassIsTested",
    "PmcEndpointsTest>>testEachIsInTheTable",
    "PmcEndpointsTest>>testEachIsReadOnlyOrNot",
    "PmcEndpointsTest>>testEachNeedsAJobOrAnswersWhileAllAreInUse",
)
"""Tests of the companion that look at every endpoint, or play every exchange."""
GROUPS = {"evaluate", "debug", "browse", "change", "test", "insight", "project", "image"}


def paths_asked() -> set[str]:
    """The paths that the client of an image asks."""
    files = (FRONT_END / "image").rglob("*.py")
    return {path for file in files for path in re.findall(r'"(/[a-z/]+)"', file.read_text("utf-8"))}


def paths_answered() -> set[str]:
    """The paths of the endpoints, as their pragmas name them."""
    files = (ROOT / "pharo").glob("*/*Endpoints.class.st")
    path = re.compile(r"^\t<(?:gets|reads|changes): '([^']+)'>", re.M)
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
    assert_none(paths_asked() - paths_answered(), "a subclass of PmcEndpoints needs a method for it.")


def test_each_endpoint_has_an_exchange() -> None:
    assert_none(paths_answered() - paths_in_the_contract(), "tests/contract needs a file for it.")


def test_each_name_is_declared_once() -> None:
    names = [tool.name for tool in TOOLS]
    assert_none({name for name in names if names.count(name) > 1}, "leave one tool of this name.")


def test_each_tool_has_a_description_and_a_group() -> None:
    assert_none((tool.name for tool in TOOLS if not tool.description), "its handler needs a docstring.")
    assert_none((tool.name for tool in TOOLS if tool.group not in GROUPS), "its group is not known.")


@pytest.fixture
def grown(tmp_path: Path) -> Path:
    """A copy of the project to which a tool was added by the three steps."""
    for source in (*ROOT.glob("*.md"), *(ROOT / name for name in COPIED)):
        if source.is_dir():
            shutil.copytree(
                source, tmp_path / source.name, ignore=shutil.ignore_patterns("__pycache__", "images")
            )
        else:
            shutil.copy(source, tmp_path)
    front_end, server = tmp_path / "src" / "pharo_mcp", tmp_path / "pharo" / "PharoMcp-Browsing"
    append(front_end / "tools" / "images.py", TOOL)
    append(front_end / "image" / "replies" / "image.py", REPLY)
    append(front_end / "image" / "endpoints.py", ROW)
    append(server / "PmcBrowsingEndpoints.class.st", ENDPOINT)
    table = tmp_path / "pharo" / "PharoMcp-Tests" / "PmcEndpointsTest.class.st"
    table.write_text(
        re.sub(r"(\t\t  \{ PmcImageEndpoints\. '/version')", TESTED_ROW + r"\1", table.read_text("utf-8")),
        "utf-8",
    )
    exchange = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in EXCHANGE.items())
    (tmp_path / "tests" / "contract" / "greeting.json").write_text(f"{{\n{exchange}\n}}\n", "utf-8")
    return tmp_path


def append(path: Path, text: str) -> None:
    """Append a text to a file."""
    path.write_text(path.read_text("utf-8") + text, "utf-8")


def run_in(folder: Path, *command: str) -> None:
    """Run a Python program of a copy of the project; fail unless it succeeds."""
    ran = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ
        | {"PYTHONPATH": str(folder / "src"), "PHARO_MCP_CONTRACT": str(folder / "tests" / "contract")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]


def test_a_tool_is_added_by_three_steps(grown: Path) -> None:
    run_in(grown, "scripts/generate", "generate", "CONTRIBUTING.md")
    run_in(grown, "-m", "pytest", "-q", "-n", "0", *CHECKS)
    run_in(grown, "-m", "pytest", "-q", "-n", "0", "tests/test_adding_a_tool.py", "-k", "not steps")
    for exchange in (grown / "tests" / "contract").glob("*.json"):
        if exchange.stem != "greeting":  # SUnit plays all that are there
            exchange.unlink()
    for test in SUNIT:
        run_in(grown, "-m", "pharo_practice", "--preload", "pharo", "--test", test)
