"""What only a real Pharo has: its refactoring engine and its critiques: `pytest -m image`."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from programs import Client

pytestmark = [pytest.mark.image, pytest.mark.parametrize("image", ["image"], indirect=True)]


def answer(client: Client, tool: str, **arguments: object) -> str:
    """What a tool answers that succeeds."""
    result: Any = client.call(tool, **arguments)
    text = "\n".join(content["text"] for content in result["content"])
    assert not result["isError"], text
    return text


def needs(client: Client, *names: str) -> None:
    """Skip where the image has no global of any of these names."""
    has = " or: [ ".join(f"(Smalltalk globals includesKey: #{name})" for name in names) + " ]" * (
        len(names) - 1
    )
    if answer(client, "evaluate", expression=has) != "true":
        pytest.skip(f"this image has no {' or '.join(names)}")


@pytest.fixture
def zoo(client: Client) -> Iterator[Client]:
    """A conversation in which there are a class and one that uses it, until they are undone."""
    needs(client, "ReNamespace", "RBNamespace")
    found = re.search(r"^    (\d+): ", answer(client, "list_changes", limit=1), re.M)
    mark = int(found[1]) if found else 0
    answer(client, "define_class", class_name="PmcMadeCage", package="PmcMade")
    answer(client, "compile_method", class_name="PmcMadeCage", source="pmcMadeSize ^ 1")
    answer(client, "define_class", class_name="PmcMadeZoo", package="PmcMade")
    answer(client, "compile_method", class_name="PmcMadeZoo", source="size ^ PmcMadeCage new pmcMadeSize")
    yield client
    answer(client, "undo_change", to=mark)
    assert client.call("get_class", class_name="PmcMadeZoo")["isError"]


def source(client: Client) -> str:
    """The method that uses what is renamed."""
    return answer(client, "get_method", class_name="PmcMadeZoo", selector="size")


def test_a_class_is_renamed_where_it_is_used_after_a_preview(zoo: Client) -> None:
    rename = {"class_name": "PmcMadeCage", "new_name": "PmcMadeRoom"}
    preview = answer(zoo, "rename_class", **rename)
    assert "Affected: 1 reference in 1 class." in preview
    assert "PmcMadeZoo>>size" in preview
    assert "PmcMadeCage new" in source(zoo)
    answer(zoo, "rename_class", **rename, preview=False)
    assert "PmcMadeRoom new" in source(zoo)


def test_a_method_is_renamed_with_its_senders_in_its_package(zoo: Client) -> None:
    rename = {"class_name": "PmcMadeCage", "selector": "pmcMadeSize", "new_selector": "pmcMadeExtent"}
    assert "PmcMadeZoo>>size" in answer(zoo, "rename_method", **rename)
    answer(zoo, "rename_method", **rename, preview=False)
    assert "new pmcMadeExtent" in source(zoo)


def test_users_are_listed_before_a_removal(zoo: Client) -> None:
    assert "PmcMadeZoo>>size" in answer(zoo, "remove_class", class_name="PmcMadeCage")
    unused = {"class_name": "PmcMadeZoo", "selector": "size"}
    answer(zoo, "remove_method", **unused, preview=False)
    assert "PmcMadeCage" not in answer(zoo, "get_method", **unused), "it is the inherited one now"


def test_a_class_with_subclasses_is_removed_only_when_that_is_meant(zoo: Client) -> None:
    answer(zoo, "define_class", class_name="PmcMadeAviary", superclass="PmcMadeCage", package="PmcMade")
    removal = {"class_name": "PmcMadeCage", "preview": False}
    refused = zoo.call("remove_class", **removal)
    assert refused["isError"]
    assert "(PmcMadeAviary)" in refused["content"][0]["text"]
    assert "PmcMadeAviary" in answer(zoo, "remove_class", **removal, force=True)


def test_a_method_is_moved_to_another_class(zoo: Client) -> None:
    move = {"class_name": "PmcMadeZoo", "selector": "size", "to_class": "PmcMadeCage"}
    answer(zoo, "move_method", **move, preview=False)
    assert "PmcMadeCage new" in answer(zoo, "get_method", class_name="PmcMadeCage", selector="size")


def test_a_method_is_not_moved_to_where_there_is_one(zoo: Client) -> None:
    answer(zoo, "compile_method", class_name="PmcMadeCage", source="size ^ 2")
    moved = zoo.call("move_method", class_name="PmcMadeZoo", selector="size", to_class="PmcMadeCage")
    assert moved["isError"]
    assert moved["content"][0]["text"].startswith("PmcMadeCage already has a method size")


def test_a_method_that_breaks_rules_gets_its_critiques(zoo: Client) -> None:
    needs(zoo, "ReCriticEngine")
    broken = "pmcMadeBroken\n\t^ self size = nil ifTrue: [ true ] ifFalse: [ false ]"
    compiled = answer(zoo, "compile_method", class_name="PmcMadeZoo", source=broken)
    _, critiques = compiled.split("Critiques:")
    assert "isNil" in critiques


def test_a_renamed_class_counts_what_it_changes(zoo: Client) -> None:
    sources = ["another ^ PmcMadeCage new", "names ^ #( 3 #PmcMadeCage )"]
    answer(zoo, "compile_methods", class_name="PmcMadeCage", side="class", sources=sources)
    rename = {"class_name": "PmcMadeCage", "new_name": "PmcMadeRoom"}
    assert "Affected: 3 references in 2 classes." in answer(zoo, "rename_class", **rename)
    done = answer(zoo, "rename_class", **rename, preview=False)
    changed = re.findall(r"changed method", answer(zoo, "list_changes", limit=4))
    assert "Affected: 3 references in 2 classes." in done
    assert len(changed) == 3
    names = answer(zoo, "get_method", class_name="PmcMadeRoom", side="class", selector="names")
    assert "#PmcMadeRoom" in names


def test_a_removal_with_senders_contradicts_nothing(zoo: Client) -> None:
    removed = answer(zoo, "remove_method", class_name="PmcMadeCage", selector="pmcMadeSize", preview=False)
    assert removed.startswith("Done.")
    for line in removed.splitlines():
        assert "Cannot remove" not in line or line.strip().startswith(
            "The refactoring engine advised against"
        )


def test_an_engine_that_fails_itself_gives_the_steps(zoo: Client) -> None:
    trait = "Trait << #TPmcMadeNamed package: 'PmcMade'"
    answer(zoo, "define_class", definition=trait)
    answer(
        zoo,
        "compile_method",
        class_name="TPmcMadeNamed",
        side="class",
        source="pmcMadeSize ^ self pmcMadeSize",
    )
    answer(zoo, "define_class", class_name="PmcMadeZoo", traits=["TPmcMadeNamed"])
    rename = {
        "class_name": "PmcMadeCage",
        "selector": "pmcMadeSize",
        "new_selector": "pmcMadeExtent",
        "packages": ["*"],
    }
    renamed = zoo.call("rename_method", **rename)
    text = renamed["content"][0]["text"]
    assert not renamed["isError"] or text.startswith("The refactoring engine of this image failed with")
    assert not renamed["isError"] or "Nothing was changed. To do it step by step:\n1. " in text
