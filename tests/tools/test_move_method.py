"""Tool `move_method`."""

from pharo_mcp.tools.move_method import move_method_tool
from tools.calling import structured_as_described
from tools.refactoring import PREVIEW, assert_the_image_decides_about_a_preview, done

GIVEN: dict[str, object] = {"class_name": "Zoo", "selector": "cages", "to_class": "Ark"}


def test_it_leaves_it_to_the_image_whether_to_preview() -> None:
    body: dict[str, object] = {"className": "Zoo", "selector": "cages", "toClass": "Ark"}
    assert_the_image_decides_about_a_preview(move_method_tool, "method/move", GIVEN, body)


def test_it_says_what_was_moved() -> None:
    line = done(move_method_tool, "method/move", GIVEN)
    assert line == "Moved Zoo>>cages to Ark. Affected: 0 sends in 0 classes."


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(move_method_tool, "method/move", PREVIEW, **GIVEN)
