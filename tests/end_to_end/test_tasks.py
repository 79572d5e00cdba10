"""Calls that are tasks, with the practice image: whatever they are of, and whoever comes back for them."""

import re
from typing import Any

import pytest

from end_to_end.answers import eventually, value, whole
from programs import Client, LiveImage

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
}
SLOWLY = "(Delay forMilliseconds: 1500) wait. 6 * 7"
ENDLESS = "[ true ] whileTrue: [ (Delay forMilliseconds: 10) wait ]"


def begin(client: Client, tool: str, meta: object = None, **arguments: object) -> str:
    """The id of the task that a legacy call becomes."""
    more = {} if meta is None else {"_meta": meta}
    answer = client.request("tools/call", name=tool, arguments=arguments, task={}, **more)
    return str(answer["result"]["task"]["taskId"])


def begin_modern(client: Client, tool: str, **arguments: object) -> str:
    answer = client.request("tools/call", name=tool, arguments=arguments, _meta=MODERN)
    assert answer["result"]["resultType"] == "task"
    return str(answer["result"]["taskId"])


def result(client: Client, task_id: str) -> Any:
    return client.request("tasks/result", taskId=task_id)["result"]


def status(client: Client, task_id: str) -> Any:
    return client.request("tasks/get", taskId=task_id)["result"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("evaluate", {"expression": "6 * 7"}),
        ("evaluate", {"expression": "(1 to: 5000) asArray", "max_characters": 100}),
        ("evaluate", {"expression": "1/0"}),
        ("evaluate", {"expression": "3 +"}),
        ("evaluate", {"expression": "Transcript showln: 'Hello'. Object new"}),
        ("evaluate", {"expressions": "6 * 7"}),
        ("run_tests", {"tests": ["NoSuchTest"]}),
        ("load_project", {"baseline": "NoSuch", "repository": "tonel:///nowhere"}),
    ],
    ids=str,
)
def test_the_result_of_a_task_is_that_of_the_call(
    client: Client, tool: str, arguments: dict[str, object]
) -> None:
    called = client.call(tool, **arguments)
    followed = result(client, begin(client, tool, **arguments))
    meta = followed.pop("_meta")
    assert meta.keys() == {"io.modelcontextprotocol/related-task"}
    assert without_ids(followed) == without_ids(called)


def without_ids(answer: Any) -> tuple[bool, str]:
    """What an answer says but for the names of objects, errors and evaluations."""
    return answer["isError"], re.sub(r"\b(o|error|t|e)-[0-9a-f]+", "ID", whole(answer))


def test_a_registered_tool_can_be_a_task(client: Client) -> None:
    value(
        client,
        "PharoMcp addTool: (PmcTool name: 'slow' description: 'Slow' handler: [ :arguments :call | "
        "call progress: 1 of: 2 message: 'half'. (Delay forSeconds: 1) wait. 'done' ])",
    )
    eventually(lambda: "slow" in {tool["name"] for tool in client.request("tools/list")["result"]["tools"]})
    task_id = begin(client, "slow", {"progressToken": "p"})
    assert whole(result(client, task_id)) == "done"
    told = [each["params"] for each in client.told if each["method"] == "notifications/progress"]
    [half] = [each for each in told if each.get("message") == "half"]
    assert (half["progressToken"], half["progress"], half["total"]) == ("p", 1, 2)
    assert client.wait_for("notifications/tasks/status")["status"] == "completed"
    value(client, "PharoMcp removeTool: 'slow'")


def test_a_task_is_an_evaluation_of_the_same_id(client: Client) -> None:
    task_id = begin(client, "evaluate", expression=SLOWLY)
    assert whole(client.call("get_evaluation", evaluation_id=task_id)) == "42"
    assert whole(result(client, task_id)) == "42"


def test_a_cancelled_task_no_longer_runs_in_the_image(client: Client) -> None:
    task_id = begin(client, "evaluate", expression=ENDLESS, timeout_seconds=600)
    cancelled = client.request("tasks/cancel", taskId=task_id)["result"]
    assert cancelled["status"] == "cancelled"
    assert "stopped on request" in whole(result(client, task_id))
    assert task_id not in whole(client.call("get_status"))


def test_a_task_that_is_stopped_by_its_evaluation_is_cancelled(client: Client) -> None:
    task_id = begin(client, "evaluate", expression=ENDLESS, timeout_seconds=600)
    client.call("stop_evaluation", evaluation_id=task_id)
    assert result(client, task_id)["isError"]
    assert status(client, task_id)["status"] == "cancelled"


def test_a_task_keeps_to_the_time_limit_of_its_evaluation(client: Client) -> None:
    task_id = begin(client, "evaluate", expression=ENDLESS, timeout_seconds=0.3)
    assert whole(result(client, task_id)).startswith("The evaluation was terminated after 0.3 seconds.")
    assert status(client, task_id)["status"] == "failed"


def test_a_task_that_pauses_has_the_result_of_the_call(client: Client) -> None:
    task_id = begin(client, "evaluate", expression="1/0. 7", on_error="pause")
    assert "Paused" in whole(result(client, task_id))
    assert status(client, task_id)["status"] == "completed"
    client.call("stop_evaluation", evaluation_id=task_id)


def test_several_tasks_run_at_the_same_time(client: Client) -> None:
    ids = [begin(client, "evaluate", expression=f"(Delay forSeconds: 1) wait. {n}") for n in range(5)]
    assert [whole(result(client, task_id)) for task_id in ids] == ["0", "1", "2", "3", "4"]


def test_a_modern_client_comes_back_to_another_process(image: LiveImage) -> None:
    with Client(env=image.env()) as first:
        task_id = begin_modern(first, "evaluate", expression=SLOWLY)
    with Client(env=image.env()) as second:

        def shown() -> Any:
            return second.request("tasks/get", taskId=task_id, _meta=MODERN)["result"]

        eventually(lambda: shown()["status"] == "completed")
        assert whole(shown()["result"]) == "42"


def test_a_modern_client_cancels_the_task_of_another_process(image: LiveImage) -> None:
    with Client(env=image.env()) as first:
        task_id = begin_modern(first, "evaluate", expression=ENDLESS, timeout_seconds=600)
    with Client(env=image.env()) as second:
        assert "error" not in second.request("tasks/cancel", taskId=task_id, _meta=MODERN)
        running = second.request("tools/call", name="get_status", arguments={}, _meta=MODERN)["result"]
        assert task_id not in whole(running)
