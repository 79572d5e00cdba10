"""Tests that take long: how far they are is told, and they can be waited for and ended."""

import re

from end_to_end.answers import eventually, failure, running, whole
from programs import Client

SLOW = ["PmcExampleSlowTests"]


def test_the_number_of_finished_tests_and_the_running_one_are_reported(client: Client) -> None:
    client.begin("slow", "run_tests", token="tests", tests=SLOW, test_timeout_seconds=1.5)
    told = []
    while (message := client.receive()).get("id") != "slow":
        assert message["params"]["progressToken"] == "tests"
        told.append(message["params"])
    progress = [report["progress"] for report in told]
    assert progress == sorted(set(progress))
    assert told[0]["message"] == "0 of 2 tests done, now PmcExampleSlowTests>>testTakesLong"
    assert "1 of 2 tests done, now PmcExampleSlowTests>>testTakesLongToo" in [
        report["message"] for report in told
    ]
    assert "timeout: PmcExampleSlowTests>>testTakesLong" in whole(message["result"])


def test_those_whose_time_is_over_name_what_did_not_run(client: Client) -> None:
    answer = whole(client.call("run_tests", tests=SLOW, timeout_seconds=0.5))
    assert "Not run: PmcExampleSlowTests>>testTakesLongToo" in answer


def test_a_cancel_ends_them_in_the_image(client: Client) -> None:
    client.begin("unwanted", "run_tests", token="tests", tests=SLOW, timeout_seconds=60)
    assert client.receive()["method"] == "notifications/progress"
    client.cancel("unwanted")
    eventually(lambda: running(client) == "none")


def test_those_that_run_are_ended_by_their_id(client: Client) -> None:
    client.begin("stopped", "run_tests", tests=SLOW, timeout_seconds=60)
    eventually(lambda: running(client) != "none")
    found = re.search(r"e-[0-9a-f]+", running(client))
    assert found
    client.begin("stop", "stop_evaluation", evaluation_id=found[0])
    results = {message["id"]: message["result"] for message in (client.receive(), client.receive())}
    assert "stopped on request" in failure(results["stopped"])
    assert found[0] in whole(results["stop"])
