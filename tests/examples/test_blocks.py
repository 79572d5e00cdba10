"""Each fenced block in the pages is played by a test of this folder; links lead somewhere."""

import re
from pathlib import Path

import pytest

from examples.pages import BLOCKS, PAGES, ROOT, Block

PLAYED = {
    "calls": "test_conversation.py",
    "console": "test_commands.py",
    "json": "test_configurations.py",
    "messages": "test_tasks_page.py",
    "pharo": "test_skills.py",
    "recorded": "test_tool_reference.py",
    "smalltalk": "test_smalltalk.py",
}
"""The languages of blocks, and the file here that plays them."""


@pytest.mark.parametrize("block", BLOCKS, ids=str)
def test_each_block_is_played_by_a_test(block: Block) -> None:
    if block.language not in PLAYED:
        pytest.fail(
            f"{block} begins with ```{block.language}, which no test plays: "
            f"use one of {', '.join(PLAYED)}, or add a test of that language to tests/examples.",
            pytrace=False,
        )


def test_each_fence_is_closed() -> None:
    fences = sum(path.read_text("utf-8").count("```") for path in PAGES)
    assert fences == 2 * len(BLOCKS)


@pytest.mark.parametrize("language", PLAYED)
def test_each_language_has_its_blocks_and_its_tests(language: str) -> None:
    assert [block for block in BLOCKS if block.language == language]
    assert Path(__file__).with_name(PLAYED[language]).exists()


def anchors(page: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def documents() -> list[Path]:
    return sorted(
        path
        for pattern in ("*.md", "docs/*.md", "tests/README.md", "tests/*/README.md")
        for path in ROOT.glob(pattern)
    )


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_link_within_the_project_leads_somewhere(path: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", path.read_text("utf-8"))
    targets = [((path.parent / target).resolve() if target else path, anchor) for target, anchor in links]
    assert not [str(target) for target, _ in targets if not target.exists()]
    assert not [
        anchor for target, anchor in targets if anchor and anchor not in anchors(target.read_text("utf-8"))
    ]
