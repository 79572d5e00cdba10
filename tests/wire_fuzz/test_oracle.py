"""The oracle of the fuzz tests reports all violations, and nothing else."""

import json
from typing import Any

import pytest

from wire_fuzz.envelopes import ProtocolViolation
from wire_fuzz.messages import CAPABILITIES, MODERN, VERSION
from wire_fuzz.oracle import Oracle
from wire_fuzz.rules import Tools
from wire_fuzz.sessions import END_OF_INPUT, End, Session, shrunk
from wire_fuzz.strict_json import NotJson, read_json

META = {"_meta": {VERSION: MODERN, CAPABILITIES: {}}}
ERROR = {"code": -32600, "message": "Invalid Request"}
RESULT = {"content": [{"type": "text", "text": "7"}], "isError": False}
HANDSHAKE = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}
TEXTS = {
    "numbers": "[0, -0, 1.5, 1e3, -2.5E-2, 12345678901234567890]",
    "objects": '{"a": {"b": [null, true, false]}, "a": 2, "": []}',
    "escapes": r'"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800"',
    "white space": " \t\r[ 1 , { } ]\r ",
}
NOT_JSON = [
    *(
        "",
        "[",
        "]",
        "{",
        "[1,]",
        "[,1]",
        "[1 2]",
        '{"a"}',
        '{"a":}',
        '{"a":1,}',
        "{1:2}",
        "{a:1}",
        "[1]]",
        "1 2",
    ),
    *(
        "01",
        "1.",
        ".5",
        "+1",
        "1e",
        "-",
        "0x1",
        "NaN",
        "-Infinity",
        "1e400",
        "9" * 4301,
        "nul",
        "True",
        "'a'",
    ),
    *('"a', '"\t"', '"\x00"', r'"\x"', r'"\u12"', '"\\"', "\ufeff1", "[1}", '{"a":1]', "//1"),
]


def oracle_after(*sent: Any) -> Oracle:
    """An oracle to which these messages were sent after a handshake."""
    oracle = Oracle(Tools(frozenset(["evaluate"]), frozenset()))
    oracle.send(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}')
    oracle.receive(json.dumps(answer(0, HANDSHAKE)).encode())
    assert oracle.is_answered
    for each in sent:
        oracle.send(each if isinstance(each, bytes) else json.dumps(each).encode())
    return oracle


