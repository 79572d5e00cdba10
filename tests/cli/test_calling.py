"""`pharo-mcp eval`, `call` and `images`: the tools from a terminal."""

import json
from pathlib import Path

import pytest

from cli.running import run
from programs import LiveImage


@pytest.fixture
def home_of_image(image: LiveImage) -> Path:
    """The home folder in which the image's connection file is."""
    return image.home


def test_eval_prints_the_value_alone(home_of_image: Path) -> None:
    told = run("eval", "3 + 4", home=home_of_image)
    assert (told.returncode, told.stdout, told.stderr) == (0, "7\n", "")


def test_eval_keeps_the_transcript_apart(home_of_image: Path) -> None:
    told = run("eval", "Transcript show: 'so far'; cr. Object new", home=home_of_image)
    assert told.stdout == "an Object\n"
    assert "so far" in told.stderr


def test_eval_reads_the_expression_from_standard_input(home_of_image: Path) -> None:
    told = run("eval", "-", home=home_of_image, given="| x |\nx := 20.\nx factorial")
    assert told.stdout == "2432902008176640000\n"


def test_an_error_goes_to_standard_error_and_is_a_status(home_of_image: Path) -> None:
    told = run("eval", "1/0", home=home_of_image)
    assert (told.returncode, told.stdout) == (1, "")
    assert told.stderr.startswith("ZeroDivide")


def test_a_limit_ends_the_evaluation_in_the_image(home_of_image: Path) -> None:
    told = run("eval", "--timeout", "0.2", "[ true ] whileTrue", home=home_of_image)
    assert told.returncode == 1
    assert "0.2 seconds" in told.stderr


def test_eval_answers_programs_too(home_of_image: Path) -> None:
    answer = json.loads(run("eval", "--json", "3 + 4", home=home_of_image).stdout)
    assert answer["structuredContent"]["className"] == "SmallInteger"
    assert answer["isError"] is False


def test_call_knows_the_tools_that_the_image_registers(home_of_image: Path) -> None:
    tool = "PmcTool name: 'order_total' description: 'Adds.' handler: [ 6 * 7 ]"
    assert run("eval", f"PharoMcp addTool: ({tool})", home=home_of_image).returncode == 0
    told = run("call", "order_total", home=home_of_image)
    run("eval", "PharoMcp removeTool: 'order_total'", home=home_of_image)
    assert (told.returncode, told.stdout) == (0, "42\n")


def test_call_takes_words_and_json_as_the_tool_wants_them(home_of_image: Path) -> None:
    told = run("call", "evaluate", "expression=40 + 2", "wait_seconds=3", home=home_of_image)
    assert (told.returncode, told.stdout) == (0, "42\n")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["zork"], 2, "there is no tool zork. There are evaluate"),
        (["get_class", "Bag"], 2, "Bag is no argument: write key=value"),
        (["get_class", "=Bag"], 2, "=Bag is no argument"),
        (["get_class"], 1, "`class_name` is missing"),
        (["evaluate", "expression=3", "wait_seconds=soon"], 1, "`wait_seconds` must be number"),
        (["get_class", "class_name=Zork"], 1, "There is no class or trait named Zork"),
    ],
)
def test_what_cannot_be_called_is_told(
    home_of_image: Path, arguments: list[str], status: int, sentence: str
) -> None:
    told = run("call", *arguments, home=home_of_image)
    assert (told.returncode, told.stdout) == (status, "")
    assert sentence in told.stderr


def test_without_an_image_eval_says_what_to_do(home: Path) -> None:
    told = run("eval", "3 + 4", home=home)
    assert told.returncode == 1
    assert "#PharoMcp) start" in told.stderr


def test_a_practice_image_is_enough(home: Path) -> None:
    assert run("eval", "--stand-in", "3 + 4", home=home).stdout == "7\n"


def test_options_are_understood_before_and_after_the_command(home: Path) -> None:
    assert run("--stand-in", "eval", "3 + 4", home=home).stdout == "7\n"


def test_images_lists_what_lives(home_of_image: Path, image: LiveImage) -> None:
    told = run("images", home=home_of_image)
    assert told.returncode == 0
    assert told.stdout.splitlines()[0].split() == ["name", "system", "address", "image"]
    assert image.url in told.stdout


def test_images_answers_programs_too(home_of_image: Path, image: LiveImage) -> None:
    [listed] = json.loads(run("images", "--json", home=home_of_image).stdout)
    assert listed["url"] == image.url


def test_no_image_is_told_with_what_to_do(home: Path) -> None:
    told = run("images", home=home)
    assert (told.returncode, told.stdout) == (1, "")
    assert "PharoMcp start" in told.stderr


def test_no_image_is_an_empty_list_for_programs(home: Path) -> None:
    assert json.loads(run("images", "--json", home=home).stdout) == []
