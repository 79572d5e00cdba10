import asyncio
import re

import pytest

from over_http.serving import ConnectionFactory, Web, as_body, call, initialize
from pharo_mcp.http import sessions
from pharo_mcp.http.requests import SessionNotFound, TooManySessions
from pharo_mcp.http.sessions import SESSION_IDLE_SECONDS, ConnectionThreads, Sessions
from pharo_mcp.http.streams import Stream
from programs import PATIENCE
from server.conversation import Workbench, request

PING = request(1, "ping")


def test_initialize_opens_a_session_with_a_valid_id(web: Web) -> None:
    reply = web.initialize()
    assert reply.json["result"]["protocolVersion"] == "2025-11-25"
    assert re.fullmatch(r"[\x21-\x7e]{32,}", web.session or "")
    assert web.post({"jsonrpc": "2.0", "method": "notifications/initialized"})[::2] == (202, b"")
    assert web.post(PING).json == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_byte_order_mark_before_a_message_is_ignored(web: Web) -> None:
    mark = b"\xef\xbb\xbf"
    opened = web.ask("POST", mark + as_body(initialize()))
    web.session = opened.headers["mcp-session-id"]
    assert web.ask("POST", mark + as_body(PING)).json == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_request_without_a_session_is_rejected(web: Web) -> None:
    reply = web.post(PING)
    assert (reply.status, reply.json["id"], reply.json["error"]["code"]) == (400, 1, -32600)
    assert "Mcp-Session-Id is missing" in reply.json["error"]["data"]["details"]
    assert web.ask("GET").status == web.ask("DELETE").status == 400


def test_an_unknown_session_is_not_found(web: Web) -> None:
    web.session = "made-up"
    assert web.post(PING).status == web.ask("GET").status == web.ask("DELETE").status == 404


def test_an_ended_session_is_not_found(session: Web) -> None:
    assert session.ask("DELETE")[::2] == (204, b"")
    assert session.post(PING).status == session.ask("DELETE").status == 404


def test_ending_a_session_stops_its_requests_and_streams(session: Web, workbench: Workbench) -> None:
    with session.begin_call("slow", "wait") as response, session.begin("GET") as listening:
        assert workbench.started.wait(PATIENCE)
        session.ask("DELETE")
        assert workbench.stopped.wait(PATIENCE)
        assert response.next_event() is None
        assert listening.next_event() is None


def test_a_failed_initialize_opens_no_session(web: Web) -> None:
    reply = web.post(request(1, "initialize"))
    assert (reply.status, reply.json["error"]["code"]) == (200, -32602)
    assert "mcp-session-id" not in reply.headers


def test_sessions_are_independent(url: str, workbench: Workbench) -> None:
    first, second = Web(url), Web(url)
    first.initialize()
    second.initialize("2024-11-05")
    assert first.session != second.session
    with first.begin_call(1, "wait") as response:
        assert workbench.started.wait(PATIENCE)
        second.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        assert second.post(call(1, "echo", text="hi")).json["result"]["content"][0]["text"] == "hi"
        workbench.released.set()
        assert response.next_event()["result"]["content"][0]["text"] == "released"


def test_an_id_in_use_is_rejected(session: Web, workbench: Workbench) -> None:
    with session.begin_call(1, "wait") as response:
        assert workbench.started.wait(PATIENCE)
        reply = session.post(PING)
        assert (reply.status, reply.json["error"]["code"]) == (400, -32600)
        workbench.released.set()
        assert response.next_event()["id"] == 1


def test_a_cancelled_request_is_never_answered(session: Web, workbench: Workbench) -> None:
    with session.begin_call(1, "wait") as response:
        assert workbench.started.wait(PATIENCE)
        session.post({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        assert response.next_event() is None
        assert workbench.stopped.wait(PATIENCE)


def test_a_disconnect_does_not_cancel_a_request(session: Web, workbench: Workbench) -> None:
    response = session.begin_call(1, "wait")
    assert workbench.started.wait(PATIENCE)
    response.disconnect()
    assert session.post(PING | {"id": 2}).json["result"] == {}
    assert not workbench.stopped.is_set()
    workbench.released.set()


def test_an_error_response_has_status_200(session: Web) -> None:
    """Clients of these revisions ignore the body of a response with another status."""
    for message, code in ((request(1, "unknown"), -32601), (call(1, "unknown"), -32602)):
        reply = session.post(message)
        assert (reply.status, reply.json["error"]["code"]) == (200, code)


def test_a_batch_gets_one_response(session: Web) -> None:
    batch = [PING, call(2, "echo", text="hi"), {"jsonrpc": "2.0", "method": "notifications/x"}, 7]
    answers = session.post(batch).json
    assert [answer["id"] for answer in answers] == [1, 2, None]


def test_a_batch_of_notifications_is_accepted(session: Web) -> None:
    assert session.post([{"jsonrpc": "2.0", "method": "notifications/x"}] * 2).status == 202


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_revision_header_is_optional(web: Web, revision: str) -> None:
    assert web.initialize(revision).json["result"]["protocolVersion"] == revision
    assert web.post(PING, MCP_Protocol_Version=revision).status == 200
    assert web.post(PING).status == 200


def test_an_unsupported_revision_is_rejected(session: Web) -> None:
    assert session.ask("GET", MCP_Protocol_Version="1999-01-01").status == 400
    assert session.post(PING, MCP_Protocol_Version="1999-01-01").status == 400


def test_a_modern_request_ignores_the_session(session: Web) -> None:
    reply = session.post_modern(request(5, "tools/list"))
    assert reply.json["result"]["resultType"] == "complete"


def test_a_new_session_replaces_the_longest_idle_one(url: str) -> None:
    clients = [Web(url) for _ in range(sessions.MAX_SESSIONS + 1)]
    for client in clients[:-1]:
        client.initialize()
    assert clients[0].post(PING).status == 200
    with clients[1].begin("GET"):
        clients[-1].initialize()
        assert clients[0].post(PING).status == 200
        assert clients[1].post(PING).status == 200
        assert clients[2].post(PING).status == 404


class Clock:
    """A clock that the test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_an_idle_session_ends(factory: ConnectionFactory) -> None:
    async def scenario() -> None:
        clock = Clock()
        threads = ConnectionThreads(factory.connect)
        open_sessions = Sessions(threads, clock)
        idle, listening = open_sessions.open(), open_sessions.open()
        listening.transport.listen(Stream())
        clock.now = SESSION_IDLE_SECONDS
        open_sessions.end_idle()
        assert open_sessions.find(idle.id) is idle
        clock.now += 1
        open_sessions.end_idle()
        assert open_sessions.find(listening.id) is listening
        with pytest.raises(SessionNotFound):
            open_sessions.find(idle.id)
        threads.stop_all()
        threads.join_all()
        with pytest.raises(SessionNotFound):
            open_sessions.find(listening.id)

    asyncio.run(scenario())


def test_sessions_in_use_are_not_replaced(factory: ConnectionFactory) -> None:
    async def scenario() -> None:
        threads = ConnectionThreads(factory.connect)
        open_sessions = Sessions(threads)
        for _ in range(sessions.MAX_SESSIONS):
            open_sessions.open().transport.listen(Stream())
        with pytest.raises(TooManySessions):
            open_sessions.open()
        threads.stop_all()

    asyncio.run(scenario())
