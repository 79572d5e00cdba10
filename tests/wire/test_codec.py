import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharo_mcp.wire.jsonrpc import (
    BadLine,
    Batch,
    ErrorResponse,
    Notification,
    Request,
    Response,
    decode,
    encode,
    join,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
IDS = st.integers() | st.text()
MESSAGES = (
    st.builds(Request, IDS, st.text(), st.dictionaries(st.text(), JSON))
    | st.builds(Notification, st.text(), st.dictionaries(st.text(), JSON))
    | st.builds(Response, IDS, JSON)
    | st.builds(ErrorResponse, IDS | st.none(), st.integers(), st.text(), st.none() | st.text())
)


def code_of(line: bytes) -> int:
    decoded = decode(line)
    assert isinstance(decoded, BadLine)
    return decoded.error.code


def test_a_request_is_decoded() -> None:
    assert decode(b'{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":1}}') == Request(1, "m", {"a": 1})


def test_params_may_be_omitted_or_null() -> None:
    assert decode(b'{"jsonrpc":"2.0","id":"x","method":"m"}') == Request("x", "m", {})
    assert decode(b'{"jsonrpc":"2.0","id":"x","method":"m","params":null}') == Request("x", "m", {})


def test_a_message_without_id_is_a_notification_with_any_params() -> None:
    assert decode(b'{"jsonrpc":"2.0","method":"m","params":{"a":1}}') == Notification("m", {"a": 1})
    assert decode(b'{"jsonrpc":"2.0","method":"m","params":[1]}') == Notification("m", {})
    assert decode(b'{"jsonrpc":"2.0","method":"m","params":7}') == Notification("m", {})


def test_responses_are_decoded() -> None:
    assert decode(b'{"jsonrpc":"2.0","id":1,"result":{}}') == Response(1, {})
    error = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}'
    assert decode(error) == ErrorResponse(None, -32700, "Parse error")


def test_a_batch_keeps_its_order_and_its_bad_elements() -> None:
    batch = decode(b'[{"jsonrpc":"2.0","id":1,"method":"m"},2,{"jsonrpc":"2.0","id":3}]')
    assert isinstance(batch, Batch)
    request, two, three = batch.messages
    assert request == Request(1, "m")
    assert isinstance(two, BadLine)
    assert two.id is None
    assert isinstance(three, BadLine)
    assert three.id == 3


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b'{"jsonrpc":"2.0",',
        b'"a\xffb"',
        b'"\xed\xa0\x80"',  # a surrogate spelled out in UTF-8
        b"\xef\xbb\xbf{}",
        '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-16"),
        '{"jsonrpc":"2.0","id":1,"method":"ping"}'.encode("utf-32-le"),
        b"NaN",
        b"[-Infinity]",
        b"1e400",
        b"-1e400",
        b"9" * 5000,
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"'single'",
        b"{} {}",
        b'"tab\tinside"',
    ],
    ids=lambda line: repr(line[:24]),
)
def test_anything_but_strict_utf_8_json_is_a_parse_error(line: bytes) -> None:
    assert code_of(line) == -32700


@pytest.mark.parametrize(
    "line",
    [
        b"42",
        b"null",
        b"[]",
        b"{}",
        b'{"jsonrpc":"1.0","id":1,"method":"m"}',
        b'{"id":1,"method":"m"}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"2.0","id":1,"method":7}',
        b'{"jsonrpc":"2.0","id":null,"method":"m"}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"m"}',
        b'{"jsonrpc":"2.0","id":1.0,"method":"m"}',
        b'{"jsonrpc":"2.0","id":true,"method":"m"}',
        b'{"jsonrpc":"2.0","id":[1],"method":"m"}',
        b'{"jsonrpc":"2.0","id":1,"method":"m","params":7}',
        b'{"jsonrpc":"2.0","result":{}}',
        b'{"jsonrpc":"2.0","id":1,"error":"no"}',
    ],
)
def test_json_that_is_not_a_message_is_an_invalid_request(line: bytes) -> None:
    assert code_of(line) == -32600


def test_params_by_position_are_invalid_params() -> None:
    assert code_of(b'{"jsonrpc":"2.0","id":1,"method":"m","params":[1]}') == -32602


def test_a_bad_line_has_an_id_if_it_can_be_read() -> None:
    bad = decode(b'{"jsonrpc":"1.0","id":"here","method":"m"}')
    assert isinstance(bad, BadLine)
    assert bad.id == "here"


def test_the_last_of_equal_keys_counts() -> None:
    assert decode(b'{"jsonrpc":"2.0","id":1,"id":2,"method":"m"}') == Request(2, "m")


def test_an_unpaired_surrogate_is_read_but_not_written() -> None:
    request = decode(rb'{"jsonrpc":"2.0","id":1,"method":"m","params":{"text":"\ud800"}}')
    assert request == Request(1, "m", {"text": "\ud800"})
    assert rb'"\ufffd"' in encode(request)


def test_lines_are_ascii_with_one_newline_at_the_end() -> None:
    line = encode(Response(1, {"text": "é\u2028\n\U0001f600"}))
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_cannot_represent_are_rejected(number: float) -> None:
    with pytest.raises(ValueError):
        encode(Response(1, number))


@given(MESSAGES)
def test_every_message_survives_encoding_and_decoding(message: Request | Notification | Response) -> None:
    assert decode(encode(message)) == message


@given(st.lists(MESSAGES, min_size=1, max_size=4))
def test_joined_messages_are_a_batch(messages: list[Request | Notification | Response]) -> None:
    assert decode(join(map(encode, messages))) == Batch(tuple(messages))


@given(st.binary())
def test_any_bytes_decode_to_a_message_or_a_bad_line(line: bytes) -> None:
    decode(line)


@given(JSON)
def test_any_json_decodes_to_a_message_or_a_standard_error(value: object) -> None:
    decoded = decode(json.dumps(value).encode())
    if isinstance(decoded, BadLine):
        assert decoded.error.code in {-32700, -32600, -32602}
