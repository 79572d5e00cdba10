"""Commits with Iceberg in a live image; the practice image has none."""

import shutil
import subprocess
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
GATE = "src/PmcMade/PmcMadeGate.class.st"


@pytest.fixture
def folder(image: LiveImage) -> Path:
    """Where the repository is: beside the image."""
    return Path(image.connection["image"]).parent / "pmc-made"


@pytest.fixture
def repository(client: Client, folder: Path) -> Iterator[str]:
    """A new repository of Iceberg with a package of one class."""
    if answer(client, "evaluate", expression=HAS_ICEBERG) != "true":
        pytest.skip("this image has no Iceberg")
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


@pytest.fixture
def committed(client: Client, repository: str) -> str:
    """That repository with a first commit, after which the class has a new method."""
    answer(client, "commit", repository=repository, message="Open on time")
    define(client, "close\n\n\t^ false")
    return repository


def define(client: Client, source: str, class_name: str = "PmcMadeGate", protocol: str = "gates") -> None:
    answer(client, "edit_code", text=method_text(class_name, source, protocol))


def git(folder: Path, *arguments: str) -> str:
    """What a command of git prints."""
    command = ("git", "-C", str(folder), "-c", "safe.directory=*", *arguments)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def refusal(client: Client, repository: str, **arguments: object) -> str:
    """What a commit says that must be refused."""
    refused = client.call("commit", repository=repository, message="Close, too", **arguments)
    assert refused["isError"]
    return text(refused)


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


def test_an_edit_on_disk_is_named_and_kept(client: Client, committed: str, folder: Path) -> None:
    edited = (folder / GATE).read_text() + '\n"edited by hand"\n'
    (folder / GATE).write_text(edited)
    before = git(folder, "rev-parse", "HEAD")
    said = refusal(client, committed)
    assert GATE in said
    assert "Nothing was committed" in said
    assert GATE in text(client.call("commit", repository=committed, preview=True))
    assert (folder / GATE).read_text() == edited
    assert git(folder, "rev-parse", "HEAD") == before
    git(folder, "checkout", "--", GATE)
    answer(client, "commit", repository=committed, message="Close, too")
    assert "close" in git(folder, "show", f"HEAD:{GATE}")


def test_files_that_were_added_to_a_package_are_kept(client: Client, committed: str, folder: Path) -> None:
    notes = folder / "src" / "PmcMade" / "notes" / "todo.txt"
    notes.parent.mkdir()
    notes.write_text("keep me")
    assert "src/PmcMade/notes/todo.txt" in refusal(client, committed)
    assert notes.read_text() == "keep me"


def test_a_file_that_was_removed_on_disk_is_named(client: Client, committed: str, folder: Path) -> None:
    (folder / GATE).unlink()
    assert GATE in refusal(client, committed)
    assert not (folder / GATE).exists()


def test_an_edit_that_is_only_staged_is_named_and_kept(client: Client, committed: str, folder: Path) -> None:
    original = (folder / GATE).read_text()
    (folder / GATE).write_text(original + '\n"staged by hand"\n')
    git(folder, "add", GATE)
    (folder / GATE).write_text(original)
    assert GATE in refusal(client, committed)
    assert "staged by hand" in git(folder, "show", f":{GATE}")


def test_edits_in_other_packages_are_no_obstacle(client: Client, committed: str, folder: Path) -> None:
    other = folder / "src" / "PmcOther" / "package.st"
    other.parent.mkdir()
    other.write_text("Package { #name : 'PmcOther' }\n")
    answer(client, "commit", repository=committed, message="Close, too")
    assert other.exists()
    assert "src/PmcOther/" in git(folder, "status", "--short")


def test_what_the_image_itself_has_written_is_no_obstacle(
    client: Client, committed: str, folder: Path
) -> None:
    answer(client, "export_package", package_name="PmcMade", folder=str(folder / "src"))
    assert "close" in (folder / GATE).read_text()
    git(folder, "add", GATE)
    answer(client, "commit", repository=committed, message="Close, too")
    assert git(folder, "status", "--short") == ""


