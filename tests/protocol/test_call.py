from pharo_mcp.protocol import Call


def test_what_was_left_to_do_is_done_once_on_cancelling() -> None:
    call, done = Call("id"), list[str]()
    call.on_cancel(lambda: done.append("first"))
    call.on_cancel(lambda: done.append("second"))
    assert not call.cancelled
    assert done == []
    call.cancel()
    call.cancel()
    assert call.cancelled
    assert done == ["first", "second"]


def test_what_is_left_to_do_after_cancelling_is_done_at_once() -> None:
    call, done = Call("id"), list[str]()
    call.cancel()
    call.on_cancel(lambda: done.append("late"))
    assert done == ["late"]
