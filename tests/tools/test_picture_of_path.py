"""The picture of a path to an object in the docs."""

import re
import subprocess
import sys
from pathlib import Path

from programs import PATIENCE

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "images" / "path-to-root.svg"
STEPS = ("global TheZoo", "instance variable announcer", "instance variable action", "a ZooAnimal")


def words(svg: str) -> str:
    """The text in a picture."""
    return " ".join(re.findall(r">([^<>]+)</text>", svg))


def test_the_script_draws_a_session(tmp_path: Path) -> None:
    file = tmp_path / "images" / "path.svg"
    command = [sys.executable, str(ROOT / "scripts" / "picture-of-path"), "draw", str(file)]
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
    assert all(step in words(file.read_text("utf-8")) for step in STEPS)


def test_the_picture_in_the_docs_is_such_a_one() -> None:
    assert all(step in words(PICTURE.read_text("utf-8")) for step in STEPS)
