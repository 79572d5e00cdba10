"""Commits with Iceberg in a live image; the practice image has none."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs import Client, LiveImage
from scenarios.playing import mark, text
from scenarios.test_pharo_refactorings import answer
from smalltalk_text import class_text, code, method_text

HAS_ICEBERG = "Smalltalk globals includesKey: #IceRepository"
CREATE = """| repository |
repository := IceRepositoryCreator new
	location: '{folder}' asFileReference;
	subdirectory: 'src';
	createNewRepositoryNamed: 'pmc-made'.
repository register.
(repository getConfigurationGlobal: false) username: 'Someone'; email: 'someone@example.org'.
repository workingCopy addPackageNamed: 'PmcMade'.
repository name"""
REPOSITORY = "(IceRepository repositoryNamed: 'pmc-made')"


@pytest.fixture
def repository(client: Client, image: LiveImage) -> Iterator[str]:
    """A new repository of Iceberg, beside the image, with a package of one class."""
    if answer(client, "evaluate", expression=HAS_ICEBERG) != "true":
        pytest.skip("this image has no Iceberg")
    folder = Path(image.connection["image"]).parent / "pmc-made"
    before = mark(client)
    answer(
        client,
        "edit_code",
        text=code(
            class_text("PmcMadeGate", package="PmcMade"), method_text("PmcMadeGate", "open\n\n\t^ true")
        ),
    )
    answer(client, "evaluate", expression=CREATE.format(folder=folder))
    yield "pmc-made"
    answer(client, "evaluate", expression=f"{REPOSITORY} forget")
    answer(client, "undo_change", to=before)
    shutil.rmtree(folder)


def test_an_image_without_iceberg_commits_nothing_and_says_so(client: Client) -> None:
    if answer(client, "evaluate", expression=HAS_ICEBERG) == "true":
        pytest.skip("this image has Iceberg")
    refused = client.call("commit", repository="zoo", message="Open on time")
    assert refused["isError"]
    assert "This image has no Iceberg" in text(refused)


def test_a_preview_commits_nothing(client: Client, repository: str) -> None:
    shown = answer(client, "commit", repository=repository, preview=True)
    assert shown.startswith("This would be committed in pmc-made on ")
    assert "added PmcMadeGate>>open" in shown
    assert "added PmcMadeGate>>open" in answer(client, "commit")


def test_a_commit_is_made_once(client: Client, repository: str) -> None:
    shown = answer(client, "commit", repository=repository, message="Open on time")
    assert "nothing was pushed" in shown
    comment = answer(client, "evaluate", expression=f"{REPOSITORY} headCommit comment")
    assert comment.splitlines()[0].startswith("'Open on time")
    refused = client.call("commit", repository=repository, message="Again")
    assert refused["isError"]
    assert "nothing was changed since the last commit" in text(refused)


def test_a_detached_head_is_refused(client: Client, repository: str) -> None:
    answer(client, "commit", repository=repository, message="Open on time")
    answer(client, "evaluate", expression=f"{REPOSITORY} setHead: {REPOSITORY} headCommit")
    refused = client.call("commit", repository=repository, preview=True)
    assert refused["isError"]
    assert "its head is detached" in text(refused)
