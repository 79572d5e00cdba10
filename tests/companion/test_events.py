"""Listeners over real connections: they wait without keeping anybody from being answered."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpx
import pytest

from programs import PATIENCE, LiveImage

LISTENERS = 12
WAIT = 25
"""The most that may be asked for, in seconds: longer than these tests take."""


@contextmanager
def connected(image: LiveImage) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {image.token}"}
    with httpx.Client(base_url=image.url, headers=headers, trust_env=False, timeout=PATIENCE) as client:
        yield client


def ask(image: LiveImage, path: str, **body: object) -> Any:
    with connected(image) as client:
        reply = client.post(path, json=body).json()
    assert reply["ok"], reply
    return reply["value"]


def evaluate(image: LiveImage, expression: str) -> str:
    return str(ask(image, "/evaluate", expression=expression)["printString"])


def listening(image: LiveImage, listener: str, pool: ThreadPoolExecutor) -> Future[Any]:
    """The answer to a listener that has begun to listen, and waits longer than any test does."""
    start = ask(image, "/events", listener=listener)["next"]
    return pool.submit(ask, image, "/events", listener=listener, since=start, waitSeconds=WAIT)


def waiting(image: LiveImage) -> int:
    return int(evaluate(image, "PharoMcp current events waitingSize"))


def wait_for_listeners_of_other_tests(image: LiveImage) -> None:
    """Wait until the image has noticed that clients of other tests have hung up."""
    end = monotonic() + PATIENCE
    while waiting(image):
        assert monotonic() < end, "somebody else listens"


def test_many_may_listen_while_others_are_answered_and_all_hear_of_it(image: LiveImage) -> None:
    wait_for_listeners_of_other_tests(image)
    with ThreadPoolExecutor(LISTENERS) as pool:
        answers = [listening(image, f"listener-{number}", pool) for number in range(LISTENERS)]
        while waiting(image) < LISTENERS:
            assert not any(answer.done() for answer in answers)
        evaluate(image, "PharoMcp notifyClients: 'heard by all'")
        for answer in answers:
            [event] = answer.result(PATIENCE)["events"]
            assert (event["kind"], event["data"]) == ("log", "heard by all")


def test_a_listener_that_hangs_up_is_waited_for_no_longer(image: LiveImage) -> None:
    wait_for_listeners_of_other_tests(image)
    start = ask(image, "/events", listener="hangs-up")["next"]
    body = {"listener": "hangs-up", "since": start, "waitSeconds": WAIT}
    with connected(image) as client, pytest.raises(httpx.ReadTimeout):
        client.post("/events", json=body, timeout=httpx.Timeout(PATIENCE, read=0.1))
    hung_up = monotonic()
    while waiting(image):
        assert monotonic() < hung_up + WAIT / 2, "it waits on, for nobody"
