"""The scripts that a person runs, where they can be run without what they are for."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from programs import PATIENCE, environment

SCRIPTS = Path(__file__).parents[1] / "scripts"

VM = """\
#!{python}
import sys
if "test" in sys.argv:
    print("{ran}")
sys.exit({status} if "test" in sys.argv else 0)
"""

needs_posix = pytest.mark.skipif(os.name == "nt", reason="the VM is a script with a first line of its own")


def verdict(folder: Path, *, ran: str, status: int = 0) -> str:
    """What `scripts/test-image` says about an image whose SUnit run prints and ends like this."""
    vm, image = folder / "pharo", folder / "Some.image"
    vm.write_text(VM.format(python=sys.executable, ran=ran, status=status), "utf-8")
    vm.chmod(0o755)
    image.touch()
    run = subprocess.run(
        [sys.executable, SCRIPTS / "test-image", image, "--vm", vm],
        env=os.environ | {"PHARO_MCP_TEST_IMAGE": "started"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert run.returncode == 1
    return run.stderr


@needs_posix
def test_an_image_in_which_no_sunit_test_ran_does_not_pass(tmp_path: Path) -> None:
    assert "No SUnit test ran" in verdict(tmp_path, ran="0 run, 0 passes, 0 failures, 0 errors.")


@needs_posix
def test_an_image_in_which_a_sunit_test_failed_does_not_pass(tmp_path: Path) -> None:
    told = verdict(tmp_path, ran="250 run, 249 passes, 1 failures, 0 errors.", status=1)
    assert "The SUnit tests failed" in told


def test_the_headless_script_starts_the_companion(tmp_path: Path) -> None:
    script = (SCRIPTS.parent / "pharo" / "start-headless.st").read_text("utf-8")
    command = [sys.executable, "-m", "pharo_standin", "--load", str(SCRIPTS.parent / "pharo"), "--do", script]
    told = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "Pharo MCP is open at http://127.0.0.1:" in told.stdout + told.stderr


def test_without_a_companion_the_headless_script_says_what_to_do(tmp_path: Path) -> None:
    script = (SCRIPTS.parent / "pharo" / "start-headless.st").read_text("utf-8")
    command = [sys.executable, "-m", "pharo_standin", "--do", script]
    told = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert told.returncode == 1
    assert "pharo-mcp load --image" in told.stderr
