"""What a client hears of a request before its answer, when it gave a token."""

from typing import Any

import pytest

from programs import PATIENCE
from server.conversation import MODERN, Conversation, request


def count(request_id: object, *numbers: float, **meta: object) -> dict[str, object]:
    arguments = {"numbers": numbers}
    return request(request_id, "tools/call", name="count", arguments=arguments, _meta=meta)


def progress(token: object, number: float, message: str | None = None) -> dict[str, object]:
    words = {} if message is None else {"message": message}
    params = {"progressToken": token, "progress": number, **words}
    return {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}


def answer_to(request_id: object, message: Any) -> bool:
    return bool(message["id"] == request_id and message["result"]["content"][0]["text"] == "counted")


@pytest.mark.parametrize("token", ["job", 7, 0, ""])
@pytest.mark.parametrize("meta", [{}, MODERN], ids=["legacy", "modern"])
def test_progress_has_its_token_and_precedes_the_answer(
    talk: Conversation, token: object, meta: dict[str, object]
) -> None:
    talk.send(count(1, 0, 0.5, 2, progressToken=token, **meta))
    assert talk.receive() == progress(token, 0, "at 0")
    assert talk.receive() == progress(token, 0.5, "at 0.5")
    assert talk.receive() == progress(token, 2, "at 2")
    assert answer_to(1, talk.receive())


@pytest.mark.parametrize(
    ("revision", "message"),
    [("2024-11-05", None), ("2025-03-26", "at 1"), ("2025-06-18", "at 1"), ("2025-11-25", "at 1")],
)
def test_progress_messages_are_sent_if_the_revision_has_them(
    opened: Conversation, revision: str, message: str | None
) -> None:
    opened.shake_hands(revision)
    opened.send(count(1, 1, progressToken="job"))
    assert opened.receive() == progress("job", 1, message)


def test_progress_that_does_not_increase_is_not_sent(talk: Conversation) -> None:
    talk.send(count(1, 3, 3, 1, 2.9, 3.1, progressToken="job"))
    assert talk.receive() == progress("job", 3, "at 3")
    assert talk.receive() == progress("job", 3.1, "at 3.1")
    assert answer_to(1, talk.receive())


def test_progress_rises_for_each_request_on_its_own(talk: Conversation) -> None:
    for token in ["one", "two"]:
        talk.send(count(token, 1, progressToken=token))
        assert talk.receive() == progress(token, 1, "at 1")
        assert answer_to(token, talk.receive())


@pytest.mark.parametrize(
    "meta",
    [{}, {"progressToken": None}, {"progressToken": True}, {"progressToken": 1.5}, {"progressToken": {}}],
)
def test_without_a_token_no_progress_is_sent(talk: Conversation, meta: dict[str, object]) -> None:
    talk.send(count(1, 1, **meta))
    assert answer_to(1, talk.receive())


@pytest.mark.parametrize("meta", [None, 7, ["progressToken"]])
def test_metadata_that_is_not_an_object_has_no_token(talk: Conversation, meta: object) -> None:
    talk.request(1, "tools/call", name="count", arguments={"numbers": [1]}, _meta=meta)
    assert answer_to(1, talk.receive())


def test_a_handler_can_ask_whether_anybody_wants_progress(talk: Conversation) -> None:
    for token, wanted in [({}, False), ({"progressToken": "job"}, True)]:
        talk.workbench.started.clear()
        talk.request(1, "tools/call", name="wait", _meta=token)
        assert talk.workbench.started.wait(PATIENCE)
        assert talk.workbench.waiting.wants_progress is wanted
        talk.workbench.released.set()
        assert talk.receive()["id"] == 1


def test_no_progress_is_sent_after_the_answer(talk: Conversation) -> None:
    talk.request(1, "tools/call", name="wait", _meta={"progressToken": "job"})
    talk.workbench.released.set()
    assert talk.receive()["id"] == 1
    talk.workbench.waiting.report(1)
    assert talk.ask("ping")["result"] == {}


def test_no_progress_is_sent_after_a_cancellation(talk: Conversation) -> None:
    talk.request(1, "tools/call", name="wait", _meta={"progressToken": "job"})
    assert talk.workbench.started.wait(PATIENCE)
    talk.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert talk.workbench.stopped.wait(PATIENCE)
    talk.workbench.waiting.report(1)
    assert talk.ask("ping")["result"] == {}


def test_a_cancelled_request_sends_no_progress_for_a_later_one_with_its_id(
    talk: Conversation,
) -> None:
    talk.request(1, "tools/call", name="wait", _meta={"progressToken": "old"})
    assert talk.workbench.started.wait(PATIENCE)
    old = talk.workbench.waiting
    talk.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert talk.workbench.stopped.wait(PATIENCE)
    talk.workbench.started.clear()
    talk.workbench.released.clear()
    talk.request(1, "tools/call", name="wait", _meta={"progressToken": "new"})
    assert talk.workbench.started.wait(PATIENCE)
    old.report(1)
    assert talk.ask("ping")["result"] == {}


def test_progress_in_a_batch_is_sent_before_the_batch_is_answered(talk: Conversation) -> None:
    talk.send([count(1, 1, progressToken="job"), request(2, "ping")])
    assert talk.receive() == progress("job", 1, "at 1")
    assert [answer["id"] for answer in talk.receive()] == [1, 2]


def test_progress_is_not_taken_for_the_first_answer() -> None:
    told: list[str] = []
    conversation = Conversation(after_first_answer=lambda: told.append("answered"))
    conversation.request(1, "tools/call", name="wait", _meta={**MODERN, "progressToken": "job"})
    assert conversation.workbench.started.wait(PATIENCE)
    conversation.workbench.waiting.report(1)
    assert conversation.receive() == progress("job", 1)
    assert told == []
    conversation.workbench.released.set()
    assert [answer["id"] for answer in conversation.rest()] == [1]
    assert told == ["answered"]
