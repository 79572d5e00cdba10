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
        "    1 package: Zoos",
    ]
    assert "has no repositories" in text(list_repositories_tool, "repositories", answering(repositories=[]))


def test_its_structured_result_matches_its_schema() -> None:
    answer = answering(repositories=[REPOSITORY])
    assert structured_as_described(list_repositories_tool, "repositories", answer)


def test_the_changes_of_a_repository_and_what_keeps_it_from_a_commit_are_listed() -> None:
    changes = {"total": 1, "items": [{"action": "added", "name": "Zoo>>open", "package": "Zoos"}]}
    repository = {**REPOSITORY, "obstacle": "its head is detached.", "changes": changes}
    answer = answering(repositories=[repository])
    assert text(list_repositories_tool, "repositories", answer).splitlines() == [
        "zoo on main, uncommitted changes, in /zoo",
        "    1 package: Zoos",
        "    No commit is possible now: its head is detached.",
        "    1 change since the last commit:",
        "        Zoos",
        "            added Zoo>>open",
    ]
    assert structured_as_described(list_repositories_tool, "repositories", answer)


def test_of_many_packages_the_first_are_listed() -> None:
    names = [f"Zoo-{number:03}" for number in range(306)]
    answer = answering(repositories=[{**REPOSITORY, "packages": names}])
    lines = text(list_repositories_tool, "repositories", answer).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("    306 packages: Zoo-000, Zoo-001, ")
    assert lines[1].endswith("Zoo-009, … and 296 more, which list_packages lists")
