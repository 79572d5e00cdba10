"""One value in a JSON file is set or removed; all other text stays as it is."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharo_mcp.cli.clients.json_text import JsonText

PATH = ("servers", "pharo")
ENTRY = {"command": "/bin/pharo-mcp", "args": ["--image", "Zoo"]}
TEXTS = {
    "one line": '{"servers": {"x": 1}, "b": 2}',
    "no space at all": '{"b":[1,2],"servers":{}}',
    "tabs": '{\n\t"theme": "dark",\n\t"servers": {\n\t\t"x": {"command": "y"}\n\t}\n}\n',
    "Windows line ends": '{\r\n    "servers": {\r\n        "x": 1\r\n    }\r\n}\r\n',
    "comments": '// mine\n{\n  "servers": {\n    "x": 1 // not "y": {\n    /* last, */\n  }\n}\n',
    "trailing commas": '{\n  "servers": {\n    "x": ["a", /* b */], // one\n  },\n}\n',
    "commas and braces in texts": '{\n  "a,}": ",]//",\n  "servers": {\n    "x": "/* \\"} "\n  }\n}\n',
    "values beside each other": '{\n  "a": [1], "servers": {"x": 1},\n  "b": 2}',
    "the same name twice": '{\n  "servers": 1,\n  "servers": {\n    "x": 1\n  }\n}\n',
}


def read(text: str) -> dict[str, dict[str, object]]:
    content = JsonText(text, comments=True).content()
    assert isinstance(content, dict)
    return content


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_value_that_was_set_and_removed_leaves_the_text_as_it_was(text: str) -> None:
    before = read(text)
    changed = JsonText(text, comments=True).with_value(PATH, ENTRY)
    assert read(changed) == {**before, "servers": {**before["servers"], "pharo": ENTRY}}
    assert JsonText(changed, comments=True).without(PATH) == text


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_changed_value_changes_nothing_else(text: str) -> None:
    added = JsonText(text, comments=True).with_value(PATH, ENTRY)
    changed = JsonText(added, comments=True).with_value((*PATH, "args"), ["--read-only"])
    assert read(changed)["servers"]["pharo"] == {**ENTRY, "args": ["--read-only"]}
    restored = JsonText(changed, comments=True).with_value((*PATH, "args"), ENTRY["args"])
    assert restored == added


@pytest.mark.parametrize("text", ["", " \n", "{}", "{ }", "{\n}", '{"theme": "dark"}', "{\n  // none yet\n}"])
def test_missing_objects_are_added(text: str) -> None:
    changed = JsonText(text, comments=True).with_value(PATH, ENTRY)
    assert read(changed) == {**read(text), "servers": {"pharo": ENTRY}}
    assert [line for line in text.splitlines() if "//" in line and line not in changed] == []


@pytest.mark.parametrize("name", ["x", "y", "z"])
def test_a_removed_member_takes_its_own_line_with_it(name: str) -> None:
    lines = ["{", '  "servers": {', '    "x": 1,', '    "y": 2,', '    "z": 3', "  }", "}"]
    changed = JsonText("\n".join(lines)).without(("servers", name))
    kept = [line for line in lines if f'"{name}"' not in line]
    assert [line.rstrip(",") for line in changed.splitlines()] == [line.rstrip(",") for line in kept]
    assert json.loads(changed)["servers"].keys() == {"x", "y", "z"} - {name}


def test_a_comment_about_a_member_stays_with_it() -> None:
    text = '{\n  "servers": {\n    "x": 1 // about x\n    // more about x\n  }\n}'
    changed = JsonText(text, comments=True).with_value(PATH, 2)
    assert '    "x": 1, // about x\n    "pharo": 2\n    // more about x\n' in changed


def test_comments_are_refused_unless_they_are_allowed() -> None:
    with pytest.raises(json.JSONDecodeError):
        JsonText("{} // mine").content()


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FILES = st.fixed_dictionaries(
    {"servers": st.dictionaries(st.text(), VALUES, min_size=1, max_size=3)}, optional={"theme": VALUES}
)


@given(FILES, st.text(min_size=1), VALUES, st.sampled_from([None, 0, 1, 4, "\t"]), st.booleans())
def test_any_file_keeps_all_but_what_is_set(
    content: dict[str, dict[str, object]], name: str, value: object, indent: int | None, escaped: bool
) -> None:
    content["servers"].pop(name, None)
    text = json.dumps(content, indent=indent, ensure_ascii=escaped)
    changed = JsonText(text, comments=True).with_value(("servers", name), value)
    assert read(changed) == {**content, "servers": {**content["servers"], name: value}}
    restored = JsonText(changed, comments=True).without(("servers", name))
    assert restored == text if content["servers"] else read(restored) == content
