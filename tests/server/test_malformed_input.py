"""Whatever a client writes is answered as the table says, and the conversation goes on."""

from typing import Any

import pytest

from server.conversation import Conversation

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602

TABLE = [
    ("no JSON", b"nonsense", None, PARSE_ERROR),
    ("half a message", PING[:-1], None, PARSE_ERROR),
    ("bytes that are not UTF-8", b'"\xff\xfe"', None, PARSE_ERROR),
    ("a surrogate in UTF-8", b'"\xed\xa0\x80"', None, PARSE_ERROR),
    ("a byte order mark", b"\xef\xbb\xbf" + PING, None, PARSE_ERROR),
    ("UTF-16, big endian", PING.decode().encode("utf-16-be"), None, PARSE_ERROR),
    ("NaN", PING.replace(b"1,", b"NaN,"), None, PARSE_ERROR),
    ("infinity", b"[-Infinity]", None, PARSE_ERROR),
    ("a number beyond all floats", PING.replace(b"1,", b"1e400,"), None, PARSE_ERROR),
    ("a number of 5,000 digits", PING.replace(b"1,", b"1" * 5000 + b","), None, PARSE_ERROR),
    ("100,000 brackets", b"[" * 100_000, None, PARSE_ERROR),
    ("a number", b"42", None, INVALID_REQUEST),
    ("a string", b'"ping"', None, INVALID_REQUEST),
    ("null", b"null", None, INVALID_REQUEST),
    ("an empty object", b"{}", None, INVALID_REQUEST),
    ("an empty batch", b"[]", None, INVALID_REQUEST),
    ("no version of JSON-RPC", b'{"id":7,"method":"ping"}', 7, INVALID_REQUEST),
    ("another version of JSON-RPC", b'{"jsonrpc":"1.0","id":"x","method":"ping"}', "x", INVALID_REQUEST),
    ("no method", b'{"jsonrpc":"2.0","id":7}', 7, INVALID_REQUEST),
    ("a method that is no string", b'{"jsonrpc":"2.0","id":7,"method":7}', 7, INVALID_REQUEST),
    ("an id that is null", b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, INVALID_REQUEST),
    ("a fractional id", b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', None, INVALID_REQUEST),
    ("a boolean id", b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, INVALID_REQUEST),
    ("an id that is an object", b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, INVALID_REQUEST),
    ("params that are a number", b'{"jsonrpc":"2.0","id":7,"method":"ping","params":7}', 7, INVALID_REQUEST),
    ("params by position", b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[7]}', 7, INVALID_PARAMS),
    (
        "an unknown method",
        b'{"jsonrpc":"2.0","id":7,"method":"unknown/method"}',
        7,
        METHOD_NOT_FOUND,
    ),
    (
        "an unknown method with a lone surrogate",
        rb'{"jsonrpc":"2.0","id":"\udc00","method":"\ud800"}',
        "\ufffd",
        METHOD_NOT_FOUND,
    ),
]
MESSAGES = {PARSE_ERROR: "Parse error", INVALID_REQUEST: "Invalid Request"}


@pytest.mark.parametrize(
    ("line", "request_id", "code"), [row[1:] for row in TABLE], ids=[row[0] for row in TABLE]
)
def test_a_bad_line_gets_its_code_and_the_conversation_goes_on(
    talk: Conversation, line: bytes, request_id: object, code: int
) -> None:
    talk.send(line + b"\n")
    answer = talk.receive()
    assert (answer["id"], answer["error"]["code"]) == (request_id, code)
    assert answer["error"]["message"] == MESSAGES.get(code, answer["error"]["message"])
    assert talk.ask("ping")["result"] == {}


def test_an_unknown_method_is_named(talk: Conversation) -> None:
    talk.request(7, "unknown/method")
    assert talk.receive_line() == (
        b'{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: unknown/method"}}\n'
    )


def test_a_parse_error_has_its_reason(talk: Conversation) -> None:
    talk.send(b"NaN\n")
    assert talk.receive_line() == (
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error",'
        b'"data":{"details":"NaN is not JSON"}}}\n'
    )


def test_utf_16_little_endian_is_refused_line_by_line(talk: Conversation) -> None:
    """Its newline is a newline and a zero byte, so the zero begins another bad line."""
    talk.send((PING.decode() + "\n").encode("utf-16-le") + b"\n")
    assert [talk.receive()["error"]["code"], talk.receive()["error"]["code"]] == [PARSE_ERROR, PARSE_ERROR]
    assert talk.ask("ping")["result"] == {}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\r",
        b'{"jsonrpc":"2.0","method":"notifications/unknown"}',
        b'{"jsonrpc":"2.0","method":"tools/call","params":[1]}',
        b'{"jsonrpc":"2.0","method":"initialize"}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"unknown"}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
        b'{"jsonrpc":"2.0","method":"notifications/cancelled"}',
        b'{"jsonrpc":"2.0","id":99,"result":{}}',
        b'{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"no"}}',
    ],
)
def test_notifications_and_responses_get_no_answer(talk: Conversation, line: bytes) -> None:
    talk.send(line + b"\n")
    assert talk.ask("ping")["result"] == {}


def test_carriage_returns_before_newlines_change_nothing(talk: Conversation) -> None:
    talk.send(PING + b"\r\n" + PING + b"\r\n")
    assert talk.receive() == talk.receive() == {"jsonrpc": "2.0", "id": 1, "result": {}}


def test_a_last_line_without_newline_is_answered(talk: Conversation) -> None:
    talk.send(PING)
    assert talk.rest() == [{"jsonrpc": "2.0", "id": 1, "result": {}}]


def test_an_argument_of_ten_megabytes_comes_back(talk: Conversation) -> None:
    text = "é" * 5_000_000
    talk.call(1, "echo", text=text)
    assert content(talk.receive()) == text


def test_an_unpaired_surrogate_comes_back_as_the_replacement_character(talk: Conversation) -> None:
    talk.send(
        rb'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        rb'"params":{"name":"echo","arguments":{"text":"\ud800"}}}' + b"\n"
    )
    line = talk.receive_line()
    assert line is not None
    assert rb'"text":"\ufffd"' in line


def content(answer: Any) -> Any:
    [block] = answer["result"]["content"]
    return block["text"]