def test_what_is_staged_before_the_first_commit_is_named_and_kept(
    client: Client, repository: str, folder: Path
) -> None:
    (folder / "README.md").write_text("staged\n")
    git(folder, "add", "README.md")
    assert "README.md" in refusal(client, repository)
    assert git(folder, "status", "--short") == "A  README.md"


def test_a_package_that_is_not_chosen_is_not_written(client: Client, committed: str, folder: Path) -> None:
    """Although both extend the same class."""
    define(client, "pmcOtherGates\n\n\t^ 4", "String", "*PmcOther")
    answer(client, "evaluate", expression=f"{REPOSITORY} workingCopy addPackageNamed: 'PmcOther'")
    answer(client, "commit", repository=committed, message="Add the others")
    define(client, "pmcMadeGates\n\n\t^ 3", "Integer", "*PmcMade")
    define(client, "pmcOtherGates\n\n\t^ 4", "Integer", "*PmcOther")
    notes = folder / "src" / "PmcOther" / "notes.txt"
    notes.write_text("keep me")
    said = answer(client, "commit", repository=committed, message="Count", packages=["PmcMade"])
    assert "added Integer>>pmcMadeGates" in said
    assert notes.read_text() == "keep me"
    assert "src/PmcOther/notes.txt" in refusal(client, committed)
    notes.unlink()
    said = answer(client, "commit", repository=committed, message="Count the others")
    assert "added Integer>>pmcOtherGates" in said
    assert "pmcMadeGates" not in said


@pytest.mark.parametrize("again", [False, True])
def test_what_is_staged_besides_is_named_and_left(
    client: Client, committed: str, folder: Path, *, again: bool
) -> None:
    if again:  # the image has read the index before
        answer(client, "commit", repository=committed, message="Close, too")
        define(client, "isOpen\n\n\t^ true")
    (folder / "README.md").write_text("staged\n")
    git(folder, "add", "README.md")
    (folder / "README.md").write_text("edited since\n")
    git(folder, "rm", "--cached", ".project")
    before = git(folder, "diff", "--cached")
    assert "README.md" in answer(client, "commit", repository=committed, preview=True)
    said = answer(client, "commit", repository=committed, message="Close on time")
    assert "README.md" in said
    assert git(folder, "diff", "--cached") == before
    assert git(folder, "show", "--name-only", "--format=", "HEAD") == GATE
    assert (folder / "README.md").read_text() == "edited since\n"
    assert [each.name for each in (folder / ".git").iterdir() if "index" in each.name] == ["index"]


def test_with_a_lock_nothing_is_written(client: Client, committed: str, folder: Path) -> None:
    lock = folder / ".git" / "index.lock"
    before = (folder / GATE).read_text()
    lock.touch()
    said = refusal(client, committed)
    assert str(lock) in said
    assert len(said.splitlines()) == 1
    assert (folder / GATE).read_text() == before
    assert f"No commit is possible now: {lock}" in answer(client, "commit")
    lock.unlink()
    answer(client, "commit", repository=committed, message="Close, too")


def test_an_operation_of_git_is_finished_first(client: Client, committed: str, folder: Path) -> None:
    head = git(folder, "rev-parse", "HEAD")
    (folder / ".git" / "MERGE_HEAD").write_text(head + "\n")
    assert "git is in the middle of a merge" in refusal(client, committed)
    (folder / ".git" / "MERGE_HEAD").unlink()


def test_an_extension_does_not_count_its_class(client: Client, committed: str) -> None:
    define(client, "pmcMadeGates\n\n\t^ 3", "Integer", "*PmcMade")
    shown = answer(client, "commit", repository=committed, preview=True)
    assert "2 changes" in shown
    assert "added Integer>>pmcMadeGates" in shown
    assert "added Integer\n" not in shown
    answer(client, "commit", repository=committed, message="Count", packages=["PmcMade"])
    refused = client.call("commit", repository=committed, message="Again")
    assert "nothing was changed since the last commit" in text(refused)


def test_a_new_class_counts_once(client: Client, repository: str) -> None:
    shown = answer(client, "commit", repository=repository, preview=True)
    assert shown.count("added PmcMadeGate") == len(["the class", "its method"])
