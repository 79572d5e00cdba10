"""The demo: a readable conversation with the practice image."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from examples.pages import ROOT
from pharo_mcp.cli.demo import (
    CONVERSATION,
    LONGEST_MESSAGE,
    MAX_LINES,
    Turn,
    print_call,
    print_text,
    shortened,
)
from programs import COMMAND, PATIENCE, environment

README = (ROOT / "README.md").read_text("utf-8").partition("\n## A conversation\n")[2].partition("\n## ")[0]


def demo(home: Path, *options: str) -> str:
    """What the demo prints; it leaves nothing behind."""
    result = subprocess.run(
        [*COMMAND, "demo", *options],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert not list(home.iterdir())
    return result.stdout


def test_it_plays_a_conversation_and_ends_with_the_next_step(home: Path) -> None:
    printed = demo(home)
    assert "\nYou: Take all of it back.\n\n  undo_change\n    to: 0\n  > Undone 1" in printed
    assert "  > CollectionIsEmpty: an OrderedCollection() is empty\n" in printed
    assert re.search(r"\nNext: `\S*pharo-mcp setup claude-desktop --practice` ", printed)


def test_it_shows_the_messages_of_the_conversation(home: Path) -> None:
    lines = demo(home, "--wire").splitlines()
    sent, received = ([line for line in lines if line.startswith(sign)] for sign in ("-->", "<--"))
    assert len(sent) == len(CONVERSATION) + 3
    assert len(received) == len(CONVERSATION) + 2
    assert '"isError":true' in received[3]
    assert "CollectionIsEmpty: an OrderedCollection() is empty" in received[3]


def test_the_conversation_is_that_of_the_readme() -> None:
    calls = re.findall(r"^(\w+) (\{.*\})$", README, re.M)
    assert [(tool, json.loads(arguments)) for tool, arguments in calls] == [
        (turn.tool, turn.arguments) for turn in CONVERSATION
    ]
    assert re.findall(r"^> \*\*You:\*\* (.+)$", README, re.M) == [
        turn.you for turn in CONVERSATION if turn.you
    ]
    assert re.findall(r"^> \*\*Assistant:\*\* (.+)$", README, re.M) == [
        turn.assistant for turn in CONVERSATION if turn.assistant
    ]


def test_a_long_message_is_shortened_and_shows_its_length() -> None:
    assert shortened("[1]") == "[1]"
    assert shortened("x" * 1000) == f"{'x' * LONGEST_MESSAGE}… (1,000 characters)"


def test_an_argument_of_several_lines_is_printed_below_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    print_call(Turn("", "edit_code", {"text": "one\n\ntwo", "tests": ["Zoo"]}))
    assert capsys.readouterr().out == '  edit_code\n    text:\n      one\n\n      two\n    tests: ["Zoo"]\n'


def test_long_texts_are_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    print_text("\n".join(map(str, range(100))))
    assert capsys.readouterr().out.splitlines() == [
        *(f"  > {number}" for number in range(MAX_LINES)),
        "  > … (100 lines)",
    ]
