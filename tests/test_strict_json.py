import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pharo_mcp.strict_json import read, read_with_json, write, write_with_json

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


def outcome(function: Callable[[str], object] | Callable[[object], str], argument: object) -> str:
    """What a function answers, or why it does not."""
    try:
        return repr(function(argument))  # type: ignore[arg-type]
    except (ValueError, TypeError) as error:
        return str(error)


@given(NEARLY_JSON)
@example("")
@example(" 1 2")
@example("\f1")
@example(" [1, \n")
@example("1" * 4301)
def test_a_text_is_read_or_refused_as_the_module_json_does(text: str) -> None:
    assert outcome(read, text) == outcome(read_with_json, text)


@given(ANY)
def test_a_value_is_written_or_refused_as_the_module_json_does(value: object) -> None:
    written = outcome(write, value)
    if "Out of range" in written:  # how the message goes on depends on the version of Python
        assert "Out of range" in outcome(write_with_json, value)
    else:
        assert written == outcome(write_with_json, value)


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


def test_a_python_without_the_parts_in_c_uses_the_module_json() -> None:
    program = (
        "import sys; sys.modules['_json'] = sys.modules['_queue'] = None\n"
        "from pharo_mcp.strict_json import read, write\n"
        "from pharo_mcp.imports import SimpleQueue, signal\n"
        "assert signal.SIGINT and SimpleQueue().empty()\n"
        "print(write(read(' [1, 2.5, \"é\", {}] ')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ('[1,2.5,"\\u00e9",{}]\n', "")
