"""The skills: what the format of skills requires, and every call and expression in them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from examples.pages import SKILLS, blocks_of, matches
from examples.test_conversation import play
from programs import Client, LiveImage, environment
from scenarios.playing import mark, text

ANSWER = re.compile(r"`([^`\n]+)` → `([^`\n]+)`")
"""An expression in a sentence, and what it answers."""
LONGEST = 80
"""Lines of a skill."""
ANSWERS = [
    (skill.parent.name, *found) for skill in SKILLS for found in ANSWER.findall(skill.read_text("utf-8"))
]


def name_of(skill: Path) -> str:
    return skill.parent.name


@pytest.mark.parametrize("skill", SKILLS, ids=name_of)
def test_a_skill_is_short(skill: Path) -> None:
    assert len(skill.read_text("utf-8").splitlines()) <= LONGEST


def test_each_skill_that_is_named_exists() -> None:
    names = {name_of(skill) for skill in SKILLS}
    texts = "".join(skill.read_text("utf-8") for skill in SKILLS)
    assert set(re.findall(r"(?<!\.)\bpharo-(?!mcp\b|practice\b)[a-z-]+", texts)) == names


@pytest.mark.parametrize("skill", SKILLS, ids=name_of)
def test_the_calls_of_a_skill_go_as_they_are_shown(skill: Path, tmp_path: Path) -> None:
    blocks = [block for block in blocks_of("calls") if block.page.endswith(f"{name_of(skill)}/SKILL.md")]
    if not blocks:
        pytest.skip("it has no calls")
    with Client("--practice", env=environment(tmp_path)) as client:
        client.shake_hands()
        play(client, blocks)


@pytest.fixture(scope="module")
def live(image: LiveImage) -> Iterator[Client]:
    """A conversation with the practice image or a real one, whose code is as it was in the end."""
    with Client(env=image.env()) as client:
        client.shake_hands()
        before = mark(client)
        yield client
        client.call("undo_change", to=before)


@pytest.mark.parametrize(("skill", "expression", "answer"), ANSWERS)
def test_an_expression_answers_what_is_shown(live: Client, skill: str, expression: str, answer: str) -> None:
    first = text(live.call("evaluate", expression=expression)).splitlines()[0]
    assert matches(answer, first)


@pytest.mark.parametrize("page", sorted({block.page for block in blocks_of("pharo")}))
def test_what_needs_pharo_goes_as_it_is_shown(live: Client, image: LiveImage, page: str) -> None:
    if "practice" in image.system:
        pytest.skip("the practice image lacks it")
    if "pharo-windows" in page and "User interface: none" in text(live.call("get_status")):
        pytest.skip("this image has no windows")
    play(live, [block for block in blocks_of("pharo") if block.page == page])
