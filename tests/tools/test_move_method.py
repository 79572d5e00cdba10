"""Tool `move_method`."""

from pharo_mcp.tools.move_method import move_method_tool
from tools.calling import structured_as_described
from tools.refactoring import PREVIEW, assert_previews_by_default

GIVEN: dict[str, object] = {"class_name": "Zoo", "selector": "cages", "to_class": "Ark"}


def test_it_requests_a_preview_by_default() -> None:
    body: dict[str, object] = {"className": "Zoo", "selector": "cages", "toClass": "Ark"}
    assert_previews_by_default(move_method_tool, "method/move", GIVEN, body)


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(move_method_tool, "method/move", PREVIEW, **GIVEN)
