"""`pharo-mcp eval`, `call` and `images`: tools in a terminal."""

import json
from pathlib import Path

import pytest

from cli.running import run
from programs import LiveImage


@pytest.fixture
def home_of_image(image: LiveImage) -> Path:
    """The home folder that contains the image's connection file."""
    return image.home


def test_eval_prints_only_the_value(home_of_image: Path) -> None:
    result = run("eval", "3 + 4", home=home_of_image)
    assert (result.returncode, result.stdout, result.stderr) == (0, "7\n", "")


def test_eval_prints_the_transcript_on_standard_error(home_of_image: Path) -> None:
    result = run("eval", "Transcript show: 'so far'; cr. Object new", home=home_of_image)
    assert result.stdout == "an Object\n"
    assert "so far" in result.stderr


def test_eval_reads_the_expression_from_standard_input(home_of_image: Path) -> None:
    result = run("eval", "-", home=home_of_image, stdin="| x |\nx := 20.\nx factorial")
    assert result.stdout == "2432902008176640000\n"


def test_eval_prints_errors_on_standard_error_and_returns_1(home_of_image: Path) -> None:
    result = run("eval", "1/0", home=home_of_image)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("ZeroDivide")


def test_eval_terminates_the_evaluation_after_its_time_limit(home_of_image: Path) -> None:
    result = run("eval", "--timeout", "0.2", "[ true ] whileTrue", home=home_of_image)
    assert result.returncode == 1
    assert "0.2 seconds" in result.stderr


def test_eval_prints_json(home_of_image: Path) -> None:
    printed = json.loads(run("eval", "--json", "3 + 4", home=home_of_image).stdout)
    assert printed["structuredContent"]["className"] == "SmallInteger"
    assert printed["isError"] is False


def test_call_finds_tools_that_the_image_registers(home_of_image: Path) -> None:
    tool = "PmcTool name: 'order_total' description: 'Adds.' handler: [ 6 * 7 ]"
    assert run("eval", f"PharoMcp addTool: ({tool})", home=home_of_image).returncode == 0
    result = run("call", "order_total", home=home_of_image)
    run("eval", "PharoMcp removeTool: 'order_total'", home=home_of_image)
    assert (result.returncode, result.stdout) == (0, "42\n")


def test_call_converts_values_to_the_types_of_the_parameters(home_of_image: Path) -> None:
    result = run("call", "evaluate", "expression=40 + 2", "wait_seconds=3", home=home_of_image)
    assert (result.returncode, result.stdout) == (0, "42\n")


def test_call_takes_the_json_that_the_pages_show(home_of_image: Path) -> None:
    arguments = json.dumps({"expression": "'it''s ' , '\"so\"'", "wait_seconds": 3})
    result = run("call", "evaluate", arguments, home=home_of_image)
    assert (result.returncode, result.stdout) == (0, 'it\'s "so"\n\n(a ByteString)\n')


def test_json_and_pairs_may_be_mixed(home_of_image: Path) -> None:
    result = run("call", "evaluate", ' { "max_characters": 4}', "expression={ 3. 4 }", home=home_of_image)
    assert result.stdout.startswith("Characters 1 to 4 of 6.")
    assert result.stdout.endswith("\n\n#(3 \n")


def test_call_reads_json_from_standard_input(home_of_image: Path) -> None:
    json_text = "{\n  \"expression\": \"'it''s' size\"\n}\n"
    assert run("call", "evaluate", "-", home=home_of_image, stdin=json_text).stdout == "4\n"


@pytest.mark.parametrize("include", ["comment", '["comment"]'])
def test_what_is_no_json_array_is_the_only_element_of_one(home_of_image: Path, include: str) -> None:
    shown = run("call", "get_class", "class_name=Object", f"include={include}", home=home_of_image).stdout
    assert "\n\nComment:\n" in shown
    assert "Superclasses:" not in shown


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["evaluate", '{"expression": "3"'], 2, "the arguments are not valid JSON (Expecting ',' delimiter"),
        (["evaluate", "{expression: 3}"], 2, "the arguments are not valid JSON"),
        (["evaluate", '{"wait_seconds": NaN}'], 2, "the arguments are not valid JSON (NaN is not JSON)"),
        (["evaluate", "-"], 2, "the arguments are not valid JSON"),
        (["evaluate", '["3"]'], 2, "use key=value, or a JSON object in quotes"),
        (["evaluate", "3 + 4"], 2, "use key=value, or a JSON object in quotes"),
        (["evaluate", "expression=3", '{"expression": "4"}'], 2, "expression is given twice"),
        (["read_code", "items=a", "items=b"], 2, "several values are a JSON array"),
        (["evaluate", '{"expression": 3}'], 1, "`expression` must be a string"),
        (["zork"], 2, "unknown tool zork; the tools are evaluate"),
        (["get_class", "Bag"], 2, "invalid argument Bag: use key=value"),
        (["get_class", "=Bag"], 2, "invalid argument =Bag"),
        (["get_class"], 1, "`class_name` is missing"),
        (["evaluate", "expression=3", "wait_seconds=soon"], 1, "`wait_seconds` must be a number"),
        (["get_class", "class_name=Zork"], 1, "There is no class or trait named Zork"),
    ],
)
def test_an_invalid_call_is_reported(
    home_of_image: Path, arguments: list[str], status: int, message: str
) -> None:
    result = run("call", *arguments, home=home_of_image)
    assert (result.returncode, result.stdout) == (status, "")
    assert message in result.stderr


def test_eval_without_an_image_suggests_what_to_do(home: Path) -> None:
    result = run("eval", "3 + 4", home=home)
    assert result.returncode == 1
    assert "#PharoMcp) start" in result.stderr


def test_eval_works_with_a_practice_image(home: Path) -> None:
    assert run("eval", "--practice", "3 + 4", home=home).stdout == "7\n"


def test_options_may_precede_or_follow_the_command(home: Path) -> None:
    assert run("--practice", "eval", "3 + 4", home=home).stdout == "7\n"


def test_images_lists_live_images(home_of_image: Path, image: LiveImage) -> None:
    result = run("images", home=home_of_image)
    assert result.returncode == 0
    assert result.stdout.splitlines()[0].split() == ["name", "system", "address", "image"]
    assert image.url in result.stdout


def test_images_prints_json(home_of_image: Path, image: LiveImage) -> None:
    [listed] = json.loads(run("images", "--json", home=home_of_image).stdout)
    assert listed["url"] == image.url


def test_images_without_an_image_suggests_what_to_do(home: Path) -> None:
    result = run("images", home=home)
    assert (result.returncode, result.stdout) == (0, "")
    assert "PharoMcp start" in result.stderr


def test_images_prints_an_empty_json_list_without_an_image(home: Path) -> None:
    assert json.loads(run("images", "--json", home=home).stdout) == []
