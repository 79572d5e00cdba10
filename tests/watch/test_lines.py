"""Observations as lines and as JSON."""

import json
import re

import pytest

from pharo_mcp.image.replies.code import Change
from pharo_mcp.image.replies.image import AnsweredCall, CallError, EndedEvaluation, RunningEvaluation
from pharo_mcp.watch.watcher import (
    AllRunning,
    Ended,
    Lost,
    Message,
    Observation,
    Progressed,
    Started,
    UndoState,
    Watched,
    as_json,
    lines_of,
)

TIME = re.compile(r"\d\d:\d\d:\d\d ")
AT = "2026-11-22T10:11:12.345678+00:00"
SLOW = RunningEvaluation("e-1", 2.5, "self slow")
CALL = AnsweredCall(7, AT, "/evaluate", "3 + 4", 200, 0.014, print_string="7")
FAILED = CALL._replace(print_string=None, error=CallError("exception", "No such order\nin the shop", "Error"))
CHANGE = Change(
    3,
    "/code/edit",
    "changed method",
    AT,
    "Disc",
    "class",
    "new",
    before="new\n\t^ 3",
    after="new\n\t^ 4",
)
MOVED = CHANGE._replace(after=CHANGE.before, protocol_before="making", protocol_after="creating")
CASES: list[tuple[Observation, list[str]]] = [
    (
        Watched("shop", "9f1c", "Pharo 13.0", "/shop.image", read_only=True),
        ["watching shop, Pharo 13.0, /shop.image, read-only"],
    ),
    (Lost("It is gone.\nStart it again."), ["lost the image: It is gone. ..."]),
    (CALL, ["evaluate 3 + 4 -> 7 (0.01 s)"]),
    (
        FAILED,
        ["evaluate 3 + 4 !! Error: No such order ... (0.01 s)", "    in the shop"],
    ),
    (CALL._replace(path="/zork", print_string=None), ["zork 3 + 4 (0.01 s)"]),
    (Started(SLOW), ["running e-1: self slow"]),
    (AllRunning((SLOW,)), []),
    (Progressed("e-1", 3, 10, "packing"), ["progress of e-1: 3 of 10 packing"]),
    (Progressed("e-1", 0.5), ["progress of e-1: 0.5"]),
    (Ended(EndedEvaluation("e-1", 3.5, "7"), "self slow"), ["ended e-1: self slow -> 7 (3.50 s)"]),
    (
        CHANGE,
        [
            "change 3 by code edit: changed method Disc class>>new",
            "      new",
            "    - \t^ 3",
            "    + \t^ 4",
        ],
    ),
    (
        MOVED._replace(undone=True),
        [
            "change 3 by code edit: changed method Disc class>>new (undone)",
            "    - protocol: making",
            "    + protocol: creating",
        ],
    ),
    (UndoState(3, undone=True), ["change 3 is undone"]),
    (UndoState(3, undone=False), ["change 3 is no longer undone"]),
    (Message("info", "shop", "Sold out"), ["info from shop: Sold out"]),
]


@pytest.mark.parametrize(("observation", "expected"), CASES, ids=lambda value: type(value).__name__)
def test_an_observation_as_lines(observation: Observation, expected: list[str]) -> None:
    assert [TIME.sub("", line) for line in lines_of(observation)] == expected
    assert all(TIME.match(line) for line in list(lines_of(observation))[:1])


def test_a_line_of_a_call_has_the_time_of_the_image() -> None:
    assert next(lines_of(CALL)).startswith("10:11:12 ")


@pytest.mark.parametrize("observation", [case for case, _ in CASES], ids=lambda value: type(value).__name__)
def test_an_observation_as_json_has_its_kind(observation: Observation) -> None:
    members = as_json(observation)
    if isinstance(observation, AllRunning):
        assert members is None
    else:
        assert isinstance(json.loads(json.dumps(members))["event"], str)


def test_the_members_of_a_call_and_of_a_change_in_json() -> None:
    failed, changed = as_json(FAILED), as_json(CHANGE)
    assert failed is not None
    assert changed is not None
    assert (failed["event"], failed["path"], failed["subject"]) == ("call", "/evaluate", "3 + 4")
    assert failed["error"] == {
        "kind": "exception",
        "messageText": "No such order\nin the shop",
        "class": "Error",
    }
    assert (changed["event"], changed["change"], changed["before"]) == ("change", 3, "new\n\t^ 3")
    assert as_json(Message("info", "shop", {"sold": 3})) == {
        "event": "message",
        "level": "info",
        "logger": "shop",
        "data": {"sold": 3},
    }
