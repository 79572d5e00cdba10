"""The kernel's own SUnit tests, run by the practice image, each reported by its name."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import pharo_practice
from pharo_practice.image import KERNEL, boot
from pharo_practice.machine.machine import Machine
from pharo_practice.tonel.reader import files_in, read_files
from practice_evaluation import Evaluate

TESTS = Path(pharo_practice.__file__).parent / "kernel_tests"
TEST = re.compile(r"^(\w+Test) >> (test\w*) \[$", re.M)

WRITTEN = [
    name for file in sorted(TESTS.glob("*/*.class.st")) for name in TEST.findall(file.read_text("utf-8"))
]


@pytest.fixture(scope="module")
def outcomes() -> dict[tuple[str, str], Any]:
    """What became of each test in one run of them all; of a test that is run many times, the worst."""
    run = subprocess.run(
        [sys.executable, "-m", "pharo_practice", "--load", TESTS, "--test", ".*-Tests"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    results = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    assert results, run.stderr[-4000:]
    results.sort(key=lambda result: bool(result["outcome"] != "passed"))
    return {(result["class"], result["selector"]): result for result in results}


@pytest.mark.parametrize("name", WRITTEN, ids=">>".join)
def test_kernel(outcomes: dict[tuple[str, str], Any], name: tuple[str, str]) -> None:
    result = outcomes[name]
    if result["outcome"] != "passed":
        pytest.fail(f"{result['outcome']}: {result['detail']}", pytrace=False)


def test_a_process_boots_one_image(vm: Machine, evaluate: Evaluate) -> None:
    with pytest.raises(RuntimeError, match="has booted already"):
        boot()
    assert evaluate("3 + 4") == 7


def test_no_method_is_written_twice() -> None:
    """The one read last would win, and hide the other."""
    written = Counter(
        (folder, method.class_name, method.is_meta, method.selector)
        for folder in KERNEL
        for definition in read_files(files_in(folder))
        for method in definition.methods
    )
    assert [name for name, times in written.items() if times > 1] == []
