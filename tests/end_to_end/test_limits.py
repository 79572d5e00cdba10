"""What never ends is ended, by its time limit or by a guard, and the image stays usable."""

import pytest

from end_to_end.answers import at_last, eventually, failure, running, texts, value
from programs import Client, LiveImage

ENDLESS = {
    "a loop": "[ true ] whileTrue",
    "a loop that ensures": "[ [ true ] whileTrue ] ensure: [ 3 + 4 ]",
    "a recursion": "| again | again := nil. again := [ again value. 1 ]. again value",
    "a wait": "Semaphore new wait",
    "code that catches Exception": "[ [ [ true ] whileTrue ] on: Exception do: [ :e | e retry ] ] repeat",
}


@pytest.mark.parametrize("expression", ENDLESS.values(), ids=ENDLESS)
def test_endless_code_is_ended_and_the_image_stays_usable(client: Client, expression: str) -> None:
    told = failure(client.call("evaluate", expression=expression, timeout_seconds=0.5))
    assert told.startswith("The evaluation was terminated ")
    assert "Stack:\n" in told
    assert value(client, "3 + 4") == "7"


def test_an_endless_ensure_block_is_frozen_and_reported(client: Client) -> None:
    expression = "[ 3 + 4 ] ensure: [ [ true ] whileTrue ]"
    told = failure(client.call("evaluate", expression=expression, timeout_seconds=1))
    assert "could not be terminated" in told
    assert "may still hold locks" in told
    assert running(client) == "none"
    assert value(client, "3 + 4") == "7"


def test_a_frozen_process_does_not_run_again(client: Client) -> None:
    expression = "frozen := Processor activeProcess. [ 3 + 4 ] ensure: [ [ true ] whileTrue ]"
    told = failure(client.call("evaluate", expression=expression, workspace="frozen", timeout_seconds=1))
    assert "could not be terminated" in told
    again = "frozen terminate. [ frozen resume ] on: Error do: [ :error | error class name size ]"
    assert value(client, again, workspace="frozen") == "15"
    assert value(client, "3 + 4") == "7"


def test_a_timeout_has_its_stack_and_its_transcript(client: Client) -> None:
    expression = "Transcript show: 'so far'. (Delay forSeconds: 60) wait"
    result = client.call("evaluate", expression=expression, timeout_seconds=0.5)
    assert failure(result).startswith("The evaluation was terminated after 0.5 seconds.")
    stack, transcript = texts(result)
    assert "Delay>>wait" in stack
    assert "UndefinedObject>>DoIt" in stack
    assert transcript == "Transcript:\nso far"


def test_the_process_that_ran_out_of_time_is_gone(client: Client) -> None:
    value(client, "ticks := 0", workspace="ticks")
    counting = "[ ticks := ticks + 1 ] repeat"
    failure(client.call("evaluate", expression=counting, workspace="ticks", timeout_seconds=0.5))
    still = "| before | before := ticks. (Delay forMilliseconds: 50) wait. before > 0 and: [ ticks = before ]"
    assert value(client, still, workspace="ticks") == "true"
    assert running(client) == "none"


def test_the_default_time_limit_is_20_seconds(client: Client) -> None:
    tools = client.request("tools/list")["result"]["tools"]
    [evaluate] = [tool for tool in tools if tool["name"] == "evaluate"]
    assert evaluate["inputSchema"]["properties"]["timeout_seconds"]["default"] == 20


def test_other_requests_are_answered_beside_an_endless_loop(image: LiveImage, client: Client) -> None:
    client.begin("loop", "evaluate", expression="[ true ] whileTrue", timeout_seconds=600)
    with Client(env=image.env()) as other:
        other.shake_hands()
        eventually(lambda: "[ true ] whileTrue" in running(other))
        assert value(other, "3 + 4") == "7"
        assert other.request("resources/read", uri="pharo://system/version")["result"]
        other.call("stop_evaluation", all=True)
    assert "stopped on request" in failure(client.receive()["result"])


URGENT = {
    "a loop just below the timer": "[ [ true ] whileTrue ] forkAt: 79. (Delay forSeconds: 60) wait",
    "an evaluation just below the timer": (
        "Processor activeProcess priority: Processor timingPriority - 1. [ true ] whileTrue"
    ),
    "several loops": "(41 to: 79) do: [ :each | [ [ true ] whileTrue ] forkAt: each ]. Semaphore new wait",
    "loops that take turns": (
        "| loop | loop := nil. "
        "loop := [ 20000 timesRepeat: [ 3 + 4 ]. loop forkAt: 79 ]. loop forkAt: 79. Semaphore new wait"
    ),
    "an ensure block that never ends": (
        "[ [ Semaphore new wait ] ensure: [ [ true ] whileTrue ] ] forkAt: 79. Semaphore new wait"
    ),
}


@pytest.mark.parametrize("expression", URGENT.values(), ids=URGENT)
def test_a_process_just_below_the_timers_priority_ends_with_its_evaluation(
    client: Client, expression: str
) -> None:
    told = failure(client.call("evaluate", expression=expression, timeout_seconds=1))
    assert told.startswith("The evaluation was terminated ")
    assert value(client, "3 + 4") == "7"


def test_code_runs_below_the_priority_of_the_user_interface(client: Client) -> None:
    assert value(client, "Processor activePriority < Processor userSchedulingPriority") == "true"
    forked = "| it | [ it := Processor activePriority ] fork. (Delay forMilliseconds: 10) wait. it"
    assert int(value(client, forked)) < 40


def test_an_endless_recursion_is_ended_and_reported(client: Client) -> None:
    recursion = ENDLESS["a recursion"]
    told = at_last(client, client.call("evaluate", expression=recursion, timeout_seconds=200), recursion)
    assert "nested more than 100000 deep, as in an infinite recursion" in told.splitlines()[0]


def test_memory_that_grows_without_end_is_ended_by_a_guard_or_refused(client: Client) -> None:
    hoard = (
        "| all | all := OrderedCollection new. [ all add: (ByteArray new: 50000000). Processor yield ] repeat"
    )
    told = failure(client.call("evaluate", expression=hoard))
    first = told.splitlines()[0]  # the practice image refuses what would exceed its own limit, before that
    assert "memory of the image had grown by more than 1024 MB" in first or first == "OutOfMemory"
    assert value(client, "3 + 4") == "7"


def test_two_hundred_calls_in_flight_with_an_endless_loop_among_them_are_all_answered(client: Client) -> None:
    for n in range(200):
        if n == 100:
            client.begin(n, "evaluate", expression=ENDLESS["a loop"], timeout_seconds=1)
        else:
            client.begin(n, "evaluate", expression=str(n))
    answers = {message["id"]: message["result"] for message in (client.receive() for _ in range(200))}
    assert answers.keys() == set(range(200))
    assert "terminated after 1 second" in at_last(
        client, answers.pop(100), ENDLESS["a loop"], timeout_seconds=1
    )
    assert {n: at_last(client, result, str(n)) for n, result in answers.items()} == {
        n: str(n) for n in answers
    }
