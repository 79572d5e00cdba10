import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharo_mcp.wire.jsonrpc import BadLine, MessageReader, Notification, Request


def line(name: str) -> bytes:
    return f'{{"jsonrpc":"2.0","method":"{name}"}}'.encode()


def test_a_line_is_decoded_when_its_newline_arrives() -> None:
    reader = MessageReader()
    assert reader.feed(line("m")) == []
    assert reader.feed(b"\n") == [Notification("m")]


def test_several_lines_in_one_piece_are_several_messages() -> None:
    assert MessageReader().feed(line("a") + b"\n" + line("b") + b"\n") == [
        Notification("a"),
        Notification("b"),
    ]


def test_a_carriage_return_before_the_newline_is_whitespace() -> None:
    assert MessageReader().feed(line("m") + b"\r\n") == [Notification("m")]


def test_a_carriage_return_does_not_end_a_line() -> None:
    text = b'{"jsonrpc":"2.0",\r"id":1,\r"method":"m"}\n'
    assert MessageReader().feed(text) == [Request(1, "m")]


def test_unicode_line_separators_do_not_end_a_line() -> None:
    text = '{"jsonrpc":"2.0","method":"a\u2028b\u0085c"}\n'.encode()
    assert MessageReader().feed(text) == [Notification("a\u2028b\u0085c")]


MARK = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    "beginning", [MARK, MARK + b" ", MARK + b"\n", b"\r\n" + MARK, MARK + b"\r\n" + MARK]
)
def test_a_byte_order_mark_before_the_first_message_is_ignored(beginning: bytes) -> None:
    reader = MessageReader()
    pieces = [bytes([each]) for each in beginning + line("a") + b"\n" + line("b") + b"\n"]
    read = [message for piece in pieces for message in reader.feed(piece)]
    assert read == [Notification("a"), Notification("b")]


def test_a_byte_order_mark_alone_is_no_message() -> None:
    reader = MessageReader()
    assert reader.feed(MARK) == reader.close() == []


@pytest.mark.parametrize(
    "bad", [line("a") + b"\n" + MARK + line("b"), MARK + MARK + line("a"), MARK[:2] + line("a")]
)
def test_a_byte_order_mark_elsewhere_is_not_json(bad: bytes) -> None:
    *_, last = MessageReader().feed(bad + b"\n")
    assert isinstance(last, BadLine)


def test_blank_lines_are_ignored() -> None:
    assert MessageReader().feed(b"\n\r\n \t\n") == []


def test_the_last_line_needs_no_newline() -> None:
    reader = MessageReader()
    reader.feed(line("m"))
    assert reader.close() == [Notification("m")]
    assert reader.close() == []


def test_a_line_of_ten_megabytes_is_read() -> None:
    name = "x" * 10_000_000
    assert MessageReader().feed(line(name) + b"\n") == [Notification(name)]


def test_an_oversized_line_is_reported_once_and_skipped() -> None:
    reader = MessageReader(limit=100)
    events = [event for _ in range(50) for event in reader.feed(b"x" * 10)]
    events += reader.feed(b"\n" + line("next") + b"\n")
    too_long, following = events
    assert isinstance(too_long, BadLine)
    assert too_long.error.code == -32700
    assert following == Notification("next")


def test_a_line_of_exactly_the_limit_is_read() -> None:
    text = line("m")
    assert MessageReader(limit=len(text)).feed(text + b"\n") == [Notification("m")]


def test_a_long_line_in_small_pieces_takes_linear_time() -> None:
    """Copying the line with every piece would copy 800 gigabytes."""
    name = "x" * 10_000_000
    text = line(name) + b"\n"
    reader = MessageReader()
    events = [event for at in range(0, len(text), 64) for event in reader.feed(text[at : at + 64])]
    assert events == [Notification(name)]


@given(st.lists(st.binary(max_size=20) | st.just(line("m") + b"\n"), max_size=20))
def test_messages_do_not_depend_on_how_the_bytes_are_split(pieces: list[bytes]) -> None:
    def read(chunks: list[bytes]) -> list[str]:
        reader = MessageReader()
        events = [event for chunk in chunks for event in reader.feed(chunk)]
        return [repr(event) for event in [*events, *reader.close()]]

    whole = b"".join(pieces)
    assert read(pieces) == read([whole]) == read([bytes([byte]) for byte in whole])
