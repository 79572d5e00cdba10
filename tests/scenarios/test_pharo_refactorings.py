"""What only a real Pharo has: its refactoring engine and its critiques: `pytest -m image`."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from programs import Client
from smalltalk_text import class_text, code, method_text

pytestmark = [pytest.mark.image, pytest.mark.parametrize("image", ["image"], indirect=True)]


def answer(client: Client, tool: str, **arguments: object) -> str:
    """What a tool answers that succeeds."""
    result: Any = client.call(tool, **arguments)
    text = "\n".join(content["text"] for content in result["content"])
    assert not result["isError"], text
    return text


def failure(result: Any) -> str:
    """What a result says that must be an error."""
    text = "\n".join(content["text"] for content in result["content"])
    assert result["isError"], text
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
    answer(client, "edit_code", text=class_text("PmcMadeCage", package="PmcMade"))
    answer(client, "edit_code", text=method_text("PmcMadeCage", "pmcMadeSize ^ 1"))
    answer(client, "edit_code", text=class_text("PmcMadeZoo", package="PmcMade"))
    answer(client, "edit_code", text=method_text("PmcMadeZoo", "size ^ PmcMadeCage new pmcMadeSize"))
    yield client
    answer(client, "undo_change", to=mark)
    assert client.call("get_class", class_name="PmcMadeZoo")["isError"]


def source(client: Client) -> str:
    """The method that uses what is renamed."""
    return answer(client, "read_code", items=["PmcMadeZoo>>size"])


def test_a_class_is_renamed_where_it_is_used_after_a_preview(zoo: Client) -> None:
    rename = {"class_name": "PmcMadeCage", "new_name": "PmcMadeRoom"}
    preview = answer(zoo, "refactor", kind="rename_class", **rename)
    assert "Affected: 1 method in 1 class." in preview
    assert "PmcMadeZoo>>size" in preview
    assert "PmcMadeCage new" in source(zoo)
    answer(zoo, "refactor", kind="rename_class", **rename, preview=False)
    assert "PmcMadeRoom new" in source(zoo)


def test_a_method_is_renamed_with_its_senders_in_its_package(zoo: Client) -> None:
    rename = {
        "kind": "rename_method",
        "class_name": "PmcMadeCage",
        "selector": "pmcMadeSize",
        "new_name": "pmcMadeExtent",
    }
    assert "PmcMadeZoo>>size" in answer(zoo, "refactor", **rename)
    answer(zoo, "refactor", **rename, preview=False)
    assert "new pmcMadeExtent" in source(zoo)


def test_users_are_listed_before_a_removal(zoo: Client) -> None:
    assert "PmcMadeZoo>>size" in failure(zoo.call("edit_code", remove=["PmcMadeCage"]))
    answer(zoo, "edit_code", remove=["PmcMadeZoo>>size"], confirm=True)
    assert "PmcMadeCage" not in source(zoo), "it is the inherited one now"


def test_a_class_with_subclasses_is_removed_only_when_that_is_meant(zoo: Client) -> None:
    answer(zoo, "edit_code", text=class_text("PmcMadeAviary", "PmcMadeCage", package="PmcMade"))
    refused = failure(zoo.call("edit_code", remove=["PmcMadeCage"]))
    assert "its subclasses move up to its superclass: PmcMadeAviary" in refused
    answer(zoo, "edit_code", remove=["PmcMadeCage"], confirm=True)
    assert answer(zoo, "evaluate", expression="PmcMadeAviary superclass").startswith("Object")


def test_a_method_is_moved_to_another_class(zoo: Client) -> None:
    move = {"class_name": "PmcMadeZoo", "selector": "size", "to_class": "PmcMadeCage"}
    answer(zoo, "refactor", kind="move_method", **move, preview=False)
    assert "PmcMadeCage new" in answer(zoo, "read_code", items=["PmcMadeCage>>size"])


def test_a_method_is_not_moved_to_where_there_is_one(zoo: Client) -> None:
    answer(zoo, "edit_code", text=method_text("PmcMadeCage", "size ^ 2"))
    move = {"class_name": "PmcMadeZoo", "selector": "size", "to_class": "PmcMadeCage"}
    moved = zoo.call("refactor", kind="move_method", **move)
    assert moved["isError"]
    assert moved["content"][0]["text"].startswith("PmcMadeCage already has a method size")


def test_a_method_that_breaks_rules_gets_its_critiques(zoo: Client) -> None:
    needs(zoo, "ReCriticEngine")
    broken = "pmcMadeBroken\n\t^ self size = nil ifTrue: [ true ] ifFalse: [ false ]"
    compiled = answer(zoo, "edit_code", text=method_text("PmcMadeZoo", broken))
    assert re.search(r"PmcMadeZoo>>#pmcMadeBroken: .*isNil", compiled)
    assert not re.search(r"#pmcMadeBroken: .*protocol", compiled)


def test_a_renamed_class_counts_what_it_changes(zoo: Client) -> None:
    sources = ["another ^ PmcMadeCage new", "names ^ #( 3 #PmcMadeCage )"]
    answer(zoo, "edit_code", text=code(*(method_text("PmcMadeCage class", each) for each in sources)))
    rename = {"class_name": "PmcMadeCage", "new_name": "PmcMadeRoom"}
    assert "Affected: 3 methods in 2 classes." in answer(zoo, "refactor", kind="rename_class", **rename)
    done = answer(zoo, "refactor", kind="rename_class", **rename, preview=False)
    changed = " ".join(re.findall(r"changedMethod (.*)", answer(zoo, "list_changes", limit=4)))
    assert "Affected: 3 methods in 2 classes." in done
    assert all(selector in changed for selector in ("PmcMadeZoo>>size", "another", "names"))
    names = answer(zoo, "read_code", items=["PmcMadeRoom class>>names"])
    assert "#PmcMadeRoom" in names


def test_a_removal_with_senders_contradicts_nothing(zoo: Client) -> None:
    removed = answer(zoo, "edit_code", remove=["PmcMadeCage>>pmcMadeSize"], confirm=True)
    assert removed.startswith("Removed ")
    for line in removed.splitlines():
        assert "Cannot remove" not in line or "The refactoring engine advised against" in line


def test_an_engine_that_fails_itself_gives_advice(zoo: Client) -> None:
    trait = "Trait << #TPmcMadeNamed package: 'PmcMade'"
    answer(zoo, "edit_code", text=trait)
    answer(zoo, "edit_code", text=method_text("TPmcMadeNamed class", "pmcMadeSize ^ self pmcMadeSize"))
    answer(zoo, "edit_code", text=class_text("PmcMadeZoo", traits=["TPmcMadeNamed"], package="PmcMade"))
    renamed = zoo.call(
        "refactor",
        kind="rename_method",
        class_name="PmcMadeCage",
        selector="pmcMadeSize",
        new_name="pmcMadeExtent",
        only=["PmcMade"],
    )
    text = renamed["content"][0]["text"]
    assert not renamed["isError"] or text.startswith("The refactoring engine of this image failed with")
    assert not renamed["isError"] or "Nothing was changed. Without the engine: " in text


def test_code_that_moves_to_a_newer_version_is_rewritten_and_taken_back(zoo: Client) -> None:
    needs(zoo, "OCParseTreeRewriter", "RBParseTreeRewriter")
    source = 'size\n\t"of all cages"\n\t^ self class theNonMetaClass name size'
    answer(zoo, "edit_code", text=method_text("PmcMadeZoo", source))
    migrate = {"kind": "migrate", "to": 13, "only": ["PmcMade"]}
    assert "RBAbstractClass>>theNonMetaClass (deprecated in 13) → instanceSide" in answer(
        zoo, "refactor", **migrate
    )
    done = answer(zoo, "refactor", **migrate, preview=False)
    code = answer(zoo, "read_code", items=["PmcMadeZoo>>size"])
    assert '"of all cages"' in code
    assert "self class instanceSide name size" in code
    assert "Found 0 names" in answer(zoo, "refactor", **migrate)
    change = re.search(r"Change (\d+)\.", done)
    assert change
    answer(zoo, "undo_change", change=int(change[1]))
    assert "theNonMetaClass" in answer(zoo, "read_code", items=["PmcMadeZoo>>size"])
