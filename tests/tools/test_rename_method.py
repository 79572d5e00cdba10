"""Tool `rename_method`."""

from pharo_mcp.tools.rename_method import rename_method_tool
from tools.calling import structured_as_described
from tools.refactoring import PREVIEW, assert_the_image_decides_about_a_preview, done

GIVEN: dict[str, object] = {
    "class_name": "Zoo",
    "selector": "cages",
    "new_selector": "rooms",
    "packages": ["*"],
}


def test_it_leaves_it_to_the_image_whether_to_preview() -> None:
    body: dict[str, object] = {
        "className": "Zoo",
        "selector": "cages",
        "newSelector": "rooms",
        "packages": ["*"],
    }
    assert_the_image_decides_about_a_preview(rename_method_tool, "method/rename", GIVEN, body)


def test_it_says_what_was_renamed() -> None:
    line = done(rename_method_tool, "method/rename", GIVEN)
    assert line == "Renamed Zoo>>cages to rooms. Affected: 0 sends in 0 classes."


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(rename_method_tool, "method/rename", PREVIEW, **GIVEN)
