import socket

import pytest

from over_http.serving import PATIENCE, TOKEN, Web, call
from pharo_mcp.http.exchange import BODY_LIMIT
from server.conversation import request

HEAD = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
KIND = "Content-Type: application/json\r\n"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"not json", -32700),
        (b'{"jsonrpc": "2.0", "id": "\xff"}', -32700),
        (b"[" * 100_000, -32700),
        (b"42", -32600),
        (b"[]", -32600),
        (b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32602),
    ],
)
def test_what_is_no_message_is_refused_with_its_code(talk: Web, body: bytes, code: int) -> None:
    reply = talk.ask("POST", body)
    assert (reply.status, reply.said["error"]["code"]) == (400, code)


@pytest.mark.parametrize(
    "kind", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]
)
def test_a_body_must_say_that_it_is_json(talk: Web, kind: str | None) -> None:
    assert talk.post(request(1, "ping"), Content_Type=kind).status == 415


def test_json_may_come_with_its_character_set(talk: Web) -> None:
    assert talk.post(request(1, "ping"), Content_Type="Application/JSON; charset=utf-8").status == 200


def test_a_body_that_is_too_long_is_refused(talk: Web) -> None:
    assert talk.post(call(1, "echo", text="x" * BODY_LIMIT)).status == 413
    assert talk.post(call(1, "echo", text="x" * 100_000)).status == 200


def test_a_million_bad_messages_in_one_body_are_refused_as_a_whole(talk: Web) -> None:
    reply = talk.ask("POST", b"[" + b"1," * 1_000_000 + b"1]")
    assert (reply.status, reply.said["error"]["code"]) == (400, -32600)


def test_there_is_one_address_and_three_methods(talk: Web) -> None:
    for path in ("/", "/mcp/", "/sse", "/.well-known/oauth-protected-resource"):
        assert talk.ask("POST", b"{}", path).status == 404
    for method in ("PUT", "OPTIONS", "PATCH"):
        reply = talk.ask(method)
        assert (reply.status, reply.headers["allow"]) == (405, "POST, GET, DELETE")


@pytest.mark.parametrize(
    "sent",
    [
        "nonsense\r\n\r\n",
        "POST /mcp HTTP/1.1\r\n\r\n",
        HEAD + "Content-Length: -1\r\n\r\n",
        HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n\r\n",
        "GET /mcp HTTP/1.1\r\n" + "X: y\r\n" * 50_000,
        HEAD + KIND + "Host: evil.example.com\r\nContent-Length: 2\r\n\r\n{}",
        f"{HEAD}{KIND}Authorization: Bearer x\r\nContent-Length: 2\r\n\r\n{{}}",
    ],
    ids=["nonsense", "no host", "negative", "chunked", "endless", "two hosts", "two tokens"],
)
def test_a_broken_request_is_refused_and_the_server_lives(talk: Web, sent: str) -> None:
    with socket.create_connection(("127.0.0.1", talk.address.port or 0), timeout=PATIENCE) as raw:
        raw.sendall(sent.encode("latin-1"))
        answer = raw.recv(65536)
    assert answer.split(b" ")[1] in (b"400", b"401", b"403")
    assert talk.post(request(1, "ping")).status == 200


def test_a_client_that_sends_half_a_body_and_leaves_does_no_harm(talk: Web) -> None:
    with socket.create_connection(("127.0.0.1", talk.address.port or 0), timeout=PATIENCE) as raw:
        raw.sendall(f'{HEAD}{KIND}Content-Length: 1000\r\n\r\n{{"jsonrpc"'.encode())
    assert talk.post(request(1, "ping")).status == 200
