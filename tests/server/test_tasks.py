"""Calls that are tasks: made, followed, listed, cancelled, forgotten; in both eras."""

from collections.abc import Iterator, Mapping, Sequence
from queue import SimpleQueue
from threading import Thread
from typing import Any

import pytest

from pharo_mcp.protocol.call import Call, ClientQuestion, ClientRequest, OnResult, Result
from pharo_mcp.protocol.catalog import CallFailed, Catalog, LongWork, Tool, ToolError, ToolResult, Unfinished
from pharo_mcp.server.methods import ask_client
from pharo_mcp.server.tasks import MOST_TASKS, Task, TaskEvent, Tasks, TaskState
from pharo_mcp.times import TASK_MILLISECONDS
from pharo_mcp.wire.jsonrpc import InternalError
from programs import PATIENCE
from server.conversation import ANYTHING, MODERN, Conversation, Workbench

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
EXTENSION: Any = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
DECLARED = {**MODERN, CAPABILITIES: EXTENSION}
RELATED = "io.modelcontextprotocol/related-task"
WORKING = ToolResult((), unfinished=Unfinished(1, "half of it", 2))
REALLY = ClientQuestion("q-1", "confirmation", "Really?")
STOPPED = ToolResult.from_error("It was stopped.", "cancelled")


