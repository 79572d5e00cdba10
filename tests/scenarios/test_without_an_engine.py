"""Removing, renaming and moving code in an image that has no refactoring engine, as the practice image."""

import re
from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.test_pharo_refactorings import answer, failure
from smalltalk_text import class_text, method_text

METHOD = "PmcMadeCage>>pmcMadeSize"


@pytest.fixture
def zoo(client: Client) -> Iterator[Client]:
    """A conversation in which there are a class and one that uses it, until they are undone."""
    found = re.search(r"^    (\d+): ", answer(client, "list_changes", limit=1), re.M)
    mark = int(found[1]) if found else 0
    answer(client, "edit_code", text=class_text("PmcMadeCage", package="PmcMade"))
    answer(client, "edit_code", text=method_text("PmcMadeCage", "pmcMadeSize ^ 1"))
    answer(client, "edit_code", text=class_text("PmcMadeZoo", package="PmcMade"))
    answer(client, "edit_code", text=method_text("PmcMadeZoo", "size ^ PmcMadeCage new pmcMadeSize"))
    yield client
    answer(client, "undo_change", to=mark)
    assert client.call("get_class", class_name="PmcMadeZoo")["isError"]


def advice(client: Client, kind: str, **arguments: object) -> str:
    """What is advised instead of a refactoring which needs an engine."""
    result = client.call("refactor", kind=kind, **arguments)
    if not result["isError"]:
        pytest.skip("this image has a refactoring engine")
    text: str = result["content"][0]["text"]
    return text.partition(" Without the engine: ")[2]


def size(client: Client) -> str:
    """What the method answers that uses what is changed."""
    return answer(client, "evaluate", expression="PmcMadeZoo new size")


def test_a_method_that_is_used_is_removed_when_that_is_confirmed_and_comes_back(zoo: Client) -> None:
    refused = failure(zoo.call("edit_code", remove=[METHOD]))
    assert f"{METHOD} is still used by PmcMadeZoo>>size." in refused
    assert size(zoo) == "1"
    done = answer(zoo, "edit_code", remove=[METHOD], confirm=True)
    change = re.search(r"Change (\d+)\.", done)
    assert change
    assert zoo.call("read_code", items=[METHOD])["isError"]
    answer(zoo, "undo_change", change=int(change[1]))
    assert size(zoo) == "1"


def test_what_no_other_code_uses_is_removed_at_once_and_undone_as_one(zoo: Client) -> None:
    removed = answer(zoo, "edit_code", remove=["PmcMadeZoo", METHOD])
    assert removed.splitlines()[0] == f"Removed PmcMadeZoo, {METHOD}."
    change = re.search(r"Change (\d+)\.", removed)
    assert change
    answer(zoo, "undo_change", change=int(change[1]))
    assert size(zoo) == "1"


def test_a_class_is_removed_and_comes_back_with_its_methods(zoo: Client) -> None:
    assert "PmcMadeZoo>>size" in failure(zoo.call("edit_code", remove=["PmcMadeCage"]))
    done = answer(zoo, "edit_code", remove=["PmcMadeCage"], confirm=True)
    change = re.search(r"Change (\d+)\.", done)
    assert change
    assert zoo.call("get_class", class_name="PmcMadeCage")["isError"]
    answer(zoo, "undo_change", change=int(change[1]))
    assert size(zoo) == "1"


def test_subclasses_move_up_to_the_superclass_of_a_removed_class(zoo: Client) -> None:
    answer(zoo, "edit_code", text=class_text("PmcMadeAviary", "PmcMadeCage", package="PmcMade"))
    refused = failure(zoo.call("edit_code", remove=["PmcMadeCage"]))
    assert "its subclasses move up to its superclass: PmcMadeAviary" in refused
    answer(zoo, "edit_code", remove=["PmcMadeCage"], confirm=True)
    assert answer(zoo, "evaluate", expression="PmcMadeAviary superclass").startswith("Object")


def test_a_class_is_renamed_as_is_advised(zoo: Client) -> None:
    expression = re.search(
        "evaluate `(.+)`", advice(zoo, "rename_class", class_name="PmcMadeCage", new_name="PmcMadeRoom")
    )
    assert expression
    answer(zoo, "evaluate", expression=expression[1])
    answer(zoo, "edit_code", text=method_text("PmcMadeZoo", "size ^ PmcMadeRoom new pmcMadeSize"))
    assert size(zoo) == "1"


def test_a_method_is_moved_as_is_advised(zoo: Client) -> None:
    moved = advice(zoo, "move_method", class_name="PmcMadeZoo", selector="size", to_class="PmcMadeCage")
    names = re.search("edit_code .* changed to `(.+) >> …`, and with remove: `(.+)`;", moved)
    assert names
    text = method_text(names[1], "size ^ PmcMadeCage new pmcMadeSize")
    answer(zoo, "edit_code", text=text, remove=[names[2]], confirm=True)
    assert answer(zoo, "evaluate", expression="PmcMadeCage new size") == "1"


def test_what_a_newer_version_lacks_is_listed(zoo: Client) -> None:
    answer(zoo, "edit_code", text=method_text("PmcMadeZoo", "side ^ self class theNonMetaClass"))
    moved = answer(zoo, "refactor", kind="migrate", to=13, only=["PmcMade"])
    assert "RBAbstractClass>>theNonMetaClass (deprecated in 13) → instanceSide" in moved
    assert "        PmcMadeZoo>>side" in moved
    if "practice" in answer(zoo, "get_version"):
        assert "This image has no parse tree rewriter" in moved
