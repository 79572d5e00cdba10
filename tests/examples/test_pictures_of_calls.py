"""The pictures of tool calls in the docs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from programs import PATIENCE

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs" / "images"
SHOWN = {
    "coverage": "2 of 4 methods (50 %)",
    "commit": "Committed 5f2c0e7 in zoo on main; nothing was pushed.",
}
"""What each picture shows, among other things."""


def words(svg: str) -> str:
    """The text in a picture."""
    return "".join(re.findall(r">([^<>]+)</text>", svg)).replace("&#160;", " ")


def test_the_script_draws_what_is_in_the_docs(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "scripts" / "pictures-of-calls"), "draw", str(tmp_path)]
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
    assert {file.stem for file in tmp_path.iterdir()} == SHOWN.keys()
    for name in SHOWN:
        docs, now = (folder / f"{name}.svg" for folder in (PICTURES, tmp_path))
        assert words(now.read_text("utf-8")) == words(docs.read_text("utf-8"))


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_in_the_docs_shows_its_call_and_loads_nothing(name: str) -> None:
    svg = (PICTURES / f"{name}.svg").read_text("utf-8")
    assert SHOWN[name] in words(svg)
    assert "@font-face" not in svg
