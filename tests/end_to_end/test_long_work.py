"""Long work goes on in the image: it is followed, read and ended by its id, and tells how far it is."""

from typing import Any

from end_to_end.answers import failure, found, running, value, whole
from programs import Client, LiveImage

ID = r"e-[0-9a-f]+"


def test_long_work_goes_on_and_is_followed_by_its_id(client: Client) -> None:
    value(client, "gate := Semaphore new", workspace="gate")
    begun = client.call("evaluate", expression="gate wait. 6 * 7", workspace="gate", wait_seconds=0)
    evaluation = found(ID, begun)
    assert whole(begun).startswith("Still running after ")
    assert "get_evaluation" in whole(begun)
    look = client.call("get_evaluation", evaluation_id=evaluation, wait_seconds=0)
    assert whole(look).startswith("Still running")
    client.begin("wait", "get_evaluation", evaluation_id=evaluation)
    value(client, "gate signal", workspace="gate")
    assert whole(client.receive()["result"]) == "42"
    assert whole(client.call("get_evaluation", evaluation_id=evaluation)) == "42"


def test_long_work_is_ended_by_its_id(client: Client) -> None:
    begun = client.call("evaluate", expression="[ true ] whileTrue", wait_seconds=0, timeout_seconds=600)
    evaluation = found(ID, begun)
    assert whole(client.call("stop_evaluation", evaluation_id=evaluation)).startswith(
        f"Stopped: {evaluation}"
    )
    told = failure(client.call("get_evaluation", evaluation_id=evaluation))
    assert told.startswith("The evaluation was stopped on request")
    assert evaluation not in running(client)


def test_a_look_at_long_work_is_answered_while_all_others_wait(image: LiveImage, client: Client) -> None:
    value(client, "gate := Semaphore new", workspace="look")
    begun = client.call("evaluate", expression="gate wait. 7", workspace="look", wait_seconds=0)
    evaluation = found(ID, begun)
    for n in range(20):
        client.begin(f"wait {n}", "get_evaluation", evaluation_id=evaluation, wait_seconds=40)
    look = client.call("get_evaluation", evaluation_id=evaluation, wait_seconds=0)
    assert whole(look).startswith("Still running")
    with Client(env=image.env()) as other:
        other.shake_hands()
        value(other, "gate signal", workspace="look")
    assert {whole(client.receive()["result"]) for _ in range(20)} == {"7"}


def test_the_last_fifty_that_are_over_are_kept(client: Client) -> None:
    first, second = (found(ID, cut(client)) for _ in range(2))
    for _ in range(50):
        value(client, "3 + 4")
    assert "There is no evaluation" in failure(client.call("get_evaluation", evaluation_id=first))
    assert "abcde" in whole(client.call("get_evaluation", evaluation_id=second))


def cut(client: Client) -> object:
    """The result of an evaluation that is cut, so that it names its id."""
    return client.call("evaluate", expression="'abcde'", max_characters=1)


def test_progress_has_the_elapsed_time_and_the_last_line_of_the_transcript(
    image: LiveImage, client: Client
) -> None:
    value(client, "gate := Semaphore new", workspace="progress")
    steps = "Transcript show: 'one'; cr. gate wait. Transcript show: 'two'; cr. gate wait. 7"
    client.begin("slow", "evaluate", token="p", expression=steps, workspace="progress")
    told: list[dict[str, Any]] = []
    with Client(env=image.env()) as other:
        other.shake_hands()
        while (message := client.receive()).get("id") != "slow":
            assert message["method"] == "notifications/progress"
            if message["params"]["message"] not in [report["message"] for report in told]:
                value(other, "gate signal", workspace="progress")
            told.append(message["params"])
    assert message["result"]["content"][0]["text"] == "7"
    assert {report["progressToken"] for report in told} == {"p"}
    assert list(dict.fromkeys(report["message"] for report in told)) == ["one", "two"]
    elapsed = [report["progress"] for report in told]
    assert elapsed == sorted(set(elapsed))
