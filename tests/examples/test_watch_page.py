"""What docs/watch.md says of keys, events and numbers is what `pharo-mcp watch` has."""

import re

from textual.binding import Binding

from examples.pages import ROOT
from pharo_mcp.cli.call import HISTORY
from pharo_mcp.image.replies.code import Change
from pharo_mcp.image.replies.image import AnsweredCall, RunningEvaluation
from pharo_mcp.watch.application import WatchApplication
from pharo_mcp.watch.watcher import KINDS, Observation, Started, UndoState, as_json

PAGE = (ROOT / "docs" / "watch.md").read_text("utf-8")


def rows(heading: str) -> dict[str, str]:
    """The second column of a table by the first, by the table's heading."""
    table = PAGE.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return dict(re.findall(r"^\| (`.+) \| (.+) \|$", table, re.M))


def code(text: str) -> set[str]:
    """The code in a text."""
    return set(re.findall(r"`([^`]+)`", text))


def test_each_key_is_in_the_table_or_named_beside_another() -> None:
    keys = {binding.key for binding in WatchApplication.BINDINGS if isinstance(binding, Binding)}
    shown = {key for row in rows("key").items() for text in row for key in code(text)}
    assert {key.lower() if len(key) > 1 else key for key in shown} == keys | {"escape"}


def test_each_event_is_in_the_table() -> None:
    assert {event for names in rows("event") for event in code(names)} == set(KINDS.values())


def test_an_event_has_the_members_that_the_table_names() -> None:
    call = AnsweredCall(1, "", "/evaluate", "3 + 4", 200, 0.1, print_string="7")
    change = Change(1, "edit_code", "addedClass", "", "Zoo", before="a", after="b")
    events: dict[str, Observation] = {
        "call": call,
        "started": Started(RunningEvaluation("e-1", 1.0, "3 + 4")),
        "change": change,
        "undo": UndoState(1, undone=True),
    }
    for names, meaning in rows("event").items():
        for name in code(names) & events.keys():
            named = code(meaning) - set(KINDS.values()) - {"error"}
            assert named <= (as_json(events[name]) or {}).keys()


def test_the_numbers_are_those_of_the_program_and_the_companion() -> None:
    assert HISTORY == 10
    assert "the last ten calls and changes" in PAGE
    log = (ROOT / "pharo" / "PharoMcp-Events" / "PmcLog.class.st").read_text("utf-8")
    [kept] = re.findall(r"its last (\d+) calls", PAGE)
    assert re.search(rf"^\t\^ {kept}$", log, re.M)
