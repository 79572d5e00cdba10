"""The tool calls in the pages, played in their order against a practice image."""

import json
import re
from collections.abc import Iterator

import pytest

from examples.pages import ROOT, Block, blocks_of, matches
from examples.pages import SKILLS as SKILL_FILES
from programs import Client

SKILLS = {skill.relative_to(ROOT).as_posix() for skill in SKILL_FILES}
PAGES = sorted({block.page for block in blocks_of("calls")} - SKILLS)
"""The skills are played by test_skills.py, each in an image of its own."""
ID = re.compile(r"\b(?:(e)-[0-9a-f]{12}|(o)-\d+)\b")
CALL = re.compile(r"^(\w+) (\{.*\})\n((?: {4}.*\n)*)", re.M)


def calls_in(block: Block) -> Iterator[tuple[str, str, list[str]]]:
    """Tool, arguments and the lines that are shown of its result."""
    for tool, arguments, shown in CALL.findall(block.text):
        yield tool, arguments, [line.removeprefix("    ") for line in shown.splitlines()]


def test_each_line_of_a_block_belongs_to_a_call() -> None:
    for block in [*blocks_of("calls"), *blocks_of("pharo")]:
        assert CALL.sub("", block.text) == "", str(block)


@pytest.mark.parametrize("page", PAGES)
def test_a_conversation_goes_as_it_is_shown(client: Client, page: str) -> None:
    play(client, [block for block in blocks_of("calls") if block.page == page])


def play(client: Client, blocks: list[Block]) -> None:
    """Play the calls of a page; each result contains what is shown of it."""
    ids = Ids()
    for block in blocks:
        for tool, arguments, shown in calls_in(block):
            result = client.call(tool, **ids.meant(json.loads(arguments)))
            texts = (content["text"] for content in result["content"] if content["type"] == "text")
            text = ids.shown("\n".join(texts))
            assert shows(shown, text), f"{tool} {arguments} returns\n{text}"


class Ids:
    """The ids of evaluations and objects, which the pages show as `e-1` or `o-1`, and the image makes up."""

    def __init__(self) -> None:
        self.real: dict[str, str] = {}
        """By the id that the page shows."""

    def shown(self, text: str) -> str:
        """A text with the ids as the page shows them."""
        return ID.sub(lambda found: self._on_the_page(found[0], found[1] or found[2]), text)

    def meant(self, arguments: dict[str, object]) -> dict[str, object]:
        """Arguments of the page with the ids that the image gave."""
        return {name: self.real.get(str(each), each) for name, each in arguments.items()}

    def _on_the_page(self, real: str, letter: str) -> str:
        for shown, each in self.real.items():
            if each == real:
                return shown
        shown = f"{letter}-{1 + sum(each.startswith(letter) for each in self.real)}"
        self.real[shown] = real
        return shown


def shows(shown: list[str], text: str) -> bool:
    """Whether these lines are in a text in this order; `…` is any part of a line, or any lines."""
    lines = iter(text.splitlines())
    return all(
        any(matches(each.strip(), line.strip()) for line in lines) for each in shown if each.strip() != "…"
    )


def test_a_result_shows_its_lines_in_order() -> None:
    assert shows(["one", "…", "3 … three"], "one\ntwo\n 3 times three\nfour")
    assert not shows(["two", "one"], "one\ntwo")
    assert not shows(["on"], "one")
