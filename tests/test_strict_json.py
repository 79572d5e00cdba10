import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pharo_mcp.strict_json import read, write

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
