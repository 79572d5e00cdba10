"""JSON to named tuples and back."""

from typing import NamedTuple

import pytest

from pharo_mcp.image.shapes import ShapeMismatch, read, write


class Leaf(NamedTuple):
    name: str


class Tree(NamedTuple):
    tree_height: int
    class_: str | None
    leaves: tuple[Leaf, ...]
    tags: tuple[str, ...] = ()


JSON = {"treeHeight": 3, "class": "Oak", "leaves": [{"name": "a"}, {"name": "b"}], "tags": ["old"]}
TREE = Tree(3, "Oak", (Leaf("a"), Leaf("b")), ("old",))


def test_values_are_written_as_they_were_read() -> None:
    assert read(Tree, JSON) == TREE
    assert write(TREE) == JSON


def test_a_default_may_be_missing_and_an_unknown_key_is_left_out() -> None:
    assert read(Tree, {"treeHeight": 3, "class": None, "leaves": [], "more": 1}) == Tree(3, None, ())
    assert write(Tree(3, None, ())) == {"treeHeight": 3, "leaves": [], "tags": []}


@pytest.mark.parametrize(
    ("json", "sentence"),
    [
        ({}, "treeHeight is missing"),
        ({**JSON, "treeHeight": "3"}, "treeHeight has the wrong type"),
        ({**JSON, "treeHeight": True}, "treeHeight has the wrong type"),
        ({**JSON, "leaves": {}}, "leaves has the wrong type"),
        ({**JSON, "leaves": [{"name": "a"}, {"name": 1}]}, r"leaves\[1\]\.name has the wrong type"),
        ({**JSON, "leaves": [{}]}, r"leaves\[0\]\.name is missing"),
        ([], "it has the wrong type"),
    ],
)
def test_mismatches_are_named(json: object, sentence: str) -> None:
    with pytest.raises(ShapeMismatch, match=sentence):
        read(Tree, json)
