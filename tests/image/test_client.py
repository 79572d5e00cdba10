"""What is sent, how often, how many at once, and what a lost answer means."""

import os
import socket
import struct
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from time import monotonic
from typing import Any

import pytest

from image.servers import (
    Gate,
    Reply,
    answered,
    client_at,
    companion,
    drain,
    encoded,
    failure,
    nobodys_port,
    politely_until,
    rude,
    seven,
    value,
)
from pharo_mcp.address import Address
from pharo_mcp.image.client import AT_ONCE, ImageClient
from pharo_mcp.image.connection import ATTEMPTS, CompanionConnection, Endpoint, all_within
from pharo_mcp.image.endpoints import COMMIT, VERSION
from pharo_mcp.image.errors import ImageError, NothingRan, SmalltalkError
from pharo_mcp.image.images import KnownImage
from pharo_mcp.image.replies.evaluations import Evaluation
from pharo_mcp.times import ANSWER_SECONDS, REQUEST_SECONDS
from programs import PATIENCE


def test_a_value_comes_back_typed() -> None:
    with companion(evaluate=seven) as image, client_at(image.address) as client:
        assert client.evaluate("3 + 4") == Evaluation("7", "SmallInteger")


def test_warnings_beside_a_value_come_with_it() -> None:
    def warned(_: object) -> Reply:
        status, body = seven(None)
        return status, {**body, "warnings": ["Deprecation: use foo"]}

    with companion(evaluate=warned) as image, client_at(image.address) as client:
        assert client.evaluate("3 + 4").warnings == ("Deprecation: use foo",)


def test_the_identity_is_requested_once() -> None:
    with companion(evaluate=seven) as image, client_at(image.address) as client:
        for _ in range(3):
            client.evaluate("3 + 4")
        assert image.asked == ["/status", "/evaluate", "/evaluate", "/evaluate"]


def test_after_an_exception_in_the_image_the_identity_is_not_requested_again() -> None:
    def divide(_: object) -> Reply:
        return 200, {"ok": False, "error": {"kind": "exception", "messageText": "", "class": "ZeroDivide"}}

    with companion(evaluate=divide) as image, client_at(image.address) as client:
        for _ in range(2):
            with pytest.raises(SmalltalkError):
                client.evaluate("1/0")
        assert image.asked == ["/status", "/evaluate", "/evaluate"]


def reset(peer: socket.socket) -> None:
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


WHOLE = encoded(value({"printString": "7", "className": "SmallInteger"}))


@pytest.mark.parametrize(
    "then",
    [
        lambda peer: None,
        reset,
        lambda peer: peer.sendall(WHOLE[:20]),
        lambda peer: peer.sendall(WHOLE[:-4]),
        lambda peer: peer.sendall(b"\xff\x00 garbage\r\n\r\n"),
    ],
    ids=["closed", "reset", "headers cut", "body cut", "garbage"],
)
def test_a_lost_answer_may_have_run_and_is_not_asked_for_again(then: Callable[[socket.socket], None]) -> None:
    asked: list[int] = []

    def lose(peer: socket.socket) -> None:
        asked.append(1)
        then(peer)

    with (
        rude(politely_until("/evaluate", lose)) as address,
        client_at(address) as client,
        pytest.raises(ImageError) as raised,
    ):
        client.evaluate("3 + 4")
    assert raised.value.kind == "answerLost"
    assert "may have run" in raised.value.message
    assert "not sent again" in raised.value.message
    assert not isinstance(raised.value, NothingRan)
    assert len(asked) == 1


def test_an_answer_after_the_deadline_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.client.GRACE_SECONDS", 0.05)
    with (
        rude(politely_until("/evaluate", drain)) as address,
        client_at(address) as client,
        pytest.raises(ImageError, match="did not arrive in time"),
    ):
        client.evaluate("3 + 4", wait_seconds=0.05)


