import socket

import pytest

from over_http.serving import TOKEN, Web, call
from pharo_mcp.http.requests import BODY_LIMIT
from programs import PATIENCE
from server.conversation import request

HEAD = f"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {TOKEN}\r\n"
CONTENT_TYPE = "Content-Type: application/json\r\n"


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
def test_an_invalid_message_is_rejected_with_its_code(session: Web, body: bytes, code: int) -> None:
    reply = session.ask("POST", body)
    assert (reply.status, reply.json["error"]["code"]) == (400, code)


@pytest.mark.parametrize(
    "content_type", [None, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"]
)
def test_the_content_type_must_be_json(session: Web, content_type: str | None) -> None:
    assert session.post(request(1, "ping"), Content_Type=content_type).status == 415


def test_the_content_type_may_have_a_character_set(session: Web) -> None:
    assert session.post(request(1, "ping"), Content_Type="Application/JSON; charset=utf-8").status == 200


def test_an_oversized_body_is_rejected(session: Web) -> None:
    assert session.post(call(1, "echo", text="x" * BODY_LIMIT)).status == 413
    assert session.post(call(1, "echo", text="x" * 100_000)).status == 200


def test_an_oversized_batch_is_rejected_as_a_whole(session: Web) -> None:
    reply = session.ask("POST", b"[" + b"1," * 1_000_000 + b"1]")
    assert (reply.status, reply.json["error"]["code"]) == (400, -32600)


def test_there_is_one_path_with_three_methods(session: Web) -> None:
    for path in ("/", "/mcp/", "/sse", "/.well-known/oauth-protected-resource"):
        assert session.ask("POST", b"{}", path).status == 404
    for method in ("PUT", "OPTIONS", "PATCH"):
        reply = session.ask(method)
        assert (reply.status, reply.headers["allow"]) == (405, "POST, GET, DELETE")


@pytest.mark.parametrize(
    "sent",
    [
        "nonsense\r\n\r\n",
        "POST /mcp HTTP/1.1\r\n\r\n",
        HEAD + "Content-Length: -1\r\n\r\n",
        HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n\r\n",
        "GET /mcp HTTP/1.1\r\n" + "X: y\r\n" * 50_000,
        HEAD + CONTENT_TYPE + "Host: evil.example.com\r\nContent-Length: 2\r\n\r\n{}",
        f"{HEAD}{CONTENT_TYPE}Authorization: Bearer x\r\nContent-Length: 2\r\n\r\n{{}}",
    ],
    ids=["nonsense", "no host", "negative", "chunked", "endless", "two hosts", "two tokens"],
)
def test_a_broken_request_is_rejected_and_the_server_goes_on(session: Web, sent: str) -> None:
    with socket.create_connection(("127.0.0.1", session.address.port or 0), timeout=PATIENCE) as raw:
        raw.sendall(sent.encode("latin-1"))
        received = raw.recv(65536)
    assert received.split(b" ")[1] in (b"400", b"401", b"403")
    assert session.post(request(1, "ping")).status == 200


def test_a_disconnect_within_a_body_does_no_harm(session: Web) -> None:
    with socket.create_connection(("127.0.0.1", session.address.port or 0), timeout=PATIENCE) as raw:
        raw.sendall(f'{HEAD}{CONTENT_TYPE}Content-Length: 1000\r\n\r\n{{"jsonrpc"'.encode())
    assert session.post(request(1, "ping")).status == 200
