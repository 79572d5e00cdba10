"""JSON text to values, values to named tuples, and back."""

import json
from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pharo_mcp.strict_json import ShapeMismatch, read, read_shape, write, write_shape

ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
NEARLY_JSON = st.lists(
    st.sampled_from(
        [
            *'{}[]:,"\\ \t\n\r\0-',
            "true",
            "nul",
            "NaN",
            "-Infinity",
            "1",
            "-0",
            "01",
            "1e400",
            "1.5",
            "\\ud800",
            "é",
        ]
    )
).map("".join)


@given(NEARLY_JSON)
@example("")
@example(" 1 2")
@example("\f1")
@example(" [1, \n")
def test_a_text_is_read_as_json_reads_it_or_refused(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(ValueError):
            read(text)
        return
    if "NaN" in text or "Infinity" in text or "1e400" in text:
        with pytest.raises(ValueError):
            read(text)
    else:
        assert read(text) == expected


def test_an_integer_has_at_most_4300_digits() -> None:
    assert read("1" * 100) == int("1" * 100)
    with pytest.raises(ValueError, match="4300 digits"):
        read("1" * 4301)


@given(ANY)
def test_a_value_is_written_as_json_or_refused(value: object) -> None:
    try:
        written = write(value)
    except (TypeError, ValueError):
        with pytest.raises((TypeError, ValueError)):
            json.dumps(value, allow_nan=False)
    else:
        assert json.loads(written) == json.loads(json.dumps(value))


PIECES = st.sampled_from(["\ud83d", "\ude00", "\U0001f600", "\\", "\\ud800", '"', "\n", "é", "x"])


@given(st.lists(PIECES).map("".join))
def test_what_is_written_is_valid_unicode(text: str) -> None:
    written = write({text: [text]})
    valid = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert written.isascii()
    assert json.loads(written) == {valid: [valid]}


def test_what_is_nested_without_an_end_is_refused() -> None:
    endless: list[object] = []
    endless.append(endless)
    with pytest.raises(RecursionError):
        write(endless)
    with pytest.raises(RecursionError):
        read("[" * 100_000)


def test_what_was_refused_can_be_written_later() -> None:
    value = [object()]
    with pytest.raises(TypeError):
        write(value)
    value[0] = "now it can"
    assert write(value) == '["now it can"]'


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
    assert read_shape(Tree, JSON) == TREE
    assert write_shape(TREE) == JSON


def test_a_default_may_be_missing_and_an_unknown_key_is_left_out() -> None:
    assert read_shape(Tree, {"treeHeight": 3, "class": None, "leaves": [], "more": 1}) == Tree(3, None, ())
    assert write_shape(Tree(3, None, ())) == {"treeHeight": 3, "leaves": [], "tags": []}


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
        read_shape(Tree, json)
