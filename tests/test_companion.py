"""The companion and the stand-in's kernel against what Pharo 12 and 13 contain.

The checkers and their data are kept outside the project; where they are not at hand the tests say so.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pharo_mcp

ROOT = Path(__file__).parents[1]
CHECKER = Path(os.environ.get("PHARO_API_CHECKER", ROOT.parent / "shared" / "smalltalk" / "check_api.py"))
COPIED = CHECKER.with_name("check_copied.py")
KERNEL = ROOT / "src" / "pharo_standin" / "kernel"

needs_checker = pytest.mark.skipif(
    not CHECKER.exists(), reason=f"no checker at {CHECKER}; name one in PHARO_API_CHECKER"
)

needs_copied = pytest.mark.skipif(not COPIED.exists(), reason=f"no checker at {COPIED}")


def check(*arguments: str) -> None:
    run = subprocess.run(
        [sys.executable, CHECKER, "--errors-only", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


@needs_checker
def test_the_companion_uses_only_what_pharo_12_and_13_have() -> None:
    check(str(ROOT / "pharo"))


@needs_checker
def test_the_stand_in_has_no_class_and_no_selector_that_pharo_lacks() -> None:
    check("--subset", str(KERNEL))


@needs_checker
def test_its_classes_of_pharo_13_alone_are_in_pharo_13() -> None:
    check("--subset", str(KERNEL.with_name("kernel13")), "--versions", "13")


@needs_copied
def test_no_method_is_pharos_own_but_for_names_and_layout() -> None:
    run = subprocess.run(
        [sys.executable, COPIED, str(ROOT / "pharo"), str(ROOT / "src" / "pharo_standin")],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    *copied, summary = run.stdout.splitlines() or [""]
    assert summary.endswith("Pharo's own but for names and layout"), run.stdout[-2000:] + run.stderr[-2000:]
    assert copied == []


def test_both_halves_have_one_version_number() -> None:
    facade = (ROOT / "pharo" / "PharoMcp-Server" / "PharoMcp.class.st").read_text("utf-8")
    assert f"^ '{pharo_mcp.__version__}'" in facade
