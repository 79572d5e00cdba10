"""The numbers in the sentences of the pages, compared with those that the program goes by."""

import re

import pytest

from examples.pages import ROOT
from pharo_mcp.app.own_images import LAUNCHED_SILENCE_SECONDS, PRACTICE_SILENCE_SECONDS
from pharo_mcp.app.replacing import REPLACEMENT_WINDOW_SECONDS, REPLACEMENTS
from pharo_mcp.server.methods import LISTS_FRESH_MILLISECONDS
from pharo_mcp.tools import reports
from pharo_practice.machine import limits
from pharo_practice.primitives import numbers
from pharo_practice.reading import parser, scanner
from practice.test_real_answers import ALIKE, ANSWERS, ARTEFACTS
from programs import Client

WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "ten": 10}
NUMBER = "(" + "|".join((*WORDS, r"\d[\d,]*")) + ")"

IN_THE_IMAGE = (
    ("docs/debugging.md", "The N innermost frames and the lowest one", "PmcStack maximumWithSource"),
    ("docs/debugging.md", "There are at most N.", "PmcBreakpoints maximum"),
    ("docs/debugging.md", "A step has a time limit of N seconds", "PmcTimes stepMilliseconds / 1000"),
    ("docs/debugging.md", "At most N evaluations can be paused", "PmcEvaluations maximumPaused"),
    ("docs/debugging.md", "moves for N minutes ends as", "PmcTimes pauseSeconds / 60"),
    ("docs/memory.md", "The last N marks are kept", "PmcMemoryMarks maximum"),
    ("docs/memory.md", "objects by id | the last N,", "PmcObjects maximum"),
    ("docs/memory.md", "A search ends after N seconds", "PmcTimes objectSearchMilliseconds / 1000"),
    (
        "docs/memory.md",
        "also after N million objects",
        "PmcMemoryPath basicNew maximum / 1000000",
    ),
    ("docs/memory.md", "In an image of more than N GB", "PmcMemory maximumBytes / (1024 raisedTo: 3)"),
    ("docs/write-your-own-tool.md", "up to N letters, digits", "64"),
    ("SECURITY.md", "completely N seconds after its first byte", "PmcTimes requestArrivalSeconds"),
    ("docs/wire.md", "a body over N MB", "PmcGuard maximumBodySize / (1024 * 1024)"),
    ("docs/write-your-own-tool.md", "with a time limit of N seconds", "PmcTimes evaluationSeconds"),
    ("docs/write-your-own-tool.md", "person thinks, N minutes at most", "PmcTimes questionSeconds / 60"),
)
HERE = (
    ("docs/profiling.md", "What takes less than N % is left out", reports.LEAST_SHARE * 100),
    ("docs/profiling.md", "with fewer than N, the result calls them rough", reports.FEW_SAMPLES),
    ("docs/write-your-own-tool.md", "see it within N seconds", LISTS_FRESH_MILLISECONDS / 1000),
    ("docs/practice-image.md", "limited to N levels of nesting", parser.DEEPEST),
    ("docs/practice-image.md", "N messages in one chain", parser.LONGEST_CHAIN),
    ("docs/practice-image.md", "exponents up to N", scanner.LARGEST_EXPONENT),
    ("docs/practice-image.md", "integers of more than N bits", numbers.MOST_BITS),
    ("docs/practice-image.md", "object memory is limited to N MB", limits.MEMORY / 1_000_000),
    ("SECURITY.md", "memory is limited to N MB", limits.MEMORY / 1_000_000),
    ("SECURITY.md", "by a fresh one after N seconds", PRACTICE_SILENCE_SECONDS),
    ("SECURITY.md", "last saved after N seconds", LAUNCHED_SILENCE_SECONDS),
    ("SECURITY.md", "at most N times a minute", REPLACEMENTS * 60 / REPLACEMENT_WINDOW_SECONDS),
    ("docs/practice-image.md", "has N random expressions", len(ANSWERS)),
    ("docs/practice-image.md", "N depend on the image or the day", len(ARTEFACTS)),
    ("docs/practice-image.md", "at least N % the same", ALIKE * 100),
)
"""A page, its sentence with N for the number, and what the number is."""


def number_in(page: str, sentence: str) -> int:
    """The number that a page has in a sentence."""
    pattern = re.escape(sentence).replace("N", NUMBER, 1)
    [written] = re.findall(pattern, (ROOT / page).read_text("utf-8"), re.I)
    return WORDS.get(written.lower()) or int(written.replace(",", ""))


@pytest.mark.parametrize(("page", "sentence", "expression"), IN_THE_IMAGE)
def test_a_number_is_that_of_the_companion(client: Client, page: str, sentence: str, expression: str) -> None:
    result = client.call("evaluate", expression=expression)
    assert result["content"][0]["text"] == str(number_in(page, sentence))


@pytest.mark.parametrize(("page", "sentence", "number"), HERE)
def test_a_number_is_that_of_the_program(page: str, sentence: str, number: float) -> None:
    assert number_in(page, sentence) == number


def test_the_host_names_in_the_page_are_those_that_the_companion_accepts(client: Client) -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    [(one, other)] = re.findall(r"a `Host` other than `(.+?)` or `(.+?)`", page, re.I)
    names = f"#('{one}' '{other}' 'example.org') collect: [ :each | PmcGuard new isOfThisMachine: each ]"
    assert client.call("evaluate", expression=names)["content"][0]["text"] == "#(true true false)"
