"""The pictures of terminals in the docs, which a script draws from real sessions."""

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from programs import PATIENCE

ROOT = Path(__file__).parents[2]
SHOWN = {
    "session": ("Paused: CollectionIsEmpty", "Order>>average", "action: restart", "1 test: 1 passed."),
    "watch": (
        "Running evaluations",
        "Order new total",
        "MessageNotUnderstood",
        "changed method Order>>total",
    ),
    "profile": ("seconds in", "Shop>>sell:", "Shop>>order:", "Delay>>wait"),
}
"""What each picture shows."""


def words(svg: str) -> str:
    """The text in a picture, without the spaces that align it."""
    texts = re.findall(r">([^<>]+)</(?:text|title)>", svg)
    return " ".join(unescape(" ".join(texts)).split())


@pytest.mark.parametrize("name", SHOWN)
def test_a_script_draws_a_session(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.svg"
    command = [sys.executable, str(ROOT / "scripts" / "pictures"), name, str(tmp_path)]
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
    assert drawn.returncode == 0, drawn.stdout + drawn.stderr
    text = words(file.read_text("utf-8"))
    assert [shown for shown in SHOWN[name] if shown not in text] == []


@pytest.mark.parametrize("name", SHOWN)
def test_a_picture_in_the_docs_names_no_place_and_loads_nothing(name: str) -> None:
    svg = (ROOT / "docs" / "images" / f"{name}.svg").read_text("utf-8")
    assert [shown for shown in SHOWN[name] if shown not in words(svg)] == []
    assert not re.search(r"/(?:home|tmp|work|Users)/", words(svg))
    assert "@font-face" not in svg
