import asyncio
import re

import pytest

from over_http.serving import Bench, Web, call
from pharo_mcp.http import sessions
from pharo_mcp.http.conversations import Conversations
from pharo_mcp.http.refusals import NoSession, TooManySessions
from pharo_mcp.http.sessions import Sessions
from pharo_mcp.http.streams import Stream
from server.conversation import Workbench, request

PING = request(1, "ping")


def test_a_handshake_opens_a_session_whose_id_fits_in_a_header(web: Web) -> None:
    reply = web.shake_hands()
    assert reply.said["result"]["protocolVersion"] == "2025-11-25"
    assert re.fullmatch(r"[\x21-\x7e]{32,}", web.session or "")
    assert web.post({"jsonrpc": "2.0", "method": "notifications/initialized"})[::2] == (202, b"")
    assert web.post(PING).said == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_request_of_no_session_is_told_to_begin_one(web: Web) -> None:
    reply = web.post(PING)
    assert (reply.status, reply.said["id"], reply.said["error"]["code"]) == (400, 1, -32600)
    assert web.ask("GET").status == web.ask("DELETE").status == 400


def test_a_session_that_never_was_is_not_found(web: Web) -> None:
    web.session = "made-up"
    assert web.post(PING).status == web.ask("GET").status == web.ask("DELETE").status == 404


def test_a_session_that_its_client_ended_is_not_found(talk: Web) -> None:
    assert talk.ask("DELETE")[::2] == (204, b"")
    assert talk.post(PING).status == talk.ask("DELETE").status == 404


def test_ending_a_session_stops_its_work_and_its_answers(talk: Web, workbench: Workbench) -> None:
    with talk.begin_call("slow", "wait") as answering, talk.begin("GET") as listening:
        assert workbench.started.wait(10)
        talk.ask("DELETE")
        assert workbench.stopped.wait(10)
        assert answering.next_event() is None
        assert listening.next_event() is None


def test_a_handshake_that_fails_opens_no_session(web: Web) -> None:
    reply = web.post(request(1, "initialize"))
    assert (reply.status, reply.said["error"]["code"]) == (200, -32602)
    assert "mcp-session-id" not in reply.headers


def test_clients_do_not_hear_each_other(url: str, workbench: Workbench) -> None:
    first, second = Web(url), Web(url)
    first.shake_hands()
    second.shake_hands("2024-11-05")
    assert first.session != second.session
    with first.begin_call(1, "wait") as answering:
        assert workbench.started.wait(10)
        second.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        assert second.post(call(1, "echo", text="hi")).said["result"]["content"][0]["text"] == "hi"
        workbench.released.set()
        assert answering.next_event()["result"]["content"][0]["text"] == "released"


def test_an_id_that_still_waits_for_its_answer_is_refused(talk: Web, workbench: Workbench) -> None:
    with talk.begin_call(1, "wait") as answering:
        assert workbench.started.wait(10)
        refused = talk.post(PING)
        assert (refused.status, refused.said["error"]["code"]) == (400, -32600)
        workbench.released.set()
        assert answering.next_event()["id"] == 1


def test_a_cancelled_request_is_never_answered(talk: Web, workbench: Workbench) -> None:
    with talk.begin_call(1, "wait") as answering:
        assert workbench.started.wait(10)
        talk.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        assert answering.next_event() is None
        assert workbench.stopped.wait(10)


def test_a_client_that_hung_up_has_not_cancelled(talk: Web, workbench: Workbench) -> None:
    answering = talk.begin_call(1, "wait")
    assert workbench.started.wait(10)
    answering.hang_up()
    assert talk.post(PING | {"id": 2}).said["result"] == {}
    assert not workbench.stopped.is_set()
    workbench.released.set()


def test_an_error_is_an_answer_like_another(talk: Web) -> None:
    """Clients of these revisions read no body of an answer with another status."""
    for message, code in ((request(1, "unknown"), -32601), (call(1, "unknown"), -32602)):
        reply = talk.post(message)
        assert (reply.status, reply.said["error"]["code"]) == (200, code)


def test_a_batch_is_answered_as_one(talk: Web) -> None:
    batch = [PING, call(2, "echo", text="hi"), {"jsonrpc": "2.0", "method": "notifications/x"}, 7]
    answers = talk.post(batch).said
    assert [answer["id"] for answer in answers] == [1, 2, None]


def test_a_batch_of_notifications_is_taken(talk: Web) -> None:
    assert talk.post([{"jsonrpc": "2.0", "method": "notifications/x"}] * 2).status == 202


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_legacy_revisions_name_themselves_in_a_header_or_do_not(web: Web, revision: str) -> None:
    assert web.shake_hands(revision).said["result"]["protocolVersion"] == revision
    assert web.post(PING, MCP_Protocol_Version=revision).status == 200
    assert web.post(PING).status == 200


def test_a_revision_that_has_no_sessions_is_refused(talk: Web) -> None:
    assert talk.ask("GET", MCP_Protocol_Version="1999-01-01").status == 400
    assert talk.post(PING, MCP_Protocol_Version="1999-01-01").status == 400


def test_a_modern_request_needs_no_session_even_in_one(talk: Web) -> None:
    reply = talk.post_modern(request(5, "tools/list"))
    assert reply.said["result"]["resultType"] == "complete"


def test_the_session_that_was_quiet_for_longest_makes_room(url: str) -> None:
    clients = [Web(url) for _ in range(sessions.MOST_SESSIONS + 1)]
    for client in clients[:-1]:
        client.shake_hands()
    assert clients[0].post(PING).status == 200
    with clients[1].begin("GET"):
        clients[-1].shake_hands()
        assert clients[0].post(PING).status == 200
        assert clients[1].post(PING).status == 200
        assert clients[2].post(PING).status == 404


class Clock:
    """Time that stands still until it is told otherwise."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_session_ends_when_nobody_used_it_for_long(bench: Bench) -> None:
    async def story() -> None:
        clock = Clock()
        conversations = Conversations(bench.connect)
        kept = Sessions(conversations, clock)
        idle, listening = kept.open(), kept.open()
        listening.transport.listen(Stream())
        clock.now = sessions.IDLE_SECONDS
        kept.end_idle()
        assert kept.find(idle.id) is idle
        clock.now += 1
        kept.end_idle()
        assert kept.find(listening.id) is listening
        with pytest.raises(NoSession):
            kept.find(idle.id)
        conversations.end_all()
        conversations.join_all()
        with pytest.raises(NoSession):
            kept.find(listening.id)

    asyncio.run(story())


def test_no_session_that_is_used_makes_room(bench: Bench) -> None:
    async def story() -> None:
        conversations = Conversations(bench.connect)
        kept = Sessions(conversations)
        for _ in range(sessions.MOST_SESSIONS):
            kept.open().transport.listen(Stream())
        with pytest.raises(TooManySessions):
            kept.open()
        conversations.end_all()

    asyncio.run(story())
