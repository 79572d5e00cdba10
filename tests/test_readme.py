"""The tests that README.md names beside this are there."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
COMPANION = TESTS.parent / "pharo" / "PharoMcp-Tests"
README = (TESTS / "README.md").read_text("utf-8")


def test_every_test_that_is_named_exists() -> None:
    """A name that goes on with dots is the beginning of one."""
    named = re.findall(r"`(?:[a-z_]+/)?(test_[a-z_]+(?:\.py)?|Pmc\w+Test)", README)
    files = {file.name: file.read_text("utf-8") for file in TESTS.rglob("test_*.py")}
    there = {*files, *(file.name.partition(".")[0] for file in COMPANION.glob("*.class.st"))}
    sources = "\n".join(files.values())
    assert named
    assert not [name for name in named if name not in there and f"def {name}" not in sources]
