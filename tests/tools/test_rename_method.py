"""Tool `rename_method`."""

from pharo_mcp.tools.rename_method import rename_method_tool
from tools.calling import structured_as_described
from tools.refactoring import PREVIEW, assert_previews_by_default

GIVEN: dict[str, object] = {
    "class_name": "Zoo",
    "selector": "cages",
    "new_selector": "rooms",
    "packages": ["*"],
}


def test_it_requests_a_preview_by_default() -> None:
    body: dict[str, object] = {
        "className": "Zoo",
        "selector": "cages",
        "newSelector": "rooms",
        "packages": ["*"],
    }
    assert_previews_by_default(rename_method_tool, "method/rename", GIVEN, body)


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(rename_method_tool, "method/rename", PREVIEW, **GIVEN)
