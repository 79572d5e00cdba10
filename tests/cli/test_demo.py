"""The demo: a readable session with the practice image."""

import subprocess
from pathlib import Path

import pytest

from pharo_mcp.cli.demo import MAX_CHARACTERS, MAX_ITEMS, MAX_LINES, as_text, print_below
from programs import COMMAND, PATIENCE, environment


def test_it_shows_a_real_session_and_leaves_nothing_behind(home: Path) -> None:
    result = subprocess.run(
        [*COMMAND, "demo"],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    sent, received = (
        [line for line in result.stdout.splitlines() if line.startswith(sign)] for sign in ("-->", "<--")
    )
    assert len(sent) == 6
    assert len(received) == 5
    assert '"content":[{"type":"text","text":"7"}]' in received[2]
    assert "    | SequenceableCollection << #OrderedCollection" in result.stdout
    assert '"text":"ZeroDivide' in received[4]
    assert '"isError":true' in received[4]
    assert max(map(len, result.stdout.splitlines())) < 2_000
    assert not list(home.iterdir())


def test_long_texts_are_shortened_and_show_their_length() -> None:
    assert as_text({"a": ["x" * MAX_CHARACTERS]}) == f'{{"a":["{"x" * MAX_CHARACTERS}"]}}'
    assert as_text({"a": ["x" * 1000]}) == f'{{"a":["{"x" * MAX_CHARACTERS}… (1000 characters)"]}}'


def test_of_a_long_list_the_first_element_is_shown_and_the_length() -> None:
    assert as_text([7] * MAX_ITEMS) == f"[{','.join(['7'] * MAX_ITEMS)}]"
    assert as_text({"tools": [{"name": str(number)} for number in range(30)]}) == (
        '{"tools":[{"name":"0"},"… (30 items)"]}'
    )


def test_texts_of_several_lines_are_printed_below_their_message(capsys: pytest.CaptureFixture[str]) -> None:
    print_below("one line")
    assert capsys.readouterr().out == ""
    print_below("\n".join(map(str, range(100))))
    assert capsys.readouterr().out.splitlines() == [
        *(f"    | {number}" for number in range(MAX_LINES)),
        "    | … (100 lines)",
    ]