def test_an_endless_body_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.client.GRACE_SECONDS", 0.05)

    def endless(peer: socket.socket) -> None:
        try:
            peer.sendall(WHOLE[: WHOLE.index(b"Content-Length")] + b"Content-Length: 9999999999\r\n\r\n")
            while True:
                peer.sendall(b" ")
        except OSError:
            return

    with (
        rude(politely_until("/evaluate", endless)) as address,
        client_at(address) as client,
        pytest.raises(ImageError, match=r"did not arrive in time|longer than"),
    ):
        client.evaluate("3 + 4", wait_seconds=0.05)


@pytest.mark.parametrize(
    "reply",
    [
        (200, {"ok": True, "value": {"printString": 7, "className": "SmallInteger"}}),
        (200, {"ok": True, "value": {}}),
        (200, {"ok": True, "value": None}),
        (200, {"ok": "yes"}),
        (200, {"ok": False, "error": "bad"}),
        failure(500, "internal", "PmcEvaluator signalled KeyNotFound."),
    ],
)
def test_an_answer_that_is_none_is_a_fault_of_the_companion(reply: Reply) -> None:
    with (
        companion(evaluate=lambda _: reply) as image,
        client_at(image.address) as client,
        pytest.raises(ImageError) as raised,
    ):
        client.evaluate("3 + 4")
    assert raised.value.kind == "internal"
    assert "may have run" in raised.value.message


def test_a_fault_of_the_companion_is_reported_in_its_words_once() -> None:
    fault = failure(500, "internal", "The companion failed: KeyNotFound: key #a not found")
    with (
        companion(evaluate=lambda _: fault) as image,
        client_at(image.address) as client,
        pytest.raises(ImageError, match=r"^The companion at \S+ failed: KeyNotFound: key #a not found\."),
    ):
        client.evaluate("3 + 4")


def test_after_a_failure_the_image_is_looked_for_again() -> None:
    with companion(evaluate=seven) as first, companion(evaluate=seven) as second:
        addresses = [first.address, second.address]
        client = ImageClient(KnownImage(lambda until: CompanionConnection.connect(addresses.pop(0), until)))
        assert answered(client) == "7"
        first.answers["/evaluate"] = lambda _: failure(401, "unauthorized")
        with pytest.raises(ImageError, match="token"):
            client.evaluate("3 + 4")
        assert answered(client) == "7"
        assert second.asked == ["/status", "/evaluate"]
        client.close()


def test_a_failure_is_not_remembered() -> None:
    port = nobodys_port()
    with companion(evaluate=seven) as image:
        addresses = [Address(port, "x")] * ATTEMPTS + [image.address]
        client = ImageClient(KnownImage(lambda until: CompanionConnection.connect(addresses.pop(0), until)))
        with pytest.raises(ImageError, match="nothing listens"):
            client.evaluate("3 + 4")
        assert answered(client) == "7"
        client.close()


def test_a_request_that_could_not_be_sent_is_retried() -> None:
    with companion(evaluate=seven) as image:
        addresses = [Address(nobodys_port(), "x"), image.address]
        client = ImageClient(KnownImage(lambda until: CompanionConnection.connect(addresses.pop(0), until)))
        assert answered(client) == "7"
        client.close()


def test_a_busy_image_is_reported_without_a_retry() -> None:
    def busy(_: object) -> Reply:
        return failure(503, "busy", "The image is busy with 16 evaluations.")

    with companion(evaluate=busy) as image, client_at(image.address) as client:
        with pytest.raises(
            ImageError, match=r"^The image is busy with 16 evaluations\. This request did not run"
        ):
            client.evaluate("3 + 4")
        assert image.asked == ["/status", "/evaluate"]


