"""Tool `commit`."""

import pytest

from image.servers import Remembering, asking, exchange, value
from pharo_mcp.image.errors import ImageError
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.projects import commit as commit_tool
from tools.calling import answering, text

ITEMS = [
    {"action": "added", "name": "README.md"},
    {"action": "changed", "name": "Zoo>>open", "package": "Zoos"},
    {"action": "removed", "name": "Zoo class>>old", "package": "Zoos"},
]
PREVIEW = {
    "repository": "zoo",
    "branch": "main",
    "location": "/zoo",
    "changes": {"total": 5, "items": ITEMS},
}
COMMITTED = {**PREVIEW, "commit": "5f2c0e7a5b3d24685f2c0e7a5b3d24685f2c0e7a"}
CHANGES = [
    "    5 changes since the last commit:",
    "        added README.md",
    "        Zoos",
    "            changed Zoo>>open",
    "            removed Zoo class>>old",
    "        … and 2 more",
]


def test_a_commit_is_reported_with_what_takes_it_back() -> None:
    answer = answering(**COMMITTED)
    lines = text(commit_tool, "repository/commit", answer, repository="zoo", message="Open").splitlines()
    assert lines == [
        "Committed 5f2c0e7 in zoo on main; nothing was pushed.",
        *CHANGES,
        "An undo cannot take it back; `git -C /zoo reset --soft HEAD~1` can.",
    ]


def test_a_preview_says_what_would_be_committed() -> None:
    answer = answering(**PREVIEW)
    lines = text(commit_tool, "repository/commit", answer, repository="zoo", preview=True).splitlines()
    assert lines == ["This would be committed in zoo on main:", *CHANGES]


@pytest.mark.parametrize("reply", [PREVIEW, COMMITTED])
def test_what_is_staged_besides_is_named(reply: dict[str, object]) -> None:
    answer = answering(**reply, staged=["README.md", "docs/zoo.md"])
    assert (
        "Staged in git, not part of this commit, and left as they are: README.md, docs/zoo.md"
        in text(commit_tool, "repository/commit", answer, repository="zoo", message="Open").splitlines()
    )


def test_it_sends_its_arguments() -> None:
    remembering = Remembering(lambda _: value(COMMITTED))
    with asking(**{"repository/commit": remembering}) as image:
        tool = commit_tool.make(image)
        tool.call({"repository": "zoo", "message": "Open", "packages": ["Zoos"]}, Call())
    assert remembering.asked == [
        {"repository": "zoo", "message": "Open", "packages": ["Zoos"], "preview": False}
    ]


REPOSITORY = {
    "name": "zoo",
    "location": "/zoo",
    "branch": "main",
    "packages": ["Zoos"],
    "modified": True,
    "changes": {"total": 5, "items": ITEMS},
}


@pytest.mark.parametrize("given", [{}, {"message": ""}])
def test_without_a_message_the_repositories_are_listed(given: dict[str, object]) -> None:
    answer = answering(repositories=[REPOSITORY])
    assert text(commit_tool, "repositories", answer, **given).splitlines() == [
        "zoo on main, uncommitted changes, in /zoo",
        "    1 package: Zoos",
        *CHANGES,
    ]


def test_what_keeps_a_repository_from_a_commit_is_listed() -> None:
    answer = answering(repositories=[{**REPOSITORY, "obstacle": "its head is detached."}])
    assert (
        "    No commit is possible now: its head is detached."
        in text(commit_tool, "repositories", answer).splitlines()
    )


def test_repositories_without_a_folder_and_without_changes_are_only_named() -> None:
    folderless = [
        {"name": name, "branch": "Bad location", "packages": ["Kernel"]} for name in ("pharo", "Spec2")
    ]
    lines = text(commit_tool, "repositories", answering(repositories=[REPOSITORY, *folderless])).splitlines()
    assert lines[0].startswith("zoo on main")
    assert lines[-1] == (
        "Without a folder on this computer, so that nothing can be committed there: pharo, Spec2"
    )
    assert "Kernel" not in "".join(lines)


def test_of_many_packages_the_first_are_listed() -> None:
    names = [f"Zoo-{number:03}" for number in range(306)]
    answer = answering(repositories=[{**REPOSITORY, "packages": names, "changes": None}])
    lines = text(commit_tool, "repositories", answer).splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("    306 packages: Zoo-000, Zoo-001, ")
    assert lines[1].endswith("Zoo-009, … and 296 more")


def test_an_image_without_iceberg_says_so() -> None:
    with asking(**{"repository/commit": exchange("commit_no_iceberg")}) as image:
        tool = commit_tool.make(image)
        with pytest.raises(ImageError, match="This image has no Iceberg"):
            tool.call({"repository": "zoo", "message": "Open"}, Call())
