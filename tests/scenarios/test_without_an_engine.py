"""Removing, renaming and moving code in an image that has no refactoring engine, as the practice image."""

import re
from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.test_pharo_refactorings import answer

CAGE = {"class_name": "PmcMadeCage", "selector": "pmcMadeSize"}
ZOO = {"class_name": "PmcMadeZoo", "selector": "size"}


@pytest.fixture
def zoo(client: Client) -> Iterator[Client]:
    """A conversation in which there are a class and one that uses it, until they are undone."""
    found = re.search(r"^    (\d+): ", answer(client, "list_changes", limit=1), re.M)
    mark = int(found[1]) if found else 0
    answer(client, "define_class", class_name="PmcMadeCage", package="PmcMade")
    answer(client, "compile_method", class_name="PmcMadeCage", source="pmcMadeSize ^ 1")
    answer(client, "define_class", class_name="PmcMadeZoo", package="PmcMade")
    answer(client, "compile_method", class_name="PmcMadeZoo", source="size ^ PmcMadeCage new pmcMadeSize")
    yield client
    answer(client, "undo_change", to=mark)
    assert client.call("get_class", class_name="PmcMadeZoo")["isError"]


def steps(client: Client, tool: str, **arguments: object) -> list[str]:
    """The steps that a tool lists which needs an engine."""
    result = client.call(tool, **arguments)
    if not result["isError"]:
        pytest.skip("this image has a refactoring engine")
    return re.findall(r"^\d+\. (.+)$", result["content"][0]["text"], re.M)


def size(client: Client) -> str:
    """What the method answers that uses what is changed."""
    return answer(client, "evaluate", expression="PmcMadeZoo new size")


def test_a_method_is_removed_after_a_preview_and_comes_back(zoo: Client) -> None:
    preview = answer(zoo, "remove_method", **CAGE)
    assert preview.splitlines()[:2] == [
        "Preview; nothing was changed. Affected: 1 send in 1 class.",
        "    PmcMadeZoo>>size",
    ]
    assert size(zoo) == "1"
    done = answer(zoo, "remove_method", **CAGE, preview=False)
    change = re.search(r"Change (\d+)\.", done)
    assert change
    assert zoo.call("get_method", **CAGE)["isError"]
    answer(zoo, "undo_change", change=int(change[1]))
    assert size(zoo) == "1"


def test_what_affects_no_other_code_is_removed_without_a_preview(zoo: Client) -> None:
    removed = answer(zoo, "remove_class", class_name="PmcMadeZoo")
    assert removed.splitlines()[0] == "Removed PmcMadeZoo. Affected: 0 references in 0 classes."
    change = re.search(r"Change (\d+)\.", removed)
    assert change
    removed = answer(zoo, "remove_method", **CAGE)
    assert removed.splitlines()[0] == "Removed PmcMadeCage>>pmcMadeSize. Affected: 0 sends in 0 classes."
    answer(zoo, "undo_change", to=int(change[1]) - 1)
    assert size(zoo) == "1"


def test_a_class_is_removed_and_comes_back_with_its_methods(zoo: Client) -> None:
    assert "PmcMadeZoo>>size" in answer(zoo, "remove_class", class_name="PmcMadeCage")
    done = answer(zoo, "remove_class", class_name="PmcMadeCage", preview=False)
    change = re.search(r"Change (\d+)\.", done)
    assert change
    assert zoo.call("get_class", class_name="PmcMadeCage")["isError"]
    answer(zoo, "undo_change", change=int(change[1]))
    assert size(zoo) == "1"


def test_subclasses_move_up_to_the_superclass_of_a_removed_class(zoo: Client) -> None:
    answer(zoo, "define_class", class_name="PmcMadeAviary", superclass="PmcMadeCage", package="PmcMade")
    preview = answer(zoo, "remove_class", class_name="PmcMadeCage")
    assert "Subclasses, which move up to its superclass (1): PmcMadeAviary" in preview
    answer(zoo, "remove_class", class_name="PmcMadeCage", preview=False, force=True)
    assert answer(zoo, "evaluate", expression="PmcMadeAviary superclass").startswith("Object")


def test_a_class_is_renamed_by_the_steps_that_are_listed(zoo: Client) -> None:
    rename, compile_ = steps(zoo, "rename_class", class_name="PmcMadeCage", new_name="PmcMadeRoom")
    expression = re.search("evaluate `(.+)`", rename)
    assert expression
    answer(zoo, "evaluate", expression=expression[1])
    assert (
        compile_ == "compile_method with PmcMadeRoom in place of PmcMadeCage in the source: PmcMadeZoo>>size."
    )
    answer(zoo, "compile_method", class_name="PmcMadeZoo", source="size ^ PmcMadeRoom new pmcMadeSize")
    assert size(zoo) == "1"


def test_a_method_is_renamed_by_the_steps_that_are_listed(zoo: Client) -> None:
    implementors, senders, removals = steps(zoo, "rename_method", **CAGE, new_selector="pmcMadeExtent")
    assert implementors.endswith(": PmcMadeCage>>pmcMadeSize.")
    answer(zoo, "compile_method", class_name="PmcMadeCage", source="pmcMadeExtent ^ 1")
    assert senders.endswith(": PmcMadeZoo>>size.")
    answer(zoo, "compile_method", class_name="PmcMadeZoo", source="size ^ PmcMadeCage new pmcMadeExtent")
    assert removals == "remove_method with preview: false: PmcMadeCage>>pmcMadeSize."
    answer(zoo, "remove_method", **CAGE, preview=False)
    assert size(zoo) == "1"


def test_a_method_is_moved_by_the_steps_that_are_listed(zoo: Client) -> None:
    compile_, removal = steps(zoo, "move_method", **ZOO, to_class="PmcMadeCage")[:2]
    assert compile_.startswith("compile_method with class_name PmcMadeCage, protocol ")
    assert compile_.endswith(" and the source that get_method shows of PmcMadeZoo>>size.")
    answer(zoo, "compile_method", class_name="PmcMadeCage", source="size ^ PmcMadeCage new pmcMadeSize")
    assert removal == "remove_method with preview: false: PmcMadeZoo>>size."
    answer(zoo, "remove_method", **ZOO, preview=False)
    assert answer(zoo, "evaluate", expression="PmcMadeCage new size") == "1"
