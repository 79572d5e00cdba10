"""What expressions answer in Pharo, row by row, each with the place in Pharo that says so.

A row of ``expressions/*.json`` holds an expression and how its value prints itself, or the class and the text
of the error that it signals, and its source: a method or a test of Pharo's, or what the language defines.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TypeAlias

import pytest

from practice_evaluation import Printing, Signalling

Row: TypeAlias = dict[str, str]

TABLES = sorted((Path(__file__).parent / "expressions").glob("*.json"))
SOURCE = re.compile(r"language: .+|\w+( class)?>>#\S+")


def rows(outcome: str) -> list[object]:
    """The rows of all tables that tell this, each under the name of its table and its expression."""
    return [
        pytest.param(row, id=f"{table.stem}: {row['expression']}")
        for table in TABLES
        for row in json.loads(table.read_text("utf-8"))
        if outcome in row
    ]


@pytest.mark.parametrize("row", rows("prints"))
def test_an_expression_answers_as_in_pharo(printing: Printing, row: Row) -> None:
    assert printing(row["expression"]) == row["prints"]


@pytest.mark.parametrize("row", rows("signals"))
def test_an_expression_fails_as_in_pharo(signalling: Signalling, row: Row) -> None:
    signalled, text = signalling(row["expression"])
    assert signalled == row["signals"]
    assert text == row.get("text", text)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.stem)
def test_every_row_names_its_source(table: Path) -> None:
    unnamed = [row for row in json.loads(table.read_text("utf-8")) if not SOURCE.fullmatch(row["source"])]
    assert unnamed == []


def test_there_are_enough_rows_to_go_by() -> None:
    assert sum(len(json.loads(table.read_text("utf-8"))) for table in TABLES) >= 400