class Jobs(Workbench):
    """Offers a tool whose calls go on until the test says what becomes of them."""

    def __init__(self) -> None:
        super().__init__()
        self.results: dict[str, ToolResult | Exception] = {}
        self.begins_with: ToolResult = WORKING

    def begin(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Begin the work of a call under the id that was chosen for it."""
        if call.work_id is None:
            return ToolResult.from_text("waited for")
        self.results[call.work_id] = self.begins_with
        return self.begins_with

    def follow(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """What has become of it."""
        found = self.results.get(str(arguments["evaluation_id"]), ToolError("Unknown.", "unknownEvaluation"))
        if isinstance(found, Exception):
            raise found
        return found

    def stop(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """End it."""
        self.results[str(arguments["evaluation_id"])] = STOPPED
        return ToolResult.from_text("")

    def take(self, evaluation: str, question: ClientQuestion, result: Result | None) -> None:
        """Go on when the only question is answered."""
        self.results[evaluation] = ToolResult.from_text(f"{question.text} {result}")

    def refuse(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Begin nothing."""
        raise ToolError("The image is busy.", "busy")

    @property
    def catalog(self) -> Catalog:
        """The usual, and three tools whose calls take long."""
        work = LongWork(self.follow, self.stop, self.take)
        more = (
            Tool("job", "Takes long.", ANYTHING, self.begin, long_work=work),
            Tool("must", "Takes too long.", ANYTHING, self.begin, long_work=work, needs_task=True),
            Tool("refused", "Is refused.", ANYTHING, self.refuse, long_work=work),
        )
        usual = super().catalog
        return usual._replace(tools=usual.tools + more)


@pytest.fixture
def jobs() -> Jobs:
    return Jobs()


@pytest.fixture
def client(jobs: Jobs) -> Iterator[Conversation]:
    """A conversation of which nothing was said yet."""
    conversation = Conversation(jobs)
    yield conversation
    conversation.connection.close()
    conversation.wait_for_the_end()


@pytest.fixture
def legacy(client: Conversation) -> Conversation:
    client.shake_hands()
    return client


def answer_to(client: Conversation, request_id: str) -> Any:
    """The answer to a request; other answers are kept, what is told is not."""
    early: dict[str, Any] = vars(client).setdefault("early", {})
    while request_id not in early:
        message = client.receive()
        if "id" in message:
            early[message["id"]] = message
    return early.pop(request_id)


def ask(client: Conversation, method: str, **params: object) -> Any:
    client.request("asked", method, **params)
    return answer_to(client, "asked")


def told(client: Conversation, method: str) -> Any:
    """The params of the next notification of a method."""
    while (message := client.receive()).get("method") != method:
        pass
    return message["params"]


def begin(client: Conversation, tool: str = "job", **params: object) -> Any:
    """The task that a legacy call becomes."""
    return ask(client, "tools/call", name=tool, arguments={}, **{"task": {}, **params})["result"]["task"]


def begin_modern(client: Conversation, tool: str = "job") -> Any:
    return ask(client, "tools/call", name=tool, arguments={}, _meta=DECLARED)["result"]


def code(answer: Any) -> int:
    return int(answer["error"]["code"])


# In 2025-11-25.


def test_a_tool_says_whether_its_calls_can_be_tasks(legacy: Conversation) -> None:
    tools = {tool["name"]: tool.get("execution") for tool in ask(legacy, "tools/list")["result"]["tools"]}
    assert tools["job"] == {"taskSupport": "optional"}
    assert tools["must"] == {"taskSupport": "required"}
    assert tools["echo"] is None


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_earlier_revisions_know_no_tasks(client: Conversation, revision: str) -> None:
    client.shake_hands(revision)
    assert not any("execution" in tool for tool in ask(client, "tools/list")["result"]["tools"])
    called = ask(client, "tools/call", name="must", arguments={}, task={})
    assert called["result"]["content"][0]["text"] == "waited for"
    for method in ("tasks/get", "tasks/list", "tasks/result", "tasks/cancel", "tasks/update"):
        assert code(ask(client, method, taskId="t-1")) == -32601


def test_a_call_becomes_a_task_whose_result_is_waited_for(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy, task={"ttl": 60_000})
    assert (task["status"], task["ttl"], task["pollInterval"]) == ("working", 60_000, 1_000)
    legacy.request("result", "tasks/result", taskId=task["taskId"])
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "working"
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    result = answer_to(legacy, "result")["result"]
    assert result["content"] == [{"type": "text", "text": "done"}]
    assert result["_meta"] == {RELATED: {"taskId": task["taskId"]}}
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "completed"


def test_the_message_of_a_working_task_says_how_far_it_is(legacy: Conversation) -> None:
    task = begin(legacy)
    shown = ask(legacy, "tasks/get", taskId=task["taskId"])["result"]
    assert shown["statusMessage"] == "half of it"
    assert "_meta" not in shown


def test_an_error_of_the_tool_is_a_failed_task_with_the_result(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = ToolResult.from_error("ZeroDivide\nStack", "exception")
    result = ask(legacy, "tasks/result", taskId=task["taskId"])["result"]
    assert (result["isError"], result["content"][0]["text"]) == (True, "ZeroDivide\nStack")
    shown = ask(legacy, "tasks/get", taskId=task["taskId"])["result"]
    assert (shown["status"], shown["statusMessage"]) == ("failed", "ZeroDivide")


def test_an_error_for_the_client_is_the_result_of_its_task(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = CallFailed("The archive is damaged.")
    answer = ask(legacy, "tasks/result", taskId=task["taskId"])
    assert answer["error"] == {"code": -32603, "message": "The archive is damaged."}


def test_work_that_never_began_is_a_task_with_the_reason(legacy: Conversation) -> None:
    task = begin(legacy, "refused")
    assert task["status"] == "working"
    result = ask(legacy, "tasks/result", taskId=task["taskId"])["result"]
    assert (result["isError"], result["content"][0]["text"]) == (True, "The image is busy.")


def test_an_evaluation_that_the_image_has_lost_is_a_failed_task(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    del jobs.results[task["taskId"]]
    assert code(ask(legacy, "tasks/result", taskId=task["taskId"])) == -32603
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "failed"


def test_a_result_that_the_image_no_longer_has_leaves_the_task_as_it_ended(
    legacy: Conversation, jobs: Jobs
) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    assert "result" in ask(legacy, "tasks/result", taskId=task["taskId"])
    del jobs.results[task["taskId"]]
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "completed"
    assert code(ask(legacy, "tasks/result", taskId=task["taskId"])) == -32602


def test_a_task_of_an_image_that_does_not_answer_stays_as_it_was(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = ToolError("No image answers.", "unreachable")
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "working"
    assert code(ask(legacy, "tasks/cancel", taskId=task["taskId"])) == -32603


def test_a_cancelled_task_is_stopped_and_stays_cancelled(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    legacy.request("result", "tasks/result", taskId=task["taskId"])
    cancelled = ask(legacy, "tasks/cancel", taskId=task["taskId"])
    assert cancelled["result"]["status"] == "cancelled"
    assert answer_to(legacy, "result")["result"]["isError"]
    jobs.results[task["taskId"]] = ToolResult.from_text("done all the same")
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "cancelled"
    assert code(ask(legacy, "tasks/cancel", taskId=task["taskId"])) == -32602


def test_a_task_that_somebody_else_stopped_is_cancelled(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = STOPPED
    assert ask(legacy, "tasks/result", taskId=task["taskId"])["result"]["isError"]
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "cancelled"


def test_a_task_that_has_ended_cannot_be_cancelled(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    assert code(ask(legacy, "tasks/cancel", taskId=task["taskId"])) == -32602
    assert ask(legacy, "tasks/result", taskId=task["taskId"])["result"]["content"]


def test_the_client_is_told_of_a_new_status_and_of_progress(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy, _meta={"progressToken": "p"})
    jobs.results[task["taskId"]] = ToolResult((), unfinished=Unfinished(2, "nearly", 3))
    progress = told(legacy, "notifications/progress")
    assert progress["progressToken"] == "p"
    assert progress["_meta"] == {RELATED: {"taskId": task["taskId"]}}
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    status = told(legacy, "notifications/tasks/status")
    assert (status["taskId"], status["status"]) == (task["taskId"], "completed")
    assert "_meta" not in status


def test_progress_that_does_not_increase_is_not_told(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy, _meta={"progressToken": "p"})
    jobs.results[task["taskId"]] = ToolResult((), unfinished=Unfinished(2, "forth"))
    while told(legacy, "notifications/progress")["progress"] != 2:
        pass  # the first may be told before the task is answered, or after that
    jobs.results[task["taskId"]] = ToolResult((), unfinished=Unfinished(0.5, "back"))
    shown = ask(legacy, "tasks/get", taskId=task["taskId"])["result"]
    assert shown["statusMessage"] == "back"
    jobs.results[task["taskId"]] = ToolResult((), unfinished=Unfinished(3, "on"))
    assert told(legacy, "notifications/progress")["progress"] == 3


def test_a_task_can_wait_for_a_person(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    jobs.results[task["taskId"]] = ToolResult((), unfinished=Unfinished(1, "Really?", asks=(REALLY,)))
    assert told(legacy, "notifications/tasks/status")["status"] == "input_required"
    assert ask(legacy, "tasks/get", taskId=task["taskId"])["result"]["status"] == "input_required"


def test_the_tasks_of_a_client_are_listed(legacy: Conversation) -> None:
    ids = [begin(legacy)["taskId"] for _ in range(3)]
    listed = ask(legacy, "tasks/list")["result"]
    assert [task["taskId"] for task in listed["tasks"]] == ids
    assert code(ask(legacy, "tasks/list", cursor="1000")) == -32602


def test_the_tasks_of_another_client_are_not_there(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    other = Conversation(jobs, event_bus=legacy.event_bus)
    try:
        other.shake_hands()
        assert ask(other, "tasks/list")["result"]["tasks"] == []
        for method in ("tasks/get", "tasks/result", "tasks/cancel"):
            assert code(ask(other, method, taskId=task["taskId"])) == -32602
    finally:
        other.connection.close()
        other.wait_for_the_end()


@pytest.mark.parametrize("task_id", ["t-1", "", None, 7, "t-" + "0" * 30])
def test_a_task_must_be_named(legacy: Conversation, task_id: object) -> None:
    for method in ("tasks/get", "tasks/result", "tasks/cancel"):
        assert code(ask(legacy, method, taskId=task_id)) == -32602


@pytest.mark.parametrize("task", [7, [], {"ttl": "long"}, {"ttl": -1}, {"ttl": True}])
def test_the_parameters_of_a_task_are_checked(legacy: Conversation, task: object) -> None:
    assert code(ask(legacy, "tools/call", name="job", arguments={}, task=task)) == -32602


def test_no_task_is_kept_for_longer_than_the_limit(legacy: Conversation) -> None:
    assert begin(legacy, task={"ttl": 10**12})["ttl"] == TASK_MILLISECONDS
    assert begin(legacy)["ttl"] == TASK_MILLISECONDS


def test_a_tool_says_no_to_what_it_does_not_support(legacy: Conversation) -> None:
    assert code(ask(legacy, "tools/call", name="echo", arguments={"text": "x"}, task={})) == -32601
    assert code(ask(legacy, "tools/call", name="must", arguments={})) == -32601


def test_a_result_that_is_waited_for_can_be_given_up(legacy: Conversation, jobs: Jobs) -> None:
    task = begin(legacy)
    legacy.request("result", "tasks/result", taskId=task["taskId"])
    legacy.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "result"}})
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    assert ask(legacy, "tasks/result", taskId=task["taskId"])["result"]["content"][0]["text"] == "done"


# In 2026-07-28.


def test_a_modern_client_that_knows_tasks_gets_one_for_what_takes_long(
    client: Conversation, jobs: Jobs
) -> None:
    task = begin_modern(client)
    assert (task["resultType"], task["status"], task["statusMessage"]) == ("task", "working", "half of it")
    assert (task["ttlMs"], task["pollIntervalMs"]) == (TASK_MILLISECONDS, 1_000)
    assert not task.keys() & {"ttl", "pollInterval", "result", "task"}
    working = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert (working["resultType"], working["status"]) == ("complete", "working")
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    done = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert done["status"] == "completed"
    assert done["result"] == {
        "resultType": "complete",
        "content": [{"type": "text", "text": "done"}],
        "isError": False,
    }


def test_a_modern_client_gets_the_result_of_what_does_not_take_long(client: Conversation, jobs: Jobs) -> None:
    jobs.begins_with = ToolResult.from_text("done")
    result = begin_modern(client)
    assert (result["resultType"], result["content"][0]["text"]) == ("complete", "done")
    assert begin_modern(client, "must")["resultType"] == "task"


def test_a_modern_client_hears_which_capability_a_call_needs(client: Conversation, jobs: Jobs) -> None:
    error = {"kind": "cannotAsk", "ability": "roots"}
    jobs.begins_with = ToolResult.from_error("You cannot ask.")._replace(error=error)
    refused = ask(client, "tools/call", name="job", arguments={}, _meta=DECLARED)
    assert code(refused) == -32021


def test_a_modern_client_that_does_not_know_tasks_waits(client: Conversation) -> None:
    called = ask(client, "tools/call", name="job", arguments={}, task={"ttl": 1}, _meta=MODERN)["result"]
    assert called["content"][0]["text"] == "waited for"
    refused = ask(client, "tools/call", name="must", arguments={}, _meta=MODERN)
    assert refused["error"]["data"] == {"requiredCapabilities": EXTENSION}
    assert code(refused) == -32021


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
def test_the_methods_of_tasks_need_the_extension(client: Conversation, method: str) -> None:
    assert code(ask(client, method, taskId="t-1", inputResponses={}, _meta=MODERN)) == -32021
    assert code(ask(client, method, taskId="t-1", inputResponses={}, _meta=DECLARED)) == -32602


@pytest.mark.parametrize("method", ["tasks/list", "tasks/result"])
def test_methods_that_the_extension_lacks_are_not_there(client: Conversation, method: str) -> None:
    assert code(ask(client, method, taskId="t-1", _meta=DECLARED)) == -32601


def test_a_modern_task_with_an_error_of_the_tool_is_completed(client: Conversation, jobs: Jobs) -> None:
    task = begin_modern(client)
    jobs.results[task["taskId"]] = ToolResult.from_error("ZeroDivide", "exception")
    done = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert (done["status"], done["result"]["isError"]) == ("completed", True)


def test_a_modern_task_with_an_error_for_the_client_has_failed(client: Conversation, jobs: Jobs) -> None:
    task = begin_modern(client)
    jobs.results[task["taskId"]] = CallFailed("The archive is damaged.")
    failed = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert failed["status"] == "failed"
    assert failed["error"] == {"code": -32603, "message": "The archive is damaged."}
    assert "result" not in failed


def test_cancelling_a_modern_task_is_acknowledged_more_than_once(client: Conversation) -> None:
    task = begin_modern(client)
    for _ in range(2):
        acknowledged = ask(client, "tasks/cancel", taskId=task["taskId"], _meta=DECLARED)["result"]
        assert acknowledged.keys() == {"resultType", "_meta"}
    shown = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert shown["status"] == "cancelled"
    assert "result" not in shown


def test_answers_to_questions_that_are_not_open_are_ignored(client: Conversation) -> None:
    task = begin_modern(client)
    update = {"taskId": task["taskId"], "_meta": DECLARED}
    acknowledged = ask(client, "tasks/update", inputResponses={"other": {}}, **update)["result"]
    assert acknowledged.keys() == {"resultType", "_meta"}
    assert code(ask(client, "tasks/update", inputResponses=[], **update)) == -32602


def test_a_modern_client_finds_its_task_after_another_process_took_over(
    client: Conversation, jobs: Jobs
) -> None:
    task = begin_modern(client)
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    later = Conversation(jobs)
    try:
        done = ask(later, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
        assert done["result"]["content"][0]["text"] == "done"
        assert done["createdAt"][:19] == task["createdAt"][:19]
    finally:
        later.connection.close()
        later.wait_for_the_end()


def test_a_modern_client_listens_to_tasks(client: Conversation, jobs: Jobs) -> None:
    task, other = begin_modern(client), begin_modern(client)
    wanted = {"taskIds": [task["taskId"], "t-1"]}
    client.request("here", "subscriptions/listen", notifications=wanted, _meta=DECLARED)
    acknowledged = told(client, "notifications/subscriptions/acknowledged")
    assert acknowledged["notifications"] == {"taskIds": [task["taskId"]]}
    jobs.results[other["taskId"]] = jobs.results[task["taskId"]] = ToolResult.from_text("done")
    while (heard := told(client, "notifications/tasks"))["status"] != "completed":
        assert heard["taskId"] == task["taskId"]
    assert heard["_meta"] == {"io.modelcontextprotocol/subscriptionId": "here"}
    assert (heard["taskId"], heard["result"]["content"][0]["text"]) == (task["taskId"], "done")


def test_a_listener_is_told_of_a_task_that_has_ended_already(client: Conversation, jobs: Jobs) -> None:
    task = begin_modern(client)
    jobs.results[task["taskId"]] = ToolResult.from_text("done")
    assert ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]["status"] == "completed"
    wanted = {"taskIds": [task["taskId"]]}
    client.request("here", "subscriptions/listen", notifications=wanted, _meta=DECLARED)
    assert told(client, "notifications/tasks")["status"] == "completed"


def test_listening_to_tasks_needs_the_extension(client: Conversation) -> None:
    refused = ask(client, "subscriptions/listen", notifications={"taskIds": []}, _meta=MODERN)
    assert code(refused) == -32021


# The tasks of a process.


class Clock:
    """A clock that the test moves on."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.5

    def __call__(self) -> float:
        """The time."""
        return self.now


def kept(jobs: Jobs) -> tuple[Tasks, Clock, SimpleQueue[TaskEvent]]:
    clock, events = Clock(), SimpleQueue[TaskEvent]()
    return Tasks(events.put, clock), clock, events


def add(tasks: Tasks, jobs: Jobs, result: ToolResult = WORKING, milliseconds: int = 1_000) -> Task:
    task = tasks.new_task(LongWork(jobs.follow, jobs.stop, jobs.take))
    task.milliseconds = milliseconds
    jobs.results[task.id] = result
    tasks.add(task)
    return task


def test_a_task_is_forgotten_after_its_time(jobs: Jobs) -> None:
    tasks, clock, _ = kept(jobs)
    task = add(tasks, jobs)
    assert tasks.all_of(None) == [tasks.find(task.id, None)] == [task]
    clock.now += 1.1
    assert tasks.find(task.id, None) is None
    assert tasks.all_of(None) == []


def test_the_task_of_another_process_is_not_found_after_its_time(jobs: Jobs) -> None:
    tasks, clock, _ = kept(jobs)
    task = tasks.new_task(LongWork(jobs.follow, jobs.stop, jobs.take))
    jobs.results[task.id] = ToolResult.from_text("done")
    clock.now += TASK_MILLISECONDS / 1000 + 1
    assert tasks.adopt(task.id, task.work) is None


def test_whoever_waits_for_a_task_goes_on_after_its_time(jobs: Jobs) -> None:
    tasks, clock, _ = kept(jobs)
    task = add(tasks, jobs)
    waiting = Thread(target=tasks.wait, args=[task, Call(), lambda state: None], daemon=True)
    waiting.start()
    clock.now += 1.1
    waiting.join(PATIENCE)
    assert not waiting.is_alive()


def test_whoever_waits_for_a_task_goes_on_when_cancelled(jobs: Jobs) -> None:
    tasks, clock, _ = kept(jobs)
    task, call = add(tasks, jobs, milliseconds=TASK_MILLISECONDS), Call()
    waiting = Thread(target=tasks.wait, args=[task, call, lambda state: None], daemon=True)
    waiting.start()
    call.cancel()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()
    clock.now += TASK_MILLISECONDS


def test_a_new_task_takes_the_place_of_the_oldest_that_has_ended(jobs: Jobs) -> None:
    tasks, clock, _ = kept(jobs)
    ended = add(tasks, jobs, ToolResult.from_text("done"), TASK_MILLISECONDS)
    assert tasks.look(ended).status == "completed"
    for _ in range(MOST_TASKS - 1):
        add(tasks, jobs, milliseconds=TASK_MILLISECONDS)
    add(tasks, jobs, milliseconds=TASK_MILLISECONDS)
    assert tasks.find(ended.id, None) is None
    with pytest.raises(InternalError, match="working already"):
        tasks.new_task(LongWork(jobs.follow, jobs.stop, jobs.take))
    clock.now += TASK_MILLISECONDS


def test_a_task_whose_image_stays_silent_has_failed(jobs: Jobs) -> None:
    tasks, clock, events = kept(jobs)
    task = add(tasks, jobs, milliseconds=TASK_MILLISECONDS)
    jobs.results[task.id] = ToolError("No image answers.", "unreachable")
    clock.now += 61
    while (event := events.get(timeout=PATIENCE)).state.status != "failed":
        pass
    assert event.state.message == "No image answers."


def test_a_bug_in_following_a_task_fails_that_task_alone(
    jobs: Jobs, caplog: pytest.LogCaptureFixture
) -> None:
    tasks, _, events = kept(jobs)
    faulty = add(tasks, jobs, milliseconds=TASK_MILLISECONDS)
    good = add(tasks, jobs, milliseconds=TASK_MILLISECONDS)
    jobs.results[faulty.id] = RuntimeError("a secret that belongs into the log")
    while (event := events.get(timeout=PATIENCE)).state.status != "failed":
        pass
    assert (event.task, "secret" in str(event.state)) == (faulty, False)
    assert "a secret" in caplog.text
    jobs.results[good.id] = ToolResult.from_text("done")
    while events.get(timeout=PATIENCE).state.status != "completed":
        pass


def test_ids_are_unguessable_and_tell_when_the_task_was_created(jobs: Jobs) -> None:
    tasks, clock, _ = kept(jobs)
    first, second = add(tasks, jobs), add(tasks, jobs)
    assert first.id[:10] == second.id[:10]
    assert first.id[10:] != second.id[10:]
    assert len(first.id) == 32
    assert int(first.id[2:10], 16) == int(clock.now)


def test_a_paused_evaluation_ends_its_task() -> None:
    paused = ToolResult.from_text("Paused on ZeroDivide; evaluation_id: t-1")
    assert TaskState.of(paused, 0.0).status == "completed"


# Tasks that ask a person.


ASKING = ToolResult((), unfinished=Unfinished(1, "Really?", asks=(REALLY,)))
ANSWER = {"action": "accept", "content": {"answer": True}}


def test_whoever_waits_for_the_result_of_a_legacy_task_is_asked(client: Conversation, jobs: Jobs) -> None:
    about = {"capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}}
    ask(client, "initialize", protocolVersion="2025-11-25", **about)
    task = begin(client)
    jobs.results[task["taskId"]] = ASKING
    assert told(client, "notifications/tasks/status")["status"] == "input_required"
    client.request("result", "tasks/result", taskId=task["taskId"])
    while (asked := client.receive()).get("method") != "elicitation/create":
        pass
    assert asked["params"]["message"] == "Really?"
    assert asked["params"]["_meta"] == {RELATED: {"taskId": task["taskId"]}}
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": ANSWER})
    result = answer_to(client, "result")["result"]
    assert result["content"][0]["text"] == f"Really? {ANSWER}"


def test_a_legacy_task_asks_while_its_result_is_waited_for(client: Conversation, jobs: Jobs) -> None:
    about = {"capabilities": {"elicitation": {}}, "clientInfo": {"name": "t", "version": "1"}}
    ask(client, "initialize", protocolVersion="2025-11-25", **about)
    task = begin(client)
    client.request("result", "tasks/result", taskId=task["taskId"])
    assert ask(client, "ping")["result"] == {}
    jobs.results[task["taskId"]] = ASKING
    while (asked := client.receive()).get("method") != "elicitation/create":
        pass
    client.send({"jsonrpc": "2.0", "id": asked["id"], "result": {"action": "decline"}})
    assert "decline" in answer_to(client, "result")["result"]["content"][0]["text"]


def test_a_legacy_task_asks_nobody_again_what_was_answered(jobs: Jobs) -> None:
    class Answering:
        can_ask: Sequence[str] = ("person",)
        evaluation: str | None = None

        def ask(
            self,
            requests: Sequence[ClientRequest],
            evaluation: str | None,
            on_result: OnResult,
            seconds: float,
        ) -> bool:
            for request in requests:
                on_result(request, ANSWER)
            return True

        def withdraw(self, evaluation: str | None) -> None:
            """Nothing waits."""

    tasks = Tasks(lambda event: None)
    task = tasks.new_task(LongWork(jobs.follow, jobs.stop, jobs.take))
    jobs.results[task.id] = ASKING
    tasks.add(task)
    ask_client(Answering(), tasks, task, TaskState.of(ASKING, task.created_at))
    assert task.state.status == "completed"


def test_a_modern_task_shows_its_questions_and_takes_the_answers(client: Conversation, jobs: Jobs) -> None:
    task = begin_modern(client)
    jobs.results[task["taskId"]] = ASKING
    shown = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert shown["status"] == "input_required"
    assert shown["inputRequests"]["q-1"]["method"] == "elicitation/create"
    update = {"taskId": task["taskId"], "_meta": DECLARED}
    for wrong in ({"q-2": ANSWER}, {"q-1": {"action": "accept", "content": {"answer": "perhaps"}}}):
        assert "result" in ask(client, "tasks/update", inputResponses=wrong, **update)
        asked = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
        assert asked["status"] == "input_required"
    assert "result" in ask(client, "tasks/update", inputResponses={"q-1": ANSWER}, **update)
    done = ask(client, "tasks/get", taskId=task["taskId"], _meta=DECLARED)["result"]
    assert done["result"]["content"][0]["text"] == f"Really? {ANSWER}"
