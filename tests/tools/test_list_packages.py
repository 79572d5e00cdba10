"""Tool `list_packages`."""

from image.servers import exchange
from pharo_mcp.tools.list_packages import list_packages_tool
from tools.calling import answering, structured_as_described, text


def test_packages_are_listed_with_their_sizes_and_a_cursor_to_the_rest() -> None:
    zoos = {"name": "Zoos", "classes": 1, "extensions": 2}
    answer = answering(total=3, offset=1, packages=[zoos])
    assert text(list_packages_tool, "packages", answer, cursor="p1", limit=1).splitlines() == [
        "3 packages:",
        "    Zoos: 1 class, 2 extensions",
        "1 more; next_cursor: p2",
    ]


def test_without_a_match_the_next_step_is_named() -> None:
    assert text(list_packages_tool, "packages", exchange("packages_none"), query="zork").startswith(
        "No package name contains the query."
    )


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(list_packages_tool, "packages", exchange("packages"))
