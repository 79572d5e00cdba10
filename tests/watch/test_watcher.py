"""What a watcher reports of an image."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import Timer
from typing import Any

import pytest

from image.servers import (
    STATUS,
    TOKEN,
    Answer,
    Happenings,
    Remembering,
    Reply,
    asking,
    client_at,
    failure,
    value,
)
from pharo_mcp.address import Address
from pharo_mcp.image.errors import ImageUnreachable
from pharo_mcp.image.replies.code import Change
from pharo_mcp.image.replies.image import AnsweredCall, RunningEvaluation
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
    Watcher,
)
from programs import PATIENCE

NO_REGISTRATIONS = value({"tools": [], "resources": [], "resourceTemplates": [], "prompts": []})
QUIET = {"calls": [], "running": [], "ended": [], "lastChange": 0}
SLOW = {"evaluation": "e-slow", "elapsed": 2.5, "expression": "self slow"}


def activity(number: int, **members: object) -> Answer:
    return lambda _: value({"next": number, **QUIET, **members})


def call(number: int, path: str = "/evaluate", **members: object) -> Mapping[str, object]:
    at = f"2026-11-22T10:00:{number:02}.000000+00:00"
    return {
        "call": number,
        "at": at,
        "path": path,
        "subject": "",
        "status": 200,
        "elapsed": 0.01,
        **members,
    }


def change(number: int, **members: object) -> Mapping[str, object]:
    at = f"2026-11-22T10:{number // 60:02}:{number % 60:02}.500000+00:00"
    return {
        "change": number,
        "tool": "/code/edit",
        "action": "addedMethod",
        "className": "A",
        "at": at,
        **members,
    }


@contextmanager
def watched(
    *activities: Answer, history: int = 100, happenings: Happenings | None = None, **answers: Answer
) -> Iterator[Iterator[Observation]]:
    """What a watcher observes in an image that answers so; it ends when a test waits too long."""
    common: dict[str, Answer] = {
        "activity": Remembering(*activities),
        "events": happenings or Happenings(),
        "registrations": lambda _: NO_REGISTRATIONS,
    }
    with asking(**{**common, **answers}) as client:
        watcher = Watcher(client, history)
        too_late = Timer(PATIENCE, watcher.stop)
        too_late.start()
        yield watcher.observations()
        too_late.cancel()
        watcher.stop()


def test_it_begins_with_the_image_and_what_happened_there_in_the_order_of_time() -> None:
    earlier = activity(2, calls=[call(1), call(2)], lastChange=1)
    with watched(earlier, changes=change_log(change(1))) as observations:
        first = [next(observations) for _ in range(4)]
    assert first[0] == Watched("Pharo13", "9f1c")
    assert [type(each) for each in first[1:]] == [AnsweredCall, Change, AnsweredCall]


def test_of_what_happened_before_it_reports_only_the_last() -> None:
    earlier = activity(3, calls=[call(1), call(2), call(3)])
    with watched(earlier, activity(4, calls=[call(4)]), history=1) as observations:
        numbers = [
            each.call for each in (next(observations) for _ in range(3)) if isinstance(each, AnsweredCall)
        ]
    assert numbers == [3, 4]


def test_it_asks_for_what_is_new() -> None:
    asked = Remembering(activity(3), activity(4, running=[SLOW]), activity(5, calls=[call(5)]))
    with watched(activity=asked) as observations:
        while not isinstance(next(observations), AnsweredCall):
            pass
    assert [body.get("since") for body in asked.asked[:3]] == [None, 3, 4]
    assert [body["evaluations"] for body in asked.asked[:3]] == [[], [], ["e-slow"]]


def test_what_pharo_mcp_asks_by_itself_is_reported_only_when_it_fails() -> None:
    refused = {"error": {"kind": "unauthorized", "messageText": "The token is wrong."}}
    calls = [call(1, "/status"), call(2, "/changes"), call(3, "/status", **refused), call(4, "/class")]
    with watched(activity(4, calls=calls)) as observations:
        next(observations)
        reported = [
            each.call for each in (next(observations), next(observations)) if isinstance(each, AnsweredCall)
        ]
    assert reported == [3, 4]


def test_an_evaluation_is_reported_when_it_takes_long_and_when_it_ends() -> None:
    ended = {"evaluation": "e-slow", "elapsed": 3.5, "printString": "7"}
    with watched(activity(0, running=[SLOW]), activity(0, ended=[ended])) as observations:
        reported = [next(observations) for _ in range(5)]
    slow = RunningEvaluation("e-slow", 2.5, "self slow")
    assert reported[1:3] == [Started(slow), AllRunning((slow,))]
    assert isinstance(reported[3], Ended)
    assert (reported[3].ended.print_string, reported[3].expression) == ("7", "self slow")
    assert reported[4] == AllRunning(())


def test_an_evaluation_whose_call_reports_the_end_is_reported_once() -> None:
    ended = {"evaluation": "e-slow", "elapsed": 3.5, "printString": "7"}
    at_its_end = activity(1, calls=[call(1, evaluation="e-slow", printString="7")], ended=[ended])
    with watched(
        activity(0, running=[SLOW]), at_its_end, activity(2, calls=[call(2, "/class")])
    ) as observations:
        reported = [next(observations) for _ in range(6)]
    assert [type(each) for each in reported[1:]] == [
        Started,
        AllRunning,
        AnsweredCall,
        AllRunning,
        AnsweredCall,
    ]


def test_the_end_of_an_evaluation_that_nobody_waits_for_is_reported() -> None:
    begun = activity(1, calls=[call(1, subject="self slow", evaluation="e-slow", running=True)])
    ended = {"evaluation": "e-slow", "elapsed": 0.1, "error": {"kind": "exception", "class": "ZeroDivide"}}
    with watched(activity(0), begun, activity(1, ended=[ended])) as observations:
        next(observations)
        end = next(observations)
    assert isinstance(end, Ended)
    assert end.expression == "self slow"
    assert end.ended.error is not None


def change_log(*changes: Mapping[str, object]) -> Answer:
    """A log of changes, given oldest first, of which the image answers pages, newest first."""

    def page(body: Any) -> Reply:
        first = body.get("offset", 0)
        newest_first = list(reversed(changes))[first : first + body["limit"]]
        return value({"total": len(changes), "changes": newest_first})

    return page


def test_an_undone_change_is_reported_and_one_that_is_redone() -> None:
    first, undone = change(1), change(1, undone=True)
    undo, redo = (change(number, tool="/undo", undone=True) for number in (2, 3))
    logs = [change_log(first)] * 2 + [change_log(undone, undo)] * 2 + [change_log(first, undo, redo)]
    steps = [activity(0, lastChange=number) for number in (1, 2, 3)]
    with watched(*steps, changes=Remembering(*logs)) as observations:
        reported = [next(observations) for _ in range(6)]
    assert [type(each) for each in reported[1:]] == [Change, Change, UndoState, Change, UndoState]
    assert [reported[3], reported[5]] == [UndoState(1, undone=True), UndoState(1, undone=False)]


def test_many_changes_at_once_are_all_reported() -> None:
    log = change_log(*(change(number) for number in range(1, 251)))
    with watched(activity(0), activity(0, lastChange=250), changes=log) as observations:
        next(observations)
        reported = [next(observations) for _ in range(250)]
    assert [each.change for each in reported if isinstance(each, Change)] == list(range(1, 251))


def test_changes_that_were_made_as_one_are_all_reported_in_their_order() -> None:
    parts = [change(7, selector="open"), change(7, selector="close"), change(8)]
    with watched(activity(0), activity(0, lastChange=8), changes=change_log(*parts)) as observations:
        next(observations)
        reported = [next(observations) for _ in range(3)]
    changes = [each for each in reported if isinstance(each, Change)]
    assert [(each.change, each.selector) for each in changes] == [(7, "open"), (7, "close"), (8, None)]


def test_only_the_last_of_many_earlier_changes_are_asked_for() -> None:
    asked = Remembering(change_log(*(change(number) for number in range(1, 251))))
    with watched(activity(0, lastChange=250), changes=asked, history=2) as observations:
        reported = [next(observations) for _ in range(3)]
    assert [each.change for each in reported if isinstance(each, Change)] == [249, 250]
    assert [body.get("details") for body in asked.asked] == [True, None]
    assert asked.asked[0]["limit"] == 2


def test_messages_and_progress_are_reported_at_once() -> None:
    happenings = Happenings()
    with watched(activity(0), happenings=happenings) as observations:
        next(observations)
        happenings.answer(value({"next": 3, "events": [
            {"event": 1, "kind": "class", "className": "A"},
            {"event": 2, "kind": "log", "level": "warning", "logger": "shop", "data": "Sold out"},
            {"event": 3, "kind": "progress", "evaluation": "e-slow", "progress": 1, "total": 4},
        ]}))  # fmt: skip
        assert next(observations) == Message("warning", "shop", "Sold out")
        assert next(observations) == Progressed("e-slow", 1, 4)


def test_an_image_that_does_not_answer_is_reported_once_and_found_again() -> None:
    def broken(_: Any) -> Reply:
        return failure(500, "internal", "The companion failed.")

    with watched(activity(1), broken, broken, activity(2, calls=[call(2)])) as observations:
        reported = [next(observations) for _ in range(4)]
    assert [type(each) for each in reported] == [Watched, Lost, Watched, AnsweredCall]


def test_a_restarted_image_is_watched_from_its_beginning() -> None:
    def broken(_: Any) -> Reply:
        return failure(500, "internal", "The companion failed.")

    restarted = {**STATUS, "session": "another"}
    asked = Remembering(activity(7), broken, activity(1, calls=[call(1)]))
    sessions = Remembering(*[lambda _: value(STATUS)] * 2, lambda _: value(restarted))
    with watched(activity=asked, status=sessions) as observations:
        while not isinstance(next(observations), AnsweredCall):
            pass
    assert [body.get("since") for body in asked.asked[:3]] == [None, 7, None]


def test_changes_are_reported_once_though_the_image_was_saved_meanwhile() -> None:
    def broken(_: Any) -> Reply:
        return failure(500, "internal", "The companion failed.")

    before = {**STATUS, "imageSession": "1"}
    saved = {**before, "session": "another"}
    statuses = Remembering(*[lambda _: value(before)] * 2, lambda _: value(saved))
    asked = Remembering(activity(1, lastChange=1), broken, activity(1, lastChange=2))
    log = [change(1)]
    with watched(
        activity=asked, status=statuses, changes=lambda body: change_log(*log)(body)
    ) as observations:
        reported = [next(observations) for _ in range(2)]
        log.append(change(2))
        reported += [next(observations) for _ in range(3)]
    assert [each.change for each in reported if isinstance(each, Change)] == [1, 2]


def test_without_an_image_there_is_nothing_to_watch() -> None:
    with client_at(Address(9, TOKEN)) as client, pytest.raises(ImageUnreachable):
        next(Watcher(client).observations())
