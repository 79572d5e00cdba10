"""The picture of `pharo-mcp watch` in the docs."""

import re
import subprocess
import sys
from pathlib import Path

from programs import PATIENCE

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "watch.svg"


def words(svg: str) -> str:
    """The text in a picture."""
    return " ".join(re.findall(r">([^<>]+)</text>", svg)).replace("&#160;", " ").replace("&gt;", ">")


def test_the_script_draws_a_session(tmp_path: Path) -> None:
    file = tmp_path / "images" / "watch.svg"
    command = [sys.executable, str(ROOT / "scripts" / "picture-of-watch"), "draw", str(file)]
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
    text = words(file.read_text("utf-8"))
    for shown in (
        "Running evaluations",
        "Order new total",
        "MessageNotUnderstood",
        "changed method Order>>total",
    ):
        assert shown in text


def test_the_picture_in_the_docs_names_no_place_and_loads_nothing() -> None:
    svg = PICTURE.read_text("utf-8")
    assert "changed method Order>>total" in words(svg)
    assert not re.search(r"/(?:home|tmp|work|Users)/", words(svg))
    assert "@font-face" not in svg
