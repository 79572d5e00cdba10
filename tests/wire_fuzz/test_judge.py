"""The judge sees what is wrong, and nothing else; else no fuzzing proves anything."""

import json
from typing import Any

import pytest

from wire_fuzz.envelopes import Wrong
from wire_fuzz.judge import Judge
from wire_fuzz.messages import CAPABILITIES, MODERN, VERSION
from wire_fuzz.rules import Tools
from wire_fuzz.sessions import END_OF_INPUT, End, Session, shrunk
from wire_fuzz.strict_json import NotJson, read_json

META = {"_meta": {VERSION: MODERN, CAPABILITIES: {}}}
ERROR = {"code": -32600, "message": "Invalid Request"}
TOLD = {"content": [{"type": "text", "text": "7"}], "isError": False}
SHAKEN = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {}}
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


def judge(*sent: Any) -> Judge:
    """A judge that heard this, after a handshake that was answered."""
    hears = Judge(Tools(frozenset(["evaluate"]), frozenset()))
    hears.hear(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}')
    hears.read(json.dumps(answer(0, SHAKEN)).encode())
    assert hears.is_settled
    for each in sent:
        hears.hear(each if isinstance(each, bytes) else json.dumps(each).encode())
    return hears


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
RIGHT: dict[str, tuple[list[Any], list[Any]]] = {
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
    "a call cancelled too late": ([ask(1, "tools/call", **EVALUATE), cancel(1)], [answer(1, TOLD)]),
    "a batch of which one is cancelled": (
        [[ask(1, "tools/call", **EVALUATE), ask(2), cancel(1)]],
        [[answer(2)]],
    ),
    "an id used again": ([ask(1, "tools/call", **EVALUATE), ask(1)], [refuse(1, -32600), answer(1, TOLD)]),
    "an id used again late": ([ask(1, "tools/call", **EVALUATE), ask(1)], [answer(1), answer(1, TOLD)]),
    "an image that fails": ([ask(1, "resources/read", uri="pharo://x")], [refuse(1, -32603, kind="silent")]),
    "both eras": ([ask(1, "ping", **META)], [refuse(1, -32601)]),
    "a modern answer": (
        [ask(1, "tools/list", **META)],
        [answer(1, {"tools": [], "resultType": "complete", "_meta": {}})],
    ),
}
WRONG: dict[str, tuple[list[Any], list[Any]]] = {
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
    "an unknown tool that answers": ([ask(1, "tools/call", name="x")], [answer(1, TOLD)]),
    "a ping that was cancelled": ([ask(1), cancel(1)], []),
}


def verdict(sent: list[Any], said: list[Any]) -> bool:
    """Whether the judge is content."""
    hears = judge(*sent)
    try:
        for each in said:
            hears.read(json.dumps(each).encode())
    except Wrong:
        return False
    return hears.is_settled


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_right_is_let_pass(name: str) -> None:
    assert verdict(*RIGHT[name])


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_seen(name: str) -> None:
    assert not verdict(*WRONG[name])


@pytest.mark.parametrize(
    "line", [b"", b"nonsense", b'{"jsonrpc":"2.0","id":1,"result":{}', b'"\xff"', b"NaN", b"[]"]
)
def test_a_line_that_is_no_message_is_seen(line: bytes) -> None:
    with pytest.raises(Wrong):
        judge(ask(1)).read(line)


def test_before_the_handshake_only_ping_is_answered() -> None:
    hears = Judge(Tools(frozenset(), frozenset()))
    for each in (ask(1), ask(2, "tools/list")):
        hears.hear(json.dumps(each).encode())
    for each in (answer(1), refuse(2, -32600)):
        hears.read(json.dumps(each).encode())
    assert hears.is_settled


def test_what_was_cancelled_is_not_answered_later() -> None:
    hears = judge(ask(1, "tools/call", **EVALUATE), cancel(1))
    hears.settle()
    with pytest.raises(Wrong):
        hears.read(json.dumps(answer(1, TOLD)).encode())


def test_who_listens_is_acknowledged_and_answered_at_the_end() -> None:
    hears = judge(ask(1, "subscriptions/listen", notifications={}, **META))
    assert hears.is_settled
    with pytest.raises(Wrong, match="acknowledge"):
        hears.settle()
    hears.end_of_input()
    assert not hears.is_settled


@pytest.mark.parametrize("name", TEXTS)
def test_json_is_read_as_it_is_meant(name: str) -> None:
    assert read_json(TEXTS[name].encode()).value == json.loads(TEXTS[name])


@pytest.mark.parametrize("text", NOT_JSON)
def test_what_is_not_json_is_not_read(text: str) -> None:
    with pytest.raises(NotJson):
        read_json(text.encode())


def test_a_session_is_made_smaller_as_long_as_it_is_wrong() -> None:
    rounds = tuple(tuple(b"%d" % (10 * row + column) for column in range(10)) for row in range(5))
    session = Session(has_image=False, rounds=rounds, end=End(END_OF_INPUT, 0))

    def is_wrong(each: Session) -> bool:
        return {b"3", b"31"} <= {line for lines in each.rounds for line in lines}

    assert shrunk(session, is_wrong).rounds == ((b"3",), (b"31",), ())
