"""Changes that can be trusted: nothing is lost silently, and everything can be undone, undoing included."""

from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.test_working_day import Model

DOG = (
    "Animal << #Dog slots: { #name }; sharedVariables: { #Kennel }; package: 'Zoo'",
    "Object << #Animal slots: { #age }; package: 'Zoo'",
)


@pytest.fixture
def model(client: Client) -> Iterator[Model]:
    """A model with two classes; its changes are undone whatever happens."""
    model = Model(client)
    mark = model.last_change()
    for definition in reversed(DOG):
        model("define_class", definition=definition)
    model("compile_method", class_name="Dog", source="label ^ name, Kennel")
    yield model
    model("undo_change", to=mark)


def test_a_new_comment_leaves_the_rest_of_a_class(model: Model) -> None:
    model("define_class", class_name="Dog", comment="I bark.")
    shown = model("get_class", class_name="Dog")
    assert "Animal << #Dog" in shown
    assert "#name" in shown
    assert "Kennel" in shown
    assert "I bark." in shown


def test_what_new_slots_take_away_is_named_before_anything_else(model: Model) -> None:
    model("evaluate", expression="dogs := { Dog new. Dog new }", workspace="dogs")
    preview = model("define_class", class_name="Dog", slots=["size"], preview=True)
    assert preview.splitlines()[:3] == [
        "The class Dog would lose:",
        "    1 slot: name (values in 2 instances)",
        "    1 method no longer compiles: Dog>>label",
    ]
    assert "#name" in model("get_class", class_name="Dog")
    changed = model("define_class", class_name="Dog", slots=["size"])
    assert changed.splitlines()[0] == "The class Dog lost:"
    assert "#name" not in model("get_class", class_name="Dog")
    model("reset_workspace", workspace="dogs")


def test_a_new_superclass_takes_away_what_was_inherited(model: Model) -> None:
    changed = model("define_class", class_name="Dog", superclass="Object", class_variables=[])
    assert "1 slot: age" in changed
    assert "1 class variable: Kennel" in changed
    assert "1 superclass: Animal" in changed
    assert "Created" not in changed
    assert "Object << #Dog" in model("get_class", class_name="Dog")
