"""Random expressions with the answers that Pharo 12 gave, each the same twice.

``real-answers.tsv`` was measured: an image made from Pharo's own sources evaluated receivers, messages and
arguments of all kinds, thrown together. A line holds an expression and its print string (300 characters of
it, line ends written as backslash and letter), or ``EXC`` and the class of the exception. What shows that
image, or the day, rather than Pharo is listed with the reason in ``real-answers-artefacts.tsv``. Where the
practice image says that it lacks something it declines: nothing is held against it but the number.
"""

from __future__ import annotations

from pathlib import Path

from practice_evaluation import Answering

FOLDER = Path(__file__).parent
ALIKE = 0.99
"""The least share of the answers not declined that has to be the same."""
MOST_DECLINED = 0
DECLINING = "ractice image"
"""In the text of every error by which something is declined."""


def pairs(name: str) -> dict[str, str]:
    """The lines of a table, comments aside: what is in the first column to what is in the second."""
    lines = (FOLDER / name).read_text("utf-8").split("\n")
    cells = [line.split("\t") for line in lines if line and not line.startswith("# ")]
    return {row[0]: row[1] for row in cells}


ANSWERS = pairs("real-answers.tsv")
ARTEFACTS = pairs("real-answers-artefacts.tsv")


def test_random_expressions_answer_as_in_pharo(answering: Answering) -> None:
    missed: list[str] = []
    declined: list[str] = []
    played = {expression: each for expression, each in ANSWERS.items() if expression not in ARTEFACTS}
    for expression, expected in played.items():
        answer, text = answering(expression)
        if answer == expected:
            continue
        if DECLINING in text:
            declined.append(f"{expression}: {text}")
        else:
            missed.append(f"{expression}: {expected}, and here {answer} {text}")
    misses = "\n".join(missed)
    assert len(declined) <= MOST_DECLINED, "\n".join(declined)
    assert len(missed) <= (1 - ALIKE) * (len(played) - len(declined)), misses


def test_there_are_thousands_of_answers() -> None:
    assert len(ANSWERS) > 4_000


def test_every_artefact_is_an_answer_and_has_its_reason() -> None:
    assert ARTEFACTS.keys() <= ANSWERS.keys()
    assert all(ARTEFACTS.values())
    assert len(ARTEFACTS) < 50
