"""Tool `rename_class`, and what every refactoring answers."""

import pytest

from image.servers import asking, failure
from pharo_mcp.image import RequestRefused
from pharo_mcp.tools.rename_class import rename_class_tool
from tools.calling import answering, structured_as_described, text
from tools.refactoring import PREVIEW, assert_the_image_decides_about_a_preview


def test_a_preview_lists_the_impact() -> None:
    assert text(
        rename_class_tool, "class/rename", PREVIEW, class_name="Zoo", new_name="Ark"
    ).splitlines() == [
        "Preview; nothing was changed. Affected: 12 references in 3 classes.",
        "    Zoo>>open",
        "Warnings:",
        "    Zoo has subclasses.",
        "To make the change, call again with preview: false.",
    ]


def test_a_refactoring_names_its_changes() -> None:
    done = answering(preview=False, impact={"sends": 1, "classes": 1, "items": []}, changes=[4, 5, 6])
    words = text(rename_class_tool, "class/rename", done, class_name="Zoo", new_name="Ark", preview=False)
    assert words.splitlines() == [
        "Renamed Zoo to Ark. Affected: 1 reference in 1 class.",
        "Changes 4\N{EN DASH}6.",
    ]


def test_it_leaves_it_to_the_image_whether_to_preview() -> None:
    given = {"class_name": "Zoo", "new_name": "Ark"}
    wired = {"className": "Zoo", "newName": "Ark"}
    assert_the_image_decides_about_a_preview(rename_class_tool, "class/rename", {**given}, {**wired})


def test_a_name_that_is_taken_is_refused() -> None:
    with (
        asking(**{"class/rename": lambda _: failure(409, "nameTaken", "There is a class Object.")}) as image,
        pytest.raises(RequestRefused, match="There is a class Object"),
    ):
        image.changes.rename_class("Zoo", "Object")


def test_an_image_without_an_engine_lists_the_steps() -> None:
    steps = "This image has no refactoring engine. To do it step by step:\n1. evaluate `Zoo rename: #Ark`."
    with (
        asking(**{"class/rename": lambda _: failure(501, "unavailable", steps)}) as image,
        pytest.raises(RequestRefused) as refused,
    ):
        image.changes.rename_class("Zoo", "Ark")
    assert refused.value.message == steps


def test_its_structured_result_matches_its_schema() -> None:
    given = {"class_name": "Zoo", "new_name": "Ark"}
    assert structured_as_described(rename_class_tool, "class/rename", PREVIEW, **given)
