"""The state of the image can be known at any time, by the model and by the human."""

import re
from collections.abc import Iterator

import pytest

import pharo_mcp
from end_to_end.answers import eventually, failure, running, value, whole
from programs import Client, LiveImage

STUCK = "Semaphore new wait. 'stuck'"


def test_the_status_has_address_image_versions_uptime_memory_and_running_evaluations(
    image: LiveImage, client: Client
) -> None:
    told = whole(client.call("get_status"))
    assert told.startswith(f"Image: {image.connection['name']} at {image.url}, {image.connection['image']}\n")
    for line in (
        f"System: {re.escape(image.system)}",
        f"Versions: companion {pharo_mcp.__version__}, pharo-mcp {pharo_mcp.__version__}",
        r"Companion started: \d{4}-\d\d-\d\dT.*",
        r"Uptime: \d+ h \d+ min \d+ s",
        r"Memory: [\d,]+ MB",
        r"User interface: (none|responds)",
        r"Running evaluations: none",
    ):
        assert re.search(f"^{line}$", told, re.MULTILINE), told


@pytest.fixture
def stuck(client: Client) -> Iterator[Client]:
    """A conversation with an image in which as many evaluations as it takes wait for what never comes."""
    for _ in range(16):
        client.call("evaluate", expression=STUCK, wait_seconds=0, timeout_seconds=600)
    yield client
    client.call("stop_evaluation", all=True)
    assert value(client, "3 + 4") == "7"


def test_the_status_is_answered_while_everything_else_is_stuck(stuck: Client) -> None:
    assert running(stuck).count(STUCK) == 16


def test_a_busy_image_is_reported_with_advice(stuck: Client) -> None:
    told = failure(stuck.call("evaluate", expression="3 + 4", wait_seconds=0))
    assert told.startswith("The image is busy with 16 ")
    assert "This request did not run.\nRepeat it when some of the others have ended" in told


def test_all_evaluations_are_stopped_at_once(stuck: Client) -> None:
    stopped = whole(stuck.call("stop_evaluation", all=True))
    assert len(re.findall("e-[0-9a-f]+", stopped)) == 16
    assert running(stuck) == "none"


def test_the_status_is_answered_while_every_worker_waits_for_an_endless_loop(client: Client) -> None:
    for n in range(20):
        client.begin(n, "evaluate", expression="[ true ] whileTrue", timeout_seconds=600)
    assert "Running evaluations:" in whole(client.call("get_status"))
    for n in range(20):
        client.cancel(n)
    eventually(lambda: running(client) == "none")
    assert value(client, "3 + 4") == "7"


def test_the_user_stops_all_evaluations_and_that_is_reported(image: LiveImage, client: Client) -> None:
    client.begin("loop", "evaluate", expression="[ true ] whileTrue", timeout_seconds=600)
    with Client(env=image.env()) as human:
        human.shake_hands()
        eventually(lambda: "whileTrue" in running(human))
        human.call("evaluate", expression="PharoMcp stopEvaluations")
    told = failure(client.receive()["result"])
    assert told.startswith("The evaluation was interrupted by the user of the image.")


def test_an_evaluation_that_ends_its_own_process_was_not_stopped_by_the_user(
    client: Client,
) -> None:
    told = failure(client.call("evaluate", expression="Processor activeProcess terminate"))
    assert told.startswith("The evaluation was terminated from inside the image.")
    assert "user" not in told


def test_an_evaluation_that_returns_from_an_outer_context_is_reported(client: Client) -> None:
    far = f"thisContext{' sender' * 6} return: 3"
    told = failure(client.call("evaluate", expression=far))
    assert told.startswith("The evaluation has no value: its code returned from a context outside of it.")


def test_the_user_sees_a_status_and_a_log_of_calls(image: LiveImage, client: Client) -> None:
    assert value(client, "PharoMcp status").startswith(
        f"'Pharo MCP is open at {image.url}; evaluations running: "
    )
    value(client, "'a call to see' size")
    assert "POST /evaluate ''a call to see'' size -> 200" in value(client, "PharoMcp log last: 2")
