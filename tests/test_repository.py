"""What contributors' tools read agrees with the files of the project."""

import os
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BINARY = {".gz", ".bin", ".png", ".pyc"}
FOLDERS = (
    ".ci",
    ".claude-plugin",
    ".codex-plugin",
    ".github",
    "agents",
    "docs",
    "pharo",
    "scripts",
    "src",
    "tests",
)
HOOKS = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")


def text_files() -> Iterator[Path]:
    """The project's text files."""
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git")
    for folder in FOLDERS:
        for path, folders, names in os.walk(ROOT / folder):
            folders[:] = [name for name in folders if not name.endswith("__pycache__")]
            yield from (Path(path, name) for name in names if Path(name).suffix not in BINARY)


@pytest.mark.parametrize(
    ("defect", "exception"),
    [
        (rb"\r", r"(?!)"),
        (rb"[^\n]\Z", r"(?!)"),
        (rb"[ \t]\n", r".*\.(st|svg)"),
    ],
    ids=["a carriage return", "no line end at the end", "spaces at the end of a line"],
)
def test_no_file_has(defect: bytes, exception: str) -> None:
    files = [path for path in text_files() if re.search(defect, path.read_bytes())]
    names = [path.relative_to(ROOT).as_posix() for path in files]
    assert not [name for name in names if not re.fullmatch(exception, name)]


def test_the_hooks_leave_out_the_files_that_may_have_spaces_at_the_end_of_a_line() -> None:
    [pattern] = re.findall(r"exclude: (\S+)", HOOKS)
    assert re.search(pattern, "pharo/PharoMcp-Core/PmcJob.class.st")
    assert not re.search(pattern, "README.md")


def test_the_hooks_and_the_project_use_the_same_ruff() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    [pinned] = [one.removeprefix("ruff==") for one in groups["lint"] if one.startswith("ruff==")]
    assert f"ruff-pre-commit\n    rev: v{pinned} " in HOOKS


def test_the_pages_that_a_contributor_looks_for_are_there() -> None:
    pages = ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", ".github/PULL_REQUEST_TEMPLATE.md")
    assert not [page for page in pages if not (ROOT / page).is_file()]
