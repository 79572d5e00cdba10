import pytest

from pharo_mcp.protocol.revisions import LEGACY_REVISIONS
from pharo_mcp.server.connection import BATCH_BYTES
from pharo_mcp.wire.jsonrpc import BATCH_LIMIT
from programs import PATIENCE
from server.conversation import MODERN, Conversation, request

PING = request("ping", "ping")
NOTE = {"jsonrpc": "2.0", "method": "notifications/unknown"}


@pytest.mark.parametrize("revision", LEGACY_REVISIONS)
def test_a_batch_is_answered_in_one_array_in_every_legacy_revision(
    opened: Conversation, revision: str
) -> None:
    opened.shake_hands(revision)
    opened.send([PING, NOTE, request(2, "unknown")])
    assert opened.receive() == [
        {"jsonrpc": "2.0", "id": "ping", "result": {}},
        {"jsonrpc": "2.0", "id": 2, "error": {"code": -32601, "message": "Method not found: unknown"}},
    ]


def test_a_batch_is_answered_when_its_slowest_request_is_and_in_its_own_order(talk: Conversation) -> None:
    call = {"name": "echo", "arguments": {"text": "here"}}
    talk.send([request(1, "tools/call", name="wait"), PING, request(3, "tools/call", **call)])
    assert talk.workbench.started.wait(PATIENCE)
    assert talk.ask("ping")["result"] == {}
    talk.workbench.released.set()
    assert [answer["id"] for answer in talk.receive()] == [1, "ping", 3]


def test_invalid_messages_of_a_batch_are_refused_one_by_one(talk: Conversation) -> None:
    talk.send([1, PING, []])
    codes = [answer.get("error", {}).get("code") for answer in talk.receive()]
    assert codes == [-32600, None, -32600]


def test_a_batch_of_notifications_gets_no_answer(talk: Conversation) -> None:
    talk.send([NOTE, NOTE])
    assert talk.ask("ping")["result"] == {}


def test_initialize_in_a_batch_is_refused_and_negotiates_nothing(opened: Conversation) -> None:
    opened.send([request(1, "initialize", protocolVersion="2025-03-26"), request(2, "tools/list")])
    assert [answer["error"]["code"] for answer in opened.receive()] == [-32600, -32600]


def test_the_modern_era_has_no_batches(opened: Conversation) -> None:
    opened.send([request(1, "tools/list", _meta=MODERN)])
    [answer] = opened.receive()
    assert answer["error"]["code"] == -32600


def test_a_request_cancelled_in_its_batch_is_left_out_of_the_answer(talk: Conversation) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    talk.send([request(1, "tools/call", name="wait"), PING, cancel])
    assert [answer["id"] for answer in talk.receive()] == ["ping"]


def test_a_batch_whose_only_request_is_cancelled_gets_no_answer(talk: Conversation) -> None:
    talk.send([request(1, "tools/call", name="wait")])
    talk.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    assert talk.rest() == []


def test_a_batch_of_a_thousand_is_answered(talk: Conversation) -> None:
    talk.send([request(number, "ping") for number in range(BATCH_LIMIT)])
    assert [answer["id"] for answer in talk.receive()] == list(range(BATCH_LIMIT))


def test_a_longer_batch_is_refused_as_a_whole(talk: Conversation) -> None:
    talk.send([1] * (BATCH_LIMIT + 1))
    error = talk.receive()["error"]
    assert (error["code"], error["data"]) == (
        -32600,
        {"details": f"a batch must not have more than {BATCH_LIMIT} messages"},
    )


def test_answers_that_do_not_fit_into_that_to_a_batch_are_left_out(talk: Conversation) -> None:
    call = {"name": "echo", "arguments": {"text": "x" * (BATCH_BYTES // 2)}}
    talk.send([request(number, "tools/call", **call) for number in range(2)] + [PING])
    *echoed, pong = talk.receive()
    assert sorted("error" in answer for answer in echoed) == [False, True]
    assert pong["result"] == {}
