import threading
from base64 import b64encode

import pytest

from over_http.serving import META, MODERN, Web, as_body, call, modern_headers
from server.conversation import Workbench, request

ECHO = call(1, "echo", text="hi")
LIST = request(1, "tools/list", _meta=META)
VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"


def test_a_request_needs_no_session_and_gets_none(web: Web) -> None:
    reply = web.post_modern(ECHO)
    assert reply.said["result"]["resultType"] == "complete"
    assert "mcp-session-id" not in reply.headers
    assert web.post_modern(request(1, "server/discover")).said["result"]["supportedVersions"] == [MODERN]


@pytest.mark.parametrize(
    "wrong",
    [
        {"MCP_Protocol_Version": None},
        {"MCP_Protocol_Version": "2025-11-25"},
        {"Mcp_Method": None},
        {"Mcp_Method": "tools/list"},
        {"Mcp_Method": "TOOLS/CALL"},
        {"Mcp_Name": None},
        {"Mcp_Name": "wait"},
        {"Mcp_Name": "=?base64?!!!?="},
        {"Mcp_Name": "=?base64?/w==?="},
    ],
)
def test_headers_that_say_other_than_the_body_are_refused(web: Web, wrong: dict[str, str | None]) -> None:
    body = as_body({**ECHO, "params": {**ECHO["params"], "_meta": META}})
    reply = web.ask("POST", body, **{**modern_headers(ECHO), **wrong})
    assert (reply.status, reply.said["id"], reply.said["error"]["code"]) == (400, 1, -32020)


def test_a_header_may_say_in_base64_what_it_cannot_hold(web: Web) -> None:
    wrapped = f"=?base64?{b64encode('höhe'.encode()).decode()}?="
    unknown = {**call(1, "höhe"), "params": {"name": "höhe", "_meta": META}}
    reply = web.ask("POST", as_body(unknown), **{**modern_headers(ECHO), "Mcp_Name": wrapped})
    assert reply.said["error"]["code"] == -32602


def test_names_are_read_from_uris_too(web: Web) -> None:
    assert web.post_modern(request(1, "resources/read", uri="pharo://class/Fixed")).status == 200
    missing = web.post_modern(request(1, "resources/read", uri="pharo://class/Missing"))
    assert (missing.status, missing.said["error"]["code"]) == (400, -32602)


@pytest.mark.parametrize("missing", [VERSION, CAPABILITIES])
def test_a_request_must_say_its_revision_and_capabilities(web: Web, missing: str) -> None:
    meta = {key: value for key, value in META.items() if key != missing}
    reply = web.ask("POST", as_body(request(1, "tools/list", _meta=meta)), **modern_headers(LIST))
    assert (reply.status, reply.said["id"], reply.said["error"]["code"]) == (400, 1, -32602)


def test_a_request_must_say_it_in_a_meta(web: Web) -> None:
    reply = web.ask("POST", as_body(request(1, "tools/list")), **modern_headers(LIST))
    assert (reply.status, reply.said["error"]["code"]) == (400, -32602)


def test_a_revision_that_is_not_served_is_named_with_those_that_are(web: Web) -> None:
    headers = {**modern_headers(LIST), "MCP_Protocol_Version": "v999"}
    reply = web.ask("POST", as_body(request(1, "tools/list", _meta={**META, VERSION: "v999"})), **headers)
    assert (reply.status, reply.said["error"]["code"]) == (400, -32022)
    assert reply.said["error"]["data"] == {"supported": [MODERN], "requested": "v999"}


@pytest.mark.parametrize("method", ["initialize", "ping", "logging/setLevel", "unknown/method"])
def test_methods_that_the_era_does_not_have_are_not_found(web: Web, method: str) -> None:
    reply = web.post_modern(request(1, method))
    assert (reply.status, reply.said["error"]["code"]) == (404, -32601)


def test_a_notification_is_taken_and_a_batch_is_not(web: Web) -> None:
    notification = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    assert web.post(notification, MCP_Protocol_Version=MODERN).status == 202
    assert web.post([LIST, LIST], MCP_Protocol_Version=MODERN).status == 400


def test_there_is_nothing_but_post(web: Web) -> None:
    for method in ("GET", "DELETE"):
        reply = web.ask(method, MCP_Protocol_Version=MODERN)
        assert (reply.status, reply.headers["allow"]) == (405, "POST")


def test_a_tool_that_fails_is_an_answer_like_another(web: Web) -> None:
    reply = web.post_modern(call(1, "fail"))
    assert reply.status == 200
    assert reply.said["result"]["isError"]


def test_requests_of_the_same_id_are_of_different_clients(web: Web, workbench: Workbench) -> None:
    with web.begin_modern(call(1, "wait")) as answering:
        assert workbench.started.wait(10)
        assert web.post_modern(ECHO).said["id"] == 1
        workbench.released.set()
        assert answering.next_event()["result"]["content"][0]["text"] == "released"


def test_a_client_that_hung_up_has_cancelled(web: Web, workbench: Workbench) -> None:
    answering = web.begin_modern(call(1, "wait"))
    assert workbench.started.wait(10)
    answering.hang_up()
    assert workbench.stopped.wait(10)


def test_what_is_answered_leaves_no_thread_behind(web: Web) -> None:
    before = set(threading.enumerate())
    for _ in range(20):
        assert web.post_modern(ECHO).status == 200
    for thread in set(threading.enumerate()) - before:
        thread.join(10)
        assert not thread.is_alive()
