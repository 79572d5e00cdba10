import pytest

from pharo_mcp.protocol.call import Call


def test_actions_run_once_on_cancelling() -> None:
    call, done = Call("id"), list[str]()
    call.on_cancel(lambda: done.append("first"))
    call.on_cancel(lambda: done.append("second"))
    assert not call.cancelled
    assert done == []
    call.cancel()
    call.cancel()
    assert call.cancelled
    assert done == ["first", "second"]


def test_actions_added_after_cancelling_run_at_once() -> None:
    call, done = Call("id"), list[str]()
    call.cancel()
    call.on_cancel(lambda: done.append("late"))
    assert done == ["late"]


def test_if_an_action_fails_on_cancelling_the_others_run() -> None:
    def fail() -> None:
        raise RuntimeError("the image does not answer")

    call, done = Call("id"), list[str]()
    call.on_cancel(fail)
    call.on_cancel(lambda: done.append("stopped"))
    with pytest.raises(RuntimeError, match="the image does not answer"):
        call.cancel()
    assert done == ["stopped"]


def test_a_call_knows_what_is_left_of_its_time() -> None:
    now = 100.0
    call = Call("id", deadline=145.0, clock=lambda: now)
    assert call.remaining == 45.0
    now = 140.5
    assert call.remaining == 4.5
    now = 150.0
    assert call.remaining == 0.0


def test_a_call_without_a_deadline_has_all_the_time_there_is() -> None:
    assert Call("id").remaining == float("inf")


def test_reports_are_passed_on() -> None:
    told = list[object]()
    call = Call("id", lambda *report: told.append(report))
    assert call.wants_progress
    call.report(0.5, "half")
    call.report(1)
    call.report(2, total=3)
    assert told == [(0.5, "half", None), (1, None, None), (2, None, 3)]


def test_reports_without_a_token_are_dropped() -> None:
    call = Call("id")
    assert not call.wants_progress
    call.report(0.5, "half")
