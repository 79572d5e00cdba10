"""Choosing an image from a shell, and what programs read: lists and errors as JSON."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.running import run
from programs import Client, LiveImage, Practice, start_practice_image


@pytest.fixture(scope="module")
def several(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Practice]]:
    """Two live images, practice and practice-2."""
    home = tmp_path_factory.mktemp("home")
    first = start_practice_image(home)
    with first.program:
        second = start_practice_image(home)
        with second.program:
            yield [first, second]


def printed(several: list[Practice], *arguments: str) -> Any:
    return json.loads(run(*arguments, "--json", home=several[0].home).stdout)


def test_several_images_are_listed_with_the_option_that_chooses_one(several: list[Practice]) -> None:
    result = run("eval", "3 + 4", home=several[0].home)
    assert (result.returncode, result.stdout) == (1, "")
    assert "2 images are live and none was chosen, so nothing ran:" in result.stderr
    for image in several:
        assert image.url in result.stderr
    assert result.stderr.endswith(
        "Choose one with --image NAME, or with --url URL (`pharo-mcp images` lists them).\n"
    )
    assert "select_image" not in result.stderr


def test_doctor_names_the_option_too(several: list[Practice]) -> None:
    result = run("doctor", home=several[0].home)
    assert "Choose one with --image NAME, or with --url URL" in result.stdout
    assert "select_image" not in result.stdout


def test_an_image_is_chosen_by_its_name_or_its_url_or_its_file(several: list[Practice]) -> None:
    first, second = several
    name = "PharoMcp current name"
    assert run("eval", name, "--image", "practice-2", home=first.home).stdout == "'practice-2'\n"
    for image, of in ((first, "practice"), (second, "practice-2")):
        chosen = [image.url, image.url.replace("127.0.0.1", "localhost") + "/", image.connection["image"]]
        for each in chosen:
            assert run("eval", name, "--image", each, home=first.home).stdout == f"'{of}'\n"
    assert run("eval", name, "--url", second.url, home=first.home).stdout == "'practice-2'\n"
    by_variable = run("eval", name, home=first.home, PHARO_MCP_IMAGE=second.url)
    assert by_variable.stdout == "'practice-2'\n"


def test_an_image_is_chosen_by_its_file_where_that_is_a_relative_path(
    several: list[Practice], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Path(str(several[1].connection["image"]))
    monkeypatch.chdir(file.parent)
    assert (
        run("eval", "PharoMcp current name", "--image", file.name, home=several[0].home).stdout
        == "'practice-2'\n"
    )


@pytest.mark.parametrize("unknown", ["practise", "http://127.0.0.1:1"])
def test_an_unknown_image_is_reported_with_the_live_ones(several: list[Practice], unknown: str) -> None:
    result = run("eval", "3", "--image", unknown, home=several[0].home)
    assert (result.returncode, result.stdout) == (1, "")
    assert f"No live Pharo image has the name, URL or image file {unknown}." in result.stderr
    for image in several:
        assert image.url in result.stderr
    assert "--image" in result.stderr


def test_an_address_on_another_computer_is_invalid_usage(several: list[Practice]) -> None:
    result = run("eval", "3", "--image", "http://example.org:80", home=several[0].home)
    assert (result.returncode, result.stdout) == (2, "")
    assert "must be like http://127.0.0.1:50123" in result.stderr


def test_errors_are_structured_in_json(several: list[Practice]) -> None:
    zero = printed(several, "eval", "1/0", "--image", "practice")
    assert zero["isError"] is True
    assert zero["error"]["kind"] == "exception"
    assert zero["error"]["class"] == "ZeroDivide"
    assert zero["error"]["stack"][0].startswith("SmallInteger>>/")
    assert zero["error"]["message"] == zero["content"][0]["text"]
    syntax = printed(several, "eval", "3 +", "--image", "practice")["error"]
    assert (syntax["kind"], syntax["line"], syntax["column"]) == ("syntax", 1, 4)
    limit = printed(several, "eval", "[ true ] whileTrue", "--timeout", "0.2", "--image", "practice")["error"]
    assert limit["kind"] == "timeout"
    chosen = printed(several, "eval", "3")["error"]
    assert chosen["kind"] == "severalImages"
    assert len(chosen["images"]) == 2
    unknown = printed(several, "call", "get_class", "class_name=Zork", "--image", "practice")["error"]
    assert unknown["kind"] == "unknownClass"
    invalid = printed(several, "call", "get_class", "--image", "practice")["error"]
    assert invalid["kind"] == "invalidArguments"


def test_a_value_in_json_has_no_error(several: list[Practice]) -> None:
    value = printed(several, "eval", "3", "--image", "practice")
    assert value["isError"] is False
    assert "error" not in value


def test_every_list_is_json_for_programs(several: list[Practice]) -> None:
    assert [image["name"] for image in printed(several, "images")] == ["practice", "practice-2"]
    assert printed(several, "doctor", "--image", "practice")["findings"]


def test_an_empty_list_is_no_failure(home: Path) -> None:
    result = run("images", "--json", home=home)
    assert (result.returncode, result.stdout, result.stderr) == (0, "[]\n", "")


def test_a_missing_image_is_structured_in_json(home: Path) -> None:
    result = run("eval", "3", "--json", home=home)
    assert result.returncode == 1
    assert json.loads(result.stdout)["error"]["kind"] == "noImage"


def test_the_wire_has_none_of_that(practice: LiveImage) -> None:
    with Client(env=practice.env()) as client:
        client.shake_hands()
        assert client.call("evaluate", expression="1/0").keys() == {"content", "isError"}
