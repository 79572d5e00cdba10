"""Tools for projects and repositories."""

import pytest

from image.servers import exchange, failure
from pharo_mcp.image import RequestRefused
from pharo_mcp.tools import (
    export_package_tool,
    import_package_tool,
    list_repositories_tool,
    load_project_tool,
)
from tools.calling import answering, structured_as_described, text

LOADED = answering(evaluation="e-1", loaded=["Zoos", "Zoos-Tests"], elapsed=2.5, transcript="Fetched\n")
EXPORTED = answering(packageName="Zoos", folder="/zoo/src", files=["Zoo.class.st"])
IMPORTED = answering(folder="/zoo/src", packages=["Zoos"], changes=[4, 5])
REPOSITORY = {
    "name": "zoo",
    "branch": "main",
    "modified": True,
    "packages": ["Zoos"],
    "location": "/zoo",
}


def test_a_load_names_what_it_brought() -> None:
    words = text(load_project_tool, "load", LOADED, baseline="Zoo", repository="tonel:///zoo")
    assert words == "Loaded: Zoos, Zoos-Tests.\n---\nTranscript:\nFetched\n"


def test_an_export_says_where_the_package_is() -> None:
    words = text(export_package_tool, "package/export", EXPORTED, package_name="Zoos", folder="/zoo/src")
    assert words == "Package Zoos is in /zoo/src, 1 file."


def test_an_import_says_what_was_read_and_how_to_undo_it() -> None:
    assert text(import_package_tool, "package/import", IMPORTED, folder="/zoo/src").splitlines() == [
        "Read from /zoo/src: Zoos.",
        "Changes 4 to 5; undo_change with to: 3 takes all of them back.",
    ]


def test_changes_that_an_import_would_lose_stop_it_and_name_both_ways_on() -> None:
    with pytest.raises(RequestRefused, match=r"Nothing was loaded.*\n.*overwrite: true.*export_package"):
        text(
            import_package_tool,
            "package/import",
            exchange("package_import_unsaved"),
            folder="/zoo/src",
            overwrite=False,
        )


def test_changes_that_a_load_would_lose_name_ways_on() -> None:
    unsaved = failure(200, "warning", "If you continue, you will lose these changes:")
    words = text(load_project_tool, "load", lambda _: unsaved, baseline="Zoo", repository="tonel:///zoo")
    assert "export_package writes one into a folder" in words
    assert "modified: false" in words


def test_a_repository_is_told_with_branch_state_and_packages() -> None:
    assert text(
        list_repositories_tool, "repositories", answering(repositories=[REPOSITORY])
    ).splitlines() == [
        "zoo on main, modified, in /zoo",
        "    Zoos",
    ]
    assert "knows no repository" in text(list_repositories_tool, "repositories", answering(repositories=[]))


def test_a_folder_that_is_not_allowed_names_those_that_are() -> None:
    with pytest.raises(RequestRefused, match="Allowed: /home/me/projects"):
        text(
            export_package_tool,
            "package/export",
            exchange("package_export_forbidden"),
            package_name="Zoos",
            folder="/etc",
        )


def test_for_programs_they_repeat_themselves_as_their_schemas_say() -> None:
    given = {"baseline": "Zoo", "repository": "tonel:///zoo"}
    assert structured_as_described(load_project_tool, "load", LOADED, **given)
    assert structured_as_described(
        export_package_tool, "package/export", EXPORTED, package_name="Zoos", folder="/zoo"
    )
    assert structured_as_described(import_package_tool, "package/import", IMPORTED, folder="/zoo")
    assert structured_as_described(
        list_repositories_tool, "repositories", answering(repositories=[REPOSITORY])
    )
