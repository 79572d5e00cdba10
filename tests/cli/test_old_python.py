"""An old Python, as some systems and clients still have it, is told so in a sentence."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import pharo_mcp
from programs import PATIENCE, environment

FOLDER = Path(pharo_mcp.__file__).parent
OLD = (3, 8, 10)
PRETEND = (
    "import runpy, sys; sys.version_info = {!r}; sys.version = '3.8.10 (default)'; "
    "runpy.run_module('pharo_mcp', run_name='__main__')"
)


def test_an_old_python_ends_with_a_sentence(home: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", PRETEND.format(OLD)],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 1
    assert "pharo-mcp requires Python 3.11 or newer" in result.stderr
    assert "is Python 3.8.10" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_what_is_read_before_that_sentence_is_old_python(name: str) -> None:
    ast.parse((FOLDER / name).read_text("utf-8"), feature_version=OLD[:2])
