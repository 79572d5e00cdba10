"""Tool `load_project`."""

import pytest

from image.servers import failure
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.tools.projects import load_project as load_project_tool
from tools.calling import answering, text

LOADED = answering(evaluation="e-1", loaded=["Zoos", "Zoos-Tests"], elapsed=2.5, transcript="Fetched\n")


def test_loaded_packages_are_named() -> None:
    words = text(load_project_tool, "load", LOADED, baseline="Zoo", repository="tonel:///zoo")
    assert words == "Loaded: Zoos, Zoos-Tests.\n---\nTranscript:\nFetched\n"


def test_a_load_that_would_lose_changes_is_refused_with_the_next_steps() -> None:
    unsaved = failure(200, "warning", "If you continue, you will lose these changes:")
    words = text(load_project_tool, "load", lambda _: unsaved, baseline="Zoo", repository="tonel:///zoo")
    assert "export_package writes a package to a folder" in words
    assert "modified: false" in words


def test_a_conflict_is_a_sentence_without_a_stack() -> None:
    conflict = "Load Conflict between existing A and B. The project was not loaded."
    with pytest.raises(RequestRefused) as refused:
        text(
            load_project_tool,
            "load",
            lambda _: failure(200, "refused", conflict),
            baseline="Zoo",
            repository="tonel:///zoo",
        )
    assert refused.value.message == conflict
