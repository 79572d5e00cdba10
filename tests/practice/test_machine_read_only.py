"""Literals and other objects that cannot be written to."""

from __future__ import annotations

import pytest

from practice_evaluation import Evaluate, Printing, Signalling


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("'abc' at: 1 put: $x", " 'abc' is read-only, hence its field 1 cannot be modified with $x"),
        ("#(1 2) at: 2 put: 3", " #(1 2) is read-only, hence its field 2 cannot be modified with 3"),
        ("#(1 #(2)) last at: 1 put: 3", " #(2) is read-only, hence its field 1 cannot be modified with 3"),
        ("#[1 2] at: 1 put: 3", " #[1 2] is read-only, hence its field 1 cannot be modified with 3"),
        ("#(3 1 2) sort", " #(3 1 2) is read-only, hence its field 1 cannot be modified with 1"),
        (
            "| point | point := 3 @ 4. point beReadOnlyObject. point setX: 5 setY: 6",
            " (3@4) is read-only, hence its field 1 cannot be modified with 5",
        ),
        (
            "| point | point := 3 @ 4. point beReadOnlyObject. point instVarAt: 2 put: 5",
            " (3@4) is read-only, hence its field 2 cannot be modified with 5",
        ),
    ],
)
def test_a_read_only_object_cannot_be_changed(signalling: Signalling, source: str, text: str) -> None:
    assert signalling(source) == ("ModificationForbidden", text)


def test_a_literal_string_cannot_become_a_wide_one(signalling: Signalling) -> None:
    assert signalling("'ab' at: 1 put: (Character value: 955)")[0] == "PrimitiveFailed"


@pytest.mark.parametrize(
    "source",
    [
        "'abc' copy",
        "'abc' , ''",
        "'abc' asUppercase",
        "'abc' reversed",
        "(String new: 3)",
        "(#(1 2) copyFrom: 1 to: 1)",
        "#(1 2) copy",
        "#[1 2] copy",
        "{ 1. 2 }",
        "#(1 2) asOrderedCollection",
        "(Character value: 955) asString copy",
        "Object new",
    ],
)
def test_a_new_object_can_be_changed(evaluate: Evaluate, source: str) -> None:
    assert evaluate(f"({source}) isReadOnlyObject") is False


@pytest.mark.parametrize("source", ["'abc'", "#abc", "#(1)", "#[1]", "3", "$a", "nil", "1.5"])
def test_literals_are_read_only(evaluate: Evaluate, source: str) -> None:
    assert evaluate(f"{source} isReadOnlyObject") is True


def test_a_refused_change_is_made_once_the_object_is_writable(printing: Printing) -> None:
    assert (
        printing(
            """| point | point := 3 @ 4. point beReadOnlyObject.
            [ point setX: 5 setY: 6 ] on: ModificationForbidden do: [ :error |
                error object beWritableObject. error retryModification ]. point"""
        )
        == "(5@6)"
    )


def test_being_read_only_is_answered_as_it_was(evaluate: Evaluate) -> None:
    assert evaluate(
        "| one | one := Object new. { one beReadOnlyObject. one beReadOnlyObject. one beWritableObject }"
    ) == [False, True, True]


def test_a_read_only_object_does_not_become_another(signalling: Signalling) -> None:
    assert signalling("'abc' becomeForward: 'xyz' copy")[0] == "PrimitiveFailed"
