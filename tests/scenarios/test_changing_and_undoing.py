"""Changes that can be trusted: nothing is lost silently, and everything can be undone, undoing included."""

import re
from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.playing import mark, text
from scenarios.test_working_day import Model
from smalltalk_text import class_text, method_text

DOG = (
    "Animal << #Dog slots: { #name }; sharedVariables: { #Kennel }; package: 'Zoo'",
    "Object << #Animal slots: { #age }; package: 'Zoo'",
)


WITH_SIZE = "Animal << #Dog slots: { #size }; sharedVariables: { #Kennel }; package: 'Zoo'"


@pytest.fixture
def model(client: Client) -> Iterator[Model]:
    """A model with two classes; its changes are undone whatever happens."""
    model = Model(client)
    mark = model.last_change()
    for definition in reversed(DOG):
        model("edit_code", text=definition)
    model("edit_code", text=method_text("Dog", "kennelLabel ^ name, Kennel"))
    yield model
    model("undo_change", to=mark)


def test_a_new_comment_leaves_the_rest_of_a_class(model: Model) -> None:
    model("edit_code", text="Dog comment: 'I bark.'")
    shown = model("get_class", class_name="Dog")
    assert "Animal << #Dog" in shown
    assert "#name" in shown
    assert "Kennel" in shown
    assert "I bark." in shown


def test_what_new_slots_take_away_is_named_before_anything_else(model: Model) -> None:
    model("evaluate", expression="dogs := { Dog new. Dog new }", workspace="dogs")
    preview = model("edit_code", text=WITH_SIZE, preview=True)
    assert preview.splitlines()[:3] == [
        "Dog would lose:",
        "    1 slot: name (values in 2 instances)",
        "    1 method no longer compiles: Dog>>kennelLabel",
    ]
    assert "#name" in model("get_class", class_name="Dog")
    changed = model("edit_code", text=WITH_SIZE)
    assert changed.splitlines()[0] == "Dog has lost:"
    assert "#name" not in model("get_class", class_name="Dog")
    model("evaluate", expression="nil", workspace="dogs", reset_workspace=True)


def test_a_new_superclass_takes_away_what_was_inherited(model: Model) -> None:
    changed = model("edit_code", text="Object << #Dog slots: { #name }; package: 'Zoo'")
    assert "1 slot: age" in changed
    assert "1 class variable: Kennel" in changed
    assert "1 superclass: Animal" in changed
    assert "Created" not in changed
    assert "Object << #Dog" in model("get_class", class_name="Dog")


def changed_in(answer: str) -> tuple[int, int]:
    """The first and the last of the changes that an answer names."""
    found = re.search(r"^Changes? (\d+)(?:\u2013(\d+))?\.$", answer, re.M)
    assert found, answer
    return int(found[1]), int(found[2] or found[1])


def test_an_evaluation_names_the_changes_that_it_made(model: Model) -> None:
    source = "Dog compile: 'one ^ 1'. Dog compile: 'two ^ 2'. Dog new"
    first, last = changed_in(model("evaluate", expression=source))
    assert last == first + 1
    failed = model.failing("evaluate", expression="Dog compile: 'three ^ 3'. 1 / 0")
    assert changed_in(failed) == (last + 1, last + 1)
    assert "Change" not in model("evaluate", expression="3 + 4")
    assert f"Undone {first}\N{EN DASH}{last + 1}: " in model("undo_change", to=first - 1)
    assert "has no method named one" in model.failing("read_code", items=["Dog>>one"])


def test_a_trait_and_its_user_are_undone_whatever_happened_to_them(model: Model) -> None:
    mark = model.last_change()
    model("edit_code", text="Trait << #TLoud package: 'Zoo'")
    model("edit_code", text=method_text("TLoud", "bark ^ 'Wau'"))
    model("edit_code", text=DOG[0].replace("slots:", "traits: TLoud; slots:"))
    model("evaluate", expression="TLoud rename: 'TNoisy'")
    model("edit_code", text=DOG[0])
    model("evaluate", expression="TNoisy removeFromSystem. Animal removeFromSystem")
    model("edit_code", text="Object << #Animal package: 'Zoo'")
    model("undo_change", to=mark)
    assert "Animal << #Dog" in model("get_class", class_name="Dog")
    assert "#age" in model("get_class", class_name="Animal")
    model.failing("get_class", class_name="TLoud")


def test_an_undo_can_be_undone(model: Model) -> None:
    model("edit_code", text=method_text("Dog", "shout ^ self kennelLabel asUppercase"))
    last = model.last_change()
    undone = model("undo_change", change=last - 1)
    assert undone.startswith(f"Undone {last - 1}: Dog>>kennelLabel; undo_change {last + 1} redoes it.")
    assert "Sent, but no longer implemented: kennelLabel" in undone
    assert f"undo_change {last + 1} redoes it" in model("undo_change", change=last - 1)
    model("undo_change", change=last + 1)
    assert "Kennel" in model("read_code", items=["Dog>>kennelLabel"])


def test_hundreds_of_changes_are_undone_and_redone(model: Model) -> None:
    many = "1 to: 200 do: [ :each | Dog compile: 'm' , each printString , ' ^ name' ]"
    first, last = changed_in(model("evaluate", expression=many, timeout_seconds=40))
    assert last == first + 199
    undone = model("undo_change", to=first - 1)
    assert undone.startswith(f"Undone {first}\N{EN DASH}{last}: Dog>>m200, ")
    redone = model("undo_change", change=last + 1)
    assert redone.startswith(f"Undone {last + 1}\N{EN DASH}{last + 200}: Dog>>m")
    assert "^ name" in model("read_code", items=["Dog>>m200"])


def test_the_list_says_when_nothing_is_in_effect(client: Client) -> None:
    model = Model(client)
    before = mark(client)
    model("edit_code", text=class_text("Dog", package="Zoo"))
    if "has been changed by others" in text(client.call("undo_change", to=0)):
        model("undo_change", to=before)
        pytest.skip("tests before have changed classes of theirs without the log")
    assert "Nothing is in effect" in model("list_changes")
