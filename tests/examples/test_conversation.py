"""The tool calls in the pages, played in their order against a practice image."""

import json
import re
from collections.abc import Iterator

import pytest

from examples.pages import Block, blocks_of, matches
from programs import Client

PAGES = sorted({block.page for block in blocks_of("calls")})
CALL = re.compile(r"^(\w+) (\{.*\})\n((?: {4}.*\n)*)", re.M)


def calls_in(block: Block) -> Iterator[tuple[str, str, list[str]]]:
    """Tool, arguments and the lines that are shown of its result."""
    for tool, arguments, shown in CALL.findall(block.text):
        yield tool, arguments, [line.removeprefix("    ") for line in shown.splitlines()]


def test_each_line_of_a_block_belongs_to_a_call() -> None:
    for block in blocks_of("calls"):
        assert CALL.sub("", block.text) == "", str(block)


@pytest.mark.parametrize("page", PAGES)
def test_a_conversation_goes_as_it_is_shown(client: Client, page: str) -> None:
    for block in blocks_of("calls"):
        if block.page == page:
            for tool, arguments, shown in calls_in(block):
                result = client.call(tool, **json.loads(arguments))
                text = "\n".join(content["text"] for content in result["content"])
                assert shows(shown, text), f"{tool} {arguments} returns\n{text}"


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
