"""What nobody waits for any more ends in the image, however it came to that, and is never answered."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from end_to_end.answers import eventually, running, value
from programs import COMMAND, PATIENCE, Client, LiveImage

LOOP = "[ true ] whileTrue. 'doomed'"


@pytest.fixture
def doomed(image: LiveImage, client: Client) -> Iterator[Client]:
    """A second client, of whom the image runs an evaluation that would last for ten minutes."""
    with Client(env=image.env()) as doomed:
        doomed.shake_hands()
        doomed.begin("doomed", "evaluate", expression=LOOP, timeout_seconds=600)
        eventually(lambda: LOOP in running(client))
        yield doomed


def test_a_cancelled_evaluation_ends_in_the_image_and_is_never_answered(
    client: Client, doomed: Client
) -> None:
    doomed.cancel("doomed")
    eventually(lambda: running(client) == "none")
    assert doomed.request("ping")["result"] == {}
    doomed.close_input()
    assert doomed.read_line() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_to_the_front_end_ends_its_evaluations_in_the_image(
    client: Client, doomed: Client, number: int
) -> None:
    doomed.process.send_signal(number)
    assert doomed.wait() == 128 + number
    eventually(lambda: running(client) == "none")
    assert doomed.read_line() is None


def test_an_evaluation_ends_when_the_connection_that_waits_for_it_is_lost(
    client: Client, doomed: Client
) -> None:
    doomed.process.kill()
    eventually(lambda: running(client) == "none")


@pytest.mark.skipif(sys.platform == "win32", reason="there it is noticed at the next answer")
def test_an_evaluation_ends_when_its_client_is_gone_in_the_middle(image: LiveImage, client: Client) -> None:
    asked = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"id": 2, "method": "tools/call", "params": {"name": "evaluate", "arguments": {"expression": LOOP}}},
    ]
    with subprocess.Popen(
        COMMAND, env=image.env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as gone:
        assert gone.stdin is not None
        assert gone.stdout is not None
        gone.stdin.writelines(json.dumps({"jsonrpc": "2.0", **each}) + "\n" for each in asked)
        gone.stdin.flush()
        eventually(lambda: LOOP in running(client))
        gone.stdin.close()
        gone.stdout.close()
        eventually(lambda: running(client) == "none")
        gone.wait(PATIENCE)


def test_a_cancel_that_crosses_the_answer_on_its_way_harms_nothing(client: Client) -> None:
    for number in range(20):
        client.begin(f"crossed {number}", "evaluate", expression="3 + 4")
        client.cancel(f"crossed {number}")
    client.begin("answered", "evaluate", expression="3 + 4")
    while (message := client.receive())["id"] != "answered":
        assert message["id"].startswith("crossed ")
    client.cancel("answered")
    assert value(client, "6 * 7") == "42"
