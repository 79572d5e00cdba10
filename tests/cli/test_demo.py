"""The demo: a real session, readable."""

import subprocess
from pathlib import Path

import pytest

from pharo_mcp.cli.demo import LONGEST_TEXT, MOST_LINES, print_below, shown
from programs import COMMAND, PATIENCE, environment


def test_it_shows_a_real_session_and_leaves_nothing_behind(home: Path) -> None:
    told = subprocess.run(
        [*COMMAND, "demo"],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    sent, received = (
        [line for line in told.stdout.splitlines() if line.startswith(sign)] for sign in ("-->", "<--")
    )
    assert len(sent) == 6
    assert len(received) == 5
    assert '"content":[{"type":"text","text":"7"}]' in received[2]
    assert "    | SequenceableCollection << #OrderedCollection" in told.stdout
    assert '"text":"ZeroDivide' in received[4]
    assert '"isError":true' in received[4]
    assert not list(home.iterdir())


def test_long_texts_are_cut_and_the_cut_is_said() -> None:
    assert shown({"a": ["x" * LONGEST_TEXT]}) == f'{{"a":["{"x" * LONGEST_TEXT}"]}}'
    assert shown({"a": ["x" * 1000]}) == f'{{"a":["{"x" * LONGEST_TEXT}… (1000 characters)"]}}'


def test_a_text_of_many_lines_is_set_out_below(capsys: pytest.CaptureFixture[str]) -> None:
    print_below("one line")
    assert capsys.readouterr().out == ""
    print_below("\n".join(map(str, range(100))))
    assert capsys.readouterr().out.splitlines() == [
        *(f"    | {number}" for number in range(MOST_LINES)),
        "    | … (100 lines)",
    ]
