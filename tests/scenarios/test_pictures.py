"""Values that draw themselves, in a live image; the practice image has no graphics."""

import base64

import pytest

from programs import Client
from scenarios.playing import text
from scenarios.test_pharo_refactorings import answer

HAS = "Smalltalk globals includesKey: #{name}"


def skip_without(client: Client, name: str) -> None:
    if answer(client, "evaluate", expression=HAS.format(name=name)) != "true":
        pytest.skip(f"this image has no {name}")


def test_an_image_without_graphics_says_so(client: Client) -> None:
    if answer(client, "evaluate", expression=HAS.format(name="PNGReadWriter")) == "true":
        pytest.skip("this image has graphics")
    shown = answer(client, "evaluate", expression="3 + 4", picture=True)
    assert shown == "7\n\nNo picture: this image has no graphics."


@pytest.mark.parametrize(
    ("needed", "expression", "size"),
    [
        ("Form", "Form extent: 40 @ 20 depth: 32", "40 by 20"),
        ("Form", "Form extent: 2400 @ 1200 depth: 1", "1200 by 600"),
        ("Morph", "Morph new extent: 30 @ 20; yourself", "30 by 20"),
        ("RSCanvas", "RSCanvas new add: RSBox new; extent: 50 @ 40; yourself", "50 by 40"),
    ],
)
def test_a_value_comes_with_its_picture(client: Client, needed: str, expression: str, size: str) -> None:
    skip_without(client, "PNGReadWriter")
    skip_without(client, needed)
    result = client.call("evaluate", expression=expression, picture=True)
    shown, picture = result["content"]
    assert shown["text"].splitlines()[-1] == f"Picture: {size} pixels."
    assert picture["type"] == "image"
    assert base64.b64decode(picture["data"]).startswith(b"\x89PNG")


def test_a_long_evaluation_brings_its_picture_with_its_result(client: Client) -> None:
    skip_without(client, "PNGReadWriter")
    expression = "(Delay forMilliseconds: 300) wait. Form extent: 40 @ 20 depth: 32"
    running = text(client.call("evaluate", expression=expression, picture=True, wait_seconds=0))
    evaluation_id = running.partition("evaluation_id: ")[2].split()[0]
    followed = client.call("get_evaluation", evaluation_id=evaluation_id)
    assert [block["type"] for block in followed["content"]] == ["text", "image"]


def test_a_value_that_cannot_draw_itself_says_so(client: Client) -> None:
    skip_without(client, "PNGReadWriter")
    shown = answer(client, "evaluate", expression="3 + 4", picture=True)
    assert shown.startswith("7\n\nNo picture: an instance of SmallInteger cannot draw itself.")
