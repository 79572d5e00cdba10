"""The companion's own SUnit tests, run by the practice image, each reported by its name."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
COMPANION = ROOT / "pharo"
TEST = re.compile(r"^(\w+) >> (test\w*) \[$", re.M)


def written_tests() -> Iterator[tuple[str, str]]:
    """Class and selector of every test in the companion's sources."""
    for file in sorted(COMPANION.glob("*Tests/*Test.class.st")):
        yield from TEST.findall(file.read_text("utf-8"))


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], Any]:
    """What became of each test in one run of them all."""
    run = subprocess.run(
        [sys.executable, "-m", "pharo_practice", "--load", COMPANION, "--test", "PharoMcp.*"],
        env=os.environ | {"PHARO_MCP_CONTRACT": str(ROOT / "tests" / "contract")},
        capture_output=True,
        text=True,
        timeout=3600,
        check=False,
    )
    results = [json.loads(line) for line in run.stdout.splitlines()]
    assert results, run.stderr[-4000:]
    return {(result["class"], result["selector"]): result for result in results}


@pytest.mark.parametrize("name", list(written_tests()), ids=">>".join)
def test_companion(outcomes: dict[tuple[str, str], Any], name: tuple[str, str]) -> None:
    result = outcomes[name]
    if result["outcome"] == "skipped":
        pytest.skip("only in an image that has what it tests")
    if result["outcome"] != "passed":
        pytest.fail(f"{result['outcome']}: {result['detail']}", pytrace=False)
