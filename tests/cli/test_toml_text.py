"""One table in a TOML file is set or removed; all other text stays as it is."""

import tomllib
from string import printable

import pytest

from pharo_mcp.cli.clients.toml_text import TomlText

PATH = ("mcp_servers", "pharo")
ENTRY = {"command": "/bin/pharo-mcp", "args": ["--image", "Zoo"]}
TEXTS = {
    "empty": "",
    "no tables": 'model = "x"  # mine\n',
    "Windows line ends": 'model = "x"\r\n\r\n[mcp_servers.other]\r\ncommand = "y"\r\n',
    "other tables": '# mine\n[tui]\nx = [\n  1, # one\n]\n\n[[profiles]]\nname = "[mcp_servers.pharo]"\n',
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_table_that_was_set_and_removed_leaves_the_text_as_it_was(text: str) -> None:
    before = tomllib.loads(text)
    changed = TomlText(text).with_value(PATH, ENTRY)
    assert tomllib.loads(changed)["mcp_servers"] == {**before.get("mcp_servers", {}), "pharo": ENTRY}
    assert changed.startswith(text)
    assert TomlText(changed).without(PATH) == text


def test_a_text_without_a_last_line_end_gets_one() -> None:
    assert TomlText('model = "x"').with_value(PATH, ENTRY).startswith('model = "x"\n\n[mcp_servers.pharo]\n')


FULL = """[mcp_servers.'pharo'] # mine
command="old"   # the command
args = [ # these
  "a", # "b"]
]
startup_timeout_sec = 20

[mcp_servers.pharo.env]
A = "1"

# about the others
[mcp_servers.other]
command = 'y'
"""


def test_a_changed_value_keeps_the_comment_behind_it() -> None:
    changed = TomlText(FULL).with_value((*PATH, "command"), "new")
    assert changed == FULL.replace('"old"', '"new"')
    changed = TomlText(FULL).with_value((*PATH, "args"), [])
    assert changed == FULL.replace('[ # these\n  "a", # "b"]\n]', "[]")


def test_a_missing_value_is_added() -> None:
    text = FULL.replace('command="old"   # the command\n', "")
    assert tomllib.loads(TomlText(text).with_value((*PATH, "command"), "old")) == tomllib.loads(FULL)


def test_a_removed_table_takes_its_own_tables_with_it_and_no_others_comment() -> None:
    assert TomlText(FULL).without(PATH) == FULL[FULL.index("# about") :]


@pytest.mark.parametrize(
    "name",
    [
        "pharo",
        "my pharo",
        "phäro",
        'a"b',
        "a\\b",
        "a.b",
        "a]b",
        "#",
        "tab\there",
        "line\nend",
        printable + "\x7f",
    ],
)
def test_every_name_is_quoted_as_toml_needs_it(name: str) -> None:
    path = ("mcp_servers", name)
    changed = TomlText("").with_value(path, {"command": name, "args": [name]})
    assert tomllib.loads(changed) == {"mcp_servers": {name: {"command": name, "args": [name]}}}
    assert TomlText(changed).without(path) == ""
