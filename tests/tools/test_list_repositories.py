"""Tool `list_repositories`."""

from pharo_mcp.tools.list_repositories import list_repositories_tool
from tools.calling import answering, structured_as_described, text

REPOSITORY = {
    "name": "zoo",
    "branch": "main",
    "modified": True,
    "packages": ["Zoos"],
    "location": "/zoo",
}


def test_a_repository_is_listed_with_branch_state_and_packages() -> None:
    assert text(
        list_repositories_tool, "repositories", answering(repositories=[REPOSITORY])
    ).splitlines() == [
        "zoo on main, uncommitted changes, in /zoo",
        "    Zoos",
    ]
    assert "has no repositories" in text(list_repositories_tool, "repositories", answering(repositories=[]))


def test_its_structured_result_matches_its_schema() -> None:
    answer = answering(repositories=[REPOSITORY])
    assert structured_as_described(list_repositories_tool, "repositories", answer)
