"""The numbers in SECURITY.md are those of the program, the companion and the practice image."""

import re

import pytest

from examples.pages import ROOT
from pharo_mcp.app.replaceable_image import REPLACEMENTS
from pharo_mcp.times import LAUNCHED_SILENCE_SECONDS, PRACTICE_SILENCE_SECONDS, REPLACEMENT_WINDOW_SECONDS

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
COMPANION = ROOT / "pharo"
LIMITS = ROOT / "src" / "pharo_practice" / "machine" / "limits.py"


def constant(place: str, name: str) -> int:
    """The number, perhaps a product, that a class-side method of the companion answers."""
    source = (COMPANION / f"{place}.class.st").read_text("utf-8")
    [body] = re.findall(rf"class >> {name} \[\n.*?\^ ([\d *]+)\n", source, re.S)
    product = 1
    for factor in body.split("*"):
        product *= int(factor)
    return product


def memory_of_the_practice_image() -> int:
    [memory] = re.findall(r"self\.memory = ([\d_]+)", LIMITS.read_text("utf-8"))
    return int(memory)


def test_the_page_has_the_time_in_which_a_request_must_arrive() -> None:
    seconds = constant("PharoMcp-Model/PmcTimes", "requestArrivalSeconds")
    assert f"completely {seconds} seconds after its first byte" in PAGE


def test_the_page_has_the_largest_body() -> None:
    assert f"a body over {constant('PharoMcp-Server/PmcGuard', 'maximumBodySize') >> 20} MB" in PAGE


def test_the_page_has_the_memory_of_the_practice_image() -> None:
    assert f"limited to {memory_of_the_practice_image() // 1_000_000} MB" in PAGE


@pytest.mark.parametrize("seconds", [PRACTICE_SILENCE_SECONDS, LAUNCHED_SILENCE_SECONDS])
def test_the_page_has_the_silence_after_which_an_image_is_replaced(seconds: float) -> None:
    assert f"after {seconds:.0f} seconds" in PAGE


def test_the_page_has_how_often_an_image_is_replaced() -> None:
    assert (REPLACEMENTS, REPLACEMENT_WINDOW_SECONDS) == (3, 60)
    assert "at most three times a minute" in PAGE


def test_the_page_has_the_names_of_this_computer_and_the_companion_no_others() -> None:
    guard = (COMPANION / "PharoMcp-Server" / "PmcGuard.class.st").read_text("utf-8")
    [names] = re.findall(r"#\( ('[^)]+) \) includes: name asLowercase", guard)
    one, other = names.replace("'", "").split()
    assert f"A `Host` other than `{one}` or `{other}`" in PAGE
