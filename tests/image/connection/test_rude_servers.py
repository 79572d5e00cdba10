"""Answers that are none: each ends in time, and says that what was asked may have run."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

import pytest

from image.servers import (
    TOKEN,
    answered,
    client_at,
    companion,
    drain,
    encoded,
    politely_until,
    rude,
    seven,
    value,
)
from pharo_mcp.address import Address
from pharo_mcp.image.errors import ImageError, NothingRan
from programs import PATIENCE

WHOLE = encoded(value({"printString": "7", "className": "SmallInteger"}))
HEAD = WHOLE[: WHOLE.index(b"Content-Length")]


def complaint(then: Callable[[socket.socket], None]) -> ImageError:
    """What is said of an evaluation that is answered so."""
    with (
        rude(politely_until("/evaluate", then)) as address,
        client_at(address) as client,
        pytest.raises(ImageError) as raised,
    ):
        client.evaluate("3 + 4", wait_seconds=0.05)
    assert "may have run" in raised.value.message
    assert not isinstance(raised.value, NothingRan)
    return raised.value


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.client.GRACE_SECONDS", 0.3)


def drip(chunk: bytes) -> Callable[[socket.socket], None]:
    """Send the same bytes again and again, each well before a read would time out."""

    def then(peer: socket.socket) -> None:
        end = monotonic() + PATIENCE
        with suppress(OSError):
            while monotonic() < end:
                peer.sendall(chunk)
                threading.Event().wait(0.05)

    return then


@pytest.mark.usefixtures("impatience")
def test_a_body_that_drips_ends_at_the_deadline() -> None:
    def then(peer: socket.socket) -> None:
        peer.sendall(HEAD + b"Content-Length: 9999999\r\n\r\n")
        drip(b"H")(peer)

    begun = monotonic()
    assert "did not arrive in time" in complaint(then).message
    assert monotonic() - begun < PATIENCE


@pytest.mark.usefixtures("impatience")
def test_a_silent_image_is_left_at_the_deadline() -> None:
    assert "did not arrive in time" in complaint(drain).message


@pytest.mark.usefixtures("impatience")
def test_an_answer_after_the_deadline_is_dropped_and_the_next_call_gets_its_own() -> None:
    late = threading.Event()

    def then(peer: socket.socket) -> None:
        if late.is_set():
            peer.sendall(WHOLE)
            return
        drain(peer)
        late.set()
        with suppress(OSError):
            peer.sendall(WHOLE.replace(b"7", b"8"))

    with rude(politely_until("/evaluate", then)) as address, client_at(address) as client:
        with pytest.raises(ImageError, match="did not arrive in time"):
            client.evaluate("4 + 4", wait_seconds=0.05)
        assert answered(client) == "7"


def test_an_answer_of_50_megabytes_is_not_kept() -> None:
    def then(peer: socket.socket) -> None:
        size = 50 * 1024 * 1024
        peer.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % size)
        with suppress(OSError):
            for _ in range(size // 65536):
                peer.sendall(b" " * 65536)

    with (
        rude(politely_until("/evaluate", then)) as address,
        client_at(address) as client,
        pytest.raises(ImageError, match="longer than"),
    ):
        client.evaluate("3 + 4")


def test_headers_without_end_are_not_kept() -> None:
    def then(peer: socket.socket) -> None:
        with suppress(OSError):
            peer.sendall(b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 10_000_000)

    with (
        rude(politely_until("/evaluate", then)) as address,
        client_at(address) as client,
        pytest.raises(ImageError, match="may have run"),
    ):
        client.evaluate("3 + 4")


@pytest.mark.parametrize("kind", [b"text/html", b"application/jsonp", b""])
def test_an_answer_of_another_type_is_a_fault_of_the_companion(kind: bytes) -> None:
    error = complaint(lambda peer: peer.sendall(WHOLE.replace(b"application/json", kind)))
    assert error.kind == "internal"
    assert kind.decode() in error.message


def test_a_parameter_of_the_type_is_welcome() -> None:
    typed = WHOLE.replace(b"application/json", b"application/json;charset=utf-8")
    with (
        rude(politely_until("/evaluate", lambda peer: peer.sendall(typed))) as address,
        client_at(address) as client,
    ):
        assert answered(client) == "7"


def test_a_connection_reset_before_anything_was_sent_means_that_nothing_ran() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with client_at(Address(port, TOKEN)) as client, pytest.raises(NothingRan, match="Nothing ran"):
        client.evaluate("3 + 4")


def test_one_rude_answer_does_not_spoil_the_next_call() -> None:
    with companion(evaluate=seven) as image, client_at(image.address) as client:
        image.answers["/evaluate"] = lambda _: (200, {"ok": "maybe"})
        with pytest.raises(ImageError):
            client.evaluate("3 + 4")
        image.answers["/evaluate"] = seven
        assert answered(client) == "7"


def test_an_answer_without_the_companions_header_may_have_run() -> None:
    bare = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
    assert "no X-Pharo-Mcp header" in complaint(lambda peer: peer.sendall(bare)).message
