"""A model finds a leak: how many there are, who holds one, what keeps it alive, and what grows."""

import re
from collections.abc import Iterator

import pytest

from scenarios.test_working_day import Model, model
from smalltalk_text import class_text, code, method_text

__all__ = ["model"]

SHOP = "ZooShop"
LISTEN = (
    "listen: anAnimal\n\n\tannouncer := Announcer new.\n"
    "\tannouncer when: Announcement do: [ :each | anAnimal yourself ] for: self"
)
WATCH = "watch: anAnimal\n\n\tCache := WeakArray with: anAnimal"
SHARE = "share: anAnimal\n\n\tCache := Dictionary new.\n\tCache at: #lost put: anAnimal"
FORGET = "forget\n\n\tCache := nil.\n\tannouncer := nil"


@pytest.fixture
def shop(model: Model) -> Iterator[Model]:
    """An image with a class that keeps animals in various ways."""
    model("edit_code", text=class_text("ZooAnimal", package="Zoo"))
    model("edit_code", text=class_text(SHOP, package="Zoo", slots=["announcer"], class_variables=["Cache"]))
    model(
        "edit_code",
        text=code(
            method_text(SHOP, LISTEN),
            method_text(SHOP, WATCH),
            method_text(SHOP, SHARE),
            method_text(SHOP, FORGET),
        ),
    )
    model("evaluate", expression=f"Smalltalk at: #ZooTheShop put: {SHOP} new")
    yield model
    model(
        "evaluate",
        expression="(Smalltalk at: #ZooTheShop) forget. Smalltalk globals removeKey: #ZooTheShop",
    )


def lost(shop: Model, how: str) -> str:
    """The id of an animal that the shop holds in one way."""
    said = shop(
        "evaluate", expression=f"| one | one := ZooAnimal new. (Smalltalk at: #ZooTheShop) {how} one. one"
    )
    return id_in(said)


def id_in(said: str) -> str:
    found = re.search(r"\bo-\d+", said)
    assert found, said
    return found[0]


def without_ids(said: str) -> list[str]:
    return [re.sub(r", o-\d+", "", line) for line in said.splitlines()]


def test_an_object_is_kept_alive_by_a_dictionary_in_a_class_variable(shop: Model) -> None:
    animal = lost(shop, "share:")
    counted = shop("find_objects", relation="instances", class_name="ZooAnimal")
    assert counted.startswith("ZooAnimal: 1 instance, ")
    assert animal in counted

    path = shop("find_objects", relation="path_to_root", object_id=animal)
    assert without_ids(path) == [
        "a ZooAnimal (ZooAnimal) is kept alive by class ZooShop:",
        "  class variable Cache -> a Dictionary(#lost->a ZooAnimal ) (Dictionary)",
        "    key #lost -> a ZooAnimal (ZooAnimal)",
    ]
    assert "a Dictionary" in shop("inspect_object", object_id=id_in(path.splitlines()[1]))


def test_an_object_is_kept_alive_by_a_closure_in_an_announcer(shop: Model) -> None:
    path = shop("find_objects", relation="path_to_root", object_id=lost(shop, "listen:"))
    first, *steps = without_ids(path)
    assert first == "a ZooAnimal (ZooAnimal) is kept alive by global ZooTheShop:"
    assert [step.split(" -> ")[0].strip() for step in steps[:6]] == [
        "its value",
        "instance variable announcer",
        "instance variable registry",
        "instance variable subscriptions",
        "an element",
        "instance variable action",
    ]
    assert "(FullBlockClosure)" in steps[5]
    assert steps[-1].endswith("-> a ZooAnimal (ZooAnimal)")


def test_a_weak_reference_keeps_nothing_alive(shop: Model) -> None:
    animal = lost(shop, "watch:")
    holders = shop("find_objects", relation="holders", object_id=animal)
    assert "(WeakArray" in holders
    assert ", by weak element 1" in holders
    assert "pharo-mcp holds it, too: the object table." in holders
    path = shop("find_objects", relation="path_to_root", object_id=animal)
    assert without_ids(path) == [
        "Only pharo-mcp keeps a ZooAnimal (ZooAnimal) alive: the object table.",
        "evaluate with reset_workspace: true frees it.",
    ]


def test_what_grows_is_found_by_a_mark(shop: Model) -> None:
    begun = shop("find_objects", relation="compare", mark="before the sale")
    assert begun.startswith("Mark before the sale is set: ")
    shop("evaluate", expression="many := (1 to: 50000) collect: [ :each | ZooAnimal new ]. nil")
    grown = shop("find_objects", relation="compare", mark="before the sale", limit=5)
    assert "ZooAnimal: +50,000 objects, " in grown
    shop("evaluate", expression="nil", reset_workspace=True)


def test_an_integer_and_mistakes_are_answered(shop: Model) -> None:
    none = shop("find_objects", relation="instances", class_name="SmallInteger")
    assert "A SmallInteger has no place in memory" in none
    assert "needs either class_name or object_id" in shop.failing("find_objects", relation="holders")
    assert "Similar names: ZooAnimal" in shop.failing(
        "find_objects", relation="instances", class_name="ZooAnimel"
    )