def ask(request_id: object, method: str = "ping", **params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def answer(request_id: object, result: object = None) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": request_id, "result": {} if result is None else result}


def refuse(request_id: object, code: int, **data: object) -> dict[str, Any]:
    error = {"code": code, "message": "no", **({"data": data} if data else {})}
    return {"jsonrpc": "2.0", "id": request_id, "error": error}


def cancel(request_id: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": request_id}}


EVALUATE = {"name": "evaluate", "arguments": {}}
VALID: dict[str, tuple[list[Any], list[Any]]] = {
    "an answer": ([ask(1)], [answer(1)]),
    "a bad line": ([b"{"], [refuse(None, -32700)]),
    "no UTF-8": ([b'"\xff"'], [refuse(None, -32700)]),
    "nothing for a blank line": ([b" \t\r", b""], []),
    "nothing for a notification": ([{"jsonrpc": "2.0", "method": "ping"}], []),
    "nothing for a response": ([answer(9), refuse(9, -1)], []),
    "no request": ([{"id": 1}, 42, []], [refuse(1, -32600), refuse(None, -32600), refuse(None, -32600)]),
    "params by position": ([{**ask(1), "params": [1]}], [refuse(1, -32602)]),
    "an unknown method": ([ask(1, "unknown")], [refuse(1, -32601)]),
    "an unknown tool": ([ask(1, "tools/call", name="x")], [refuse(1, -32602)]),
    "a batch": ([[ask(1), {}, ask("1")]], [[answer(1), refuse(None, -32600), answer("1")]]),
    "a cancelled call": ([ask(1, "tools/call", **EVALUATE), cancel(1)], []),
    "a call cancelled too late": ([ask(1, "tools/call", **EVALUATE), cancel(1)], [answer(1, RESULT)]),
    "a batch of which one is cancelled": (
        [[ask(1, "tools/call", **EVALUATE), ask(2), cancel(1)]],
        [[answer(2)]],
    ),
    "an id used again": ([ask(1, "tools/call", **EVALUATE), ask(1)], [refuse(1, -32600), answer(1, RESULT)]),
    "an id used again late": ([ask(1, "tools/call", **EVALUATE), ask(1)], [answer(1), answer(1, RESULT)]),
    "an image that fails": ([ask(1, "resources/read", uri="pharo://x")], [refuse(1, -32603, kind="silent")]),
    "both eras": ([ask(1, "ping", **META)], [refuse(1, -32601)]),
    "a modern answer": (
        [ask(1, "tools/list", **META)],
        [answer(1, {"tools": [], "resultType": "complete", "_meta": {}})],
    ),
}
VIOLATIONS: dict[str, tuple[list[Any], list[Any]]] = {
    "no answer": ([ask(1)], []),
    "two answers": ([ask(1)], [answer(1), answer(1)]),
    "an answer nobody asked for": ([], [answer(1)]),
    "an answer to a notification": ([{"jsonrpc": "2.0", "method": "ping"}], [answer(None)]),
    "another id": ([ask(1)], [answer("1")]),
    "true for 1": ([ask(1)], [answer(True)]),
    "another code": ([b"{"], [refuse(None, -32600)]),
    "a bug": ([ask(1, "resources/read", uri="pharo://x")], [refuse(1, -32603)]),
    "a result of another method": ([ask(1)], [answer(1, {"tools": []})]),
    "a result of another era": ([ask(1, "tools/list", **META)], [answer(1, {"tools": []})]),
    "result and error": ([ask(1)], [{**answer(1), "error": ERROR}]),
    "no version": ([ask(1)], [{"id": 1, "result": {}}]),
    "a batch in pieces": ([[ask(1), ask(2)]], [answer(1), answer(2)]),
    "an empty batch": ([[cancel(1)]], [[]]),
    "part of a batch": ([[ask(1), ask(2)]], [[answer(1)]]),
    "progress for nobody": (
        [ask(1)],
        [{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": 1}}, answer(1)],
    ),
    "an unknown tool that answers": ([ask(1, "tools/call", name="x")], [answer(1, RESULT)]),
    "a ping that was cancelled": ([ask(1), cancel(1)], []),
}


def accepts(sent: list[Any], received: list[Any]) -> bool:
    """Whether the oracle accepts what is received, as all that is required."""
    oracle = oracle_after(*sent)
    try:
        for each in received:
            oracle.receive(json.dumps(each).encode())
    except ProtocolViolation:
        return False
    return oracle.is_answered


@pytest.mark.parametrize("name", VALID)
def test_valid_answers_are_accepted(name: str) -> None:
    assert accepts(*VALID[name])


@pytest.mark.parametrize("name", VIOLATIONS)
def test_violations_are_reported(name: str) -> None:
    assert not accepts(*VIOLATIONS[name])


@pytest.mark.parametrize(
    "line", [b"", b"nonsense", b'{"jsonrpc":"2.0","id":1,"result":{}', b'"\xff"', b"NaN", b"[]"]
)
def test_a_line_that_is_not_a_message_is_reported(line: bytes) -> None:
    with pytest.raises(ProtocolViolation):
        oracle_after(ask(1)).receive(line)


def test_before_the_handshake_only_ping_is_answered() -> None:
    oracle = Oracle(Tools(frozenset(), frozenset()))
    for each in (ask(1), ask(2, "tools/list")):
        oracle.send(json.dumps(each).encode())
    for each in (answer(1), refuse(2, -32600)):
        oracle.receive(json.dumps(each).encode())
    assert oracle.is_answered


def test_a_cancelled_request_is_not_answered_later() -> None:
    oracle = oracle_after(ask(1, "tools/call", **EVALUATE), cancel(1))
    oracle.end_round()
    with pytest.raises(ProtocolViolation):
        oracle.receive(json.dumps(answer(1, RESULT)).encode())


def test_a_subscription_is_acknowledged_and_answered_at_the_end() -> None:
    oracle = oracle_after(ask(1, "subscriptions/listen", notifications={}, **META))
    assert oracle.is_answered
    with pytest.raises(ProtocolViolation, match="acknowledge"):
        oracle.end_round()
    oracle.end_of_input()
    assert not oracle.is_answered


@pytest.mark.parametrize("name", TEXTS)
def test_valid_json_is_read(name: str) -> None:
    assert read_json(TEXTS[name].encode()).value == json.loads(TEXTS[name])


@pytest.mark.parametrize("text", NOT_JSON)
def test_invalid_json_is_refused(text: str) -> None:
    with pytest.raises(NotJson):
        read_json(text.encode())


def test_a_failing_session_is_shrunk() -> None:
    rounds = tuple(tuple(b"%d" % (10 * row + column) for column in range(10)) for row in range(5))
    session = Session(has_image=False, rounds=rounds, end=End(END_OF_INPUT, 0))

    def fails(each: Session) -> bool:
        return {b"3", b"31"} <= {line for lines in each.rounds for line in lines}

    assert shrunk(session, fails).rounds == ((b"3",), (b"31",), ())
