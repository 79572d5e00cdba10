"""Tool `remove_method`."""

from pharo_mcp.tools.remove_method import remove_method_tool
from tools.calling import structured_as_described
from tools.refactoring import PREVIEW, assert_previews_by_default

GIVEN: dict[str, object] = {"class_name": "Zoo", "selector": "cages"}


def test_it_requests_a_preview_by_default() -> None:
    body: dict[str, object] = {"className": "Zoo", "selector": "cages"}
    assert_previews_by_default(remove_method_tool, "method/remove", GIVEN, body)


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(remove_method_tool, "method/remove", PREVIEW, **GIVEN)