def test_eight_requests_run_at_once_and_status_gets_through() -> None:
    gate = Gate()
    with (
        companion(evaluate=gate) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor(3 * AT_ONCE) as pool,
    ):
        answers = [pool.submit(answered, client) for _ in range(3 * AT_ONCE)]
        gate.wait_for(AT_ONCE)
        assert client.status().name == "Pharo13"
        gate.open.set()
        assert {answer.result(PATIENCE) for answer in answers} == {"7"}
    assert gate.most == AT_ONCE


def test_a_request_without_a_turn_in_time_reports_that_nothing_ran(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate()
    with (
        companion(evaluate=gate) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor(AT_ONCE) as pool,
    ):
        answers = [pool.submit(client.evaluate, "3 + 4") for _ in range(AT_ONCE)]
        gate.wait_for(AT_ONCE)
        monkeypatch.setattr("pharo_mcp.image.client.IMAGE_REQUESTS_SECONDS", 2.2)
        with pytest.raises(NothingRan, match="busy: 8 requests are running"):
            client.evaluate("3 + 4")
        gate.open.set()
        assert all(answer.result(PATIENCE) for answer in answers)


@pytest.mark.parametrize("endpoint", [VERSION, COMMIT], ids=["short", "long"])
def test_what_may_take_long_in_the_image_leaves_time_to_connect(endpoint: Endpoint[object]) -> None:
    """The image may be starting on a slow machine."""
    seconds = []

    def locate(until: float) -> CompanionConnection:
        seconds.append(until - monotonic())
        return CompanionConnection.connect(image.address, until)

    with (
        companion() as image,
        closing(ImageClient(KnownImage(locate))) as client,
        all_within(ANSWER_SECONDS),
        pytest.raises(ImageError, match="There is no such endpoint"),
    ):
        client.ask(endpoint)
    assert seconds[0] > REQUEST_SECONDS


def test_one_that_fails_leaves_the_others_their_answers() -> None:
    gate = Gate()

    def answer(body: Any) -> Reply:
        return failure(401, "unauthorized") if body["expression"] == "fail" else gate(body)

    with (
        companion(evaluate=answer) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor() as pool,
    ):
        slow = pool.submit(client.evaluate, "wait")
        gate.wait_for(1)
        with pytest.raises(ImageError, match="token"):
            client.evaluate("fail")
        gate.open.set()
        assert slow.result(PATIENCE) == Evaluation("7", "SmallInteger")


def test_many_threads_meet_the_image_once() -> None:
    with companion(evaluate=seven) as image, client_at(image.address) as client:
        with ThreadPoolExecutor(AT_ONCE) as pool:
            assert set(pool.map(answered, [client] * 40)) == {"7"}
        assert image.asked.count("/status") == 1


def test_two_clients_share_an_image() -> None:
    with (
        companion(evaluate=seven) as image,
        client_at(image.address) as one,
        client_at(image.address) as other,
    ):
        assert one.evaluate("3 + 4") == other.evaluate("3 + 4")


@pytest.mark.parametrize("name", ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"])
def test_a_proxy_in_the_environment_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(os.environ, name, f"http://127.0.0.1:{nobodys_port()}")
    with companion(evaluate=seven) as image, client_at(image.address) as client:
        assert answered(client) == "7"


def test_a_connection_that_the_image_announces_to_close_is_not_used_again() -> None:
    closing = WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)

    def answer_and_stay(peer: socket.socket) -> None:
        peer.sendall(closing)
        drain(peer)

    with rude(politely_until("/evaluate", answer_and_stay)) as address, client_at(address) as client:
        assert [answered(client) for _ in range(3)] == ["7"] * 3


def test_an_idle_connection_that_the_image_closed_is_not_used_again() -> None:
    closed = threading.Semaphore(0)

    def answer_and_close(peer: socket.socket) -> None:
        peer.sendall(WHOLE)
        peer.close()
        closed.release()

    with rude(politely_until("/evaluate", answer_and_close)) as address, client_at(address) as client:
        for _ in range(5):
            assert answered(client) == "7"
            assert closed.acquire(timeout=PATIENCE)
