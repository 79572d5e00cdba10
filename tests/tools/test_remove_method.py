"""Tool `remove_method`."""

from pharo_mcp.tools.remove_method import remove_method_tool
from tools.calling import structured_as_described
from tools.refactoring import PREVIEW, assert_the_image_decides_about_a_preview, done

GIVEN: dict[str, object] = {"class_name": "Zoo", "selector": "cages"}


def test_it_leaves_it_to_the_image_whether_to_preview() -> None:
    body: dict[str, object] = {"className": "Zoo", "selector": "cages"}
    assert_the_image_decides_about_a_preview(remove_method_tool, "method/remove", GIVEN, body)


def test_it_says_what_was_removed() -> None:
    line = done(remove_method_tool, "method/remove", {**GIVEN, "side": "class"})
    assert line == "Removed Zoo class>>cages. Affected: 0 sends in 0 classes."


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(remove_method_tool, "method/remove", PREVIEW, **GIVEN)
