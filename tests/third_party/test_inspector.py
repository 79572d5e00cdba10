"""The Inspector's command line (the TypeScript client) as a judge, where node is present."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pharo_mcp.resources import built_in_skills
from pharo_mcp.tools.all import TOOLS
from programs import PATIENCE, LiveImage

INSPECTOR = Path(__file__).parents[2] / ".venv" / "inspector" / "node_modules" / ".bin" / "mcp-inspector"

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not INSPECTOR.exists(),
    reason="the Inspector needs node and npm; scripts/test installs it where they are",
)

LISTED = len(TOOLS) - 1
"""All tools but `select_image`, which is listed only while several images are live."""


def inspect(image: LiveImage, era: str, *arguments: str, status: int = 0) -> Any:
    command: list[str | Path] = [
        INSPECTOR,
        "--cli",
        sys.executable,
        "-m",
        "pharo_mcp",
        *arguments,
        "--format",
        "json",
        "-q",
    ]
    run = subprocess.run(
        [*command, "--protocol-era", era],
        env=image.env(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == status, run.stdout + run.stderr
    return json.loads(run.stdout)["result"]


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_it_calls_a_tool(image: LiveImage, era: str) -> None:
    method = ["--method", "tools/call", "--tool-name", "evaluate", "--tool-arg", "expression=3 + 4"]
    assert inspect(image, era, *method)["content"][0]["text"] == "7"


def test_it_shows_an_error_result(image: LiveImage) -> None:
    method = ["--method", "tools/call", "--tool-name", "evaluate", "--tool-arg", "expression=1/0"]
    assert inspect(image, "legacy", *method, status=5)["isError"] is True


@pytest.mark.parametrize(
    ("method", "key", "count"),
    [
        ("tools/list", "tools", LISTED),
        ("resources/list", "resources", 4 + len(built_in_skills())),
        ("prompts/list", "prompts", 7),
    ],
)
def test_it_lists(image: LiveImage, method: str, key: str, count: int) -> None:
    assert len(inspect(image, "auto", "--method", method)[key]) == count


def test_it_lists_templates(image: LiveImage) -> None:
    listed = inspect(image, "legacy", "--method", "resources/templates/list")
    assert [one["uriTemplate"] for one in listed["resourceTemplates"]] == [
        "pharo://class/{className}",
        "pharo://class/{className}/method/{selector}",
        "pharo://class/{className}/class/method/{selector}",
        "pharo://package/{packageName}",
        "pharo://evaluation/{evaluationId}",
        "pharo://evaluation/{evaluationId}/flame-graph",
    ]


def test_it_finds_no_fault_in_the_schemas(image: LiveImage) -> None:
    inspect(image, "auto", "--method", "tools/list", "--strict")


def test_it_reads_a_resource(image: LiveImage) -> None:
    read = inspect(image, "auto", "--method", "resources/read", "--uri", "pharo://system/version")
    assert read["contents"][0]["text"] == image.system


def test_it_gets_a_prompt(image: LiveImage) -> None:
    prompt = [
        "--method",
        "prompts/get",
        "--prompt-name",
        "review-class",
        "--prompt-args",
        "className=OrderedCollection",
    ]
    assert inspect(image, "legacy", *prompt)["description"] == "Code review for OrderedCollection"
