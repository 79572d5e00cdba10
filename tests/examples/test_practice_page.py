"""What docs/practice-image.md says of the practice image, asked of it."""

import re
import subprocess
import sys

from examples.pages import ROOT
from programs import PATIENCE

PAGE = (ROOT / "docs" / "practice-image.md").read_text("utf-8")
LACKS = PAGE.partition("## What it lacks\n")[2].partition("\n\nSome of this")[0]
PRESENT = {"Behavior", "LibC", "inform:", "confirm:"}
"""Named there as well, and present."""


def printed(expression: str) -> str:
    """What the practice image prints for an expression."""
    command = [sys.executable, "-m", "pharo_practice", "--load", str(ROOT / "pharo"), "--print", expression]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_it_lacks_the_classes_and_selectors_that_the_page_lists_as_lacking() -> None:
    spans = set(re.findall(r"`([^`]+)`", LACKS)) - PRESENT
    names = " ".join(f"#{span}" for span in spans if re.fullmatch(r"[A-Z]\w+", span))
    selectors = " ".join(f"#{span}" for span in spans if re.fullmatch(r"[a-z]\w+|(?:\w+:)+", span))
    assert names
    assert selectors
    found = printed(f"(#( {names} ) select: [ :each | Smalltalk globals includesKey: each ]) size")
    assert found == "0"
    present = (
        f"(#( {selectors} ) select: [ :each | (SystemNavigation new allImplementorsOf: each) notEmpty ]) size"
    )
    assert printed(present) == "0"


def test_it_names_itself_as_the_page_says() -> None:
    assert f"reports itself as `{printed('PmcPlatform systemText')}`" in PAGE
