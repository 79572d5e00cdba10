"""The official clients as judges of tasks: one is begun, its client goes and comes back; one is cancelled."""

import json
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, MCPError
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.client.stdio import StdioServerParameters
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    CancelTaskRequest,
    CancelTaskRequestParams,
    CancelTaskResult,
    CreateTaskResult,
    GetTaskPayloadRequest,
    GetTaskPayloadRequestParams,
    GetTaskRequest,
    GetTaskRequestParams,
    GetTaskResult,
    Request,
    RequestParams,
    Result,
    TaskMetadata,
)

from programs import PATIENCE, LiveImage
from third_party.web import TOKEN, over_http

MODULES = Path(__file__).parents[2] / ".venv" / "inspector" / "node_modules"
SLOWLY = {"expression": "(Delay forMilliseconds: 1500) wait. 6 * 7"}
ENDLESS = {"expression": "[ true ] whileTrue: [ (Delay forMilliseconds: 10) wait ]", "timeout_seconds": 600}

pytestmark = pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")


def run(session: Callable[[], Awaitable[None]]) -> None:
    """Run a session with a bound on its time."""

    async def bounded() -> None:
        with anyio.fail_after(PATIENCE):
            await session()

    anyio.run(bounded)


# The Python client in 2025-11-25.


async def begin(client: Client, arguments: dict[str, Any]) -> str:
    """The id of a new task. The client's own `send_request` takes only results of tools for `tools/call`."""
    params = CallToolRequestParams(name="evaluate", arguments=arguments, task=TaskMetadata(ttl=60_000))
    wire = params.model_dump(by_alias=True, mode="json", exclude_none=True)
    raw = await client.session._dispatcher.send_raw_request("tools/call", wire)
    created = CreateTaskResult.model_validate(raw)
    assert created.task.status == "working"
    return created.task.task_id


async def status(client: Client, task_id: str) -> str:
    request = GetTaskRequest(params=GetTaskRequestParams(task_id=task_id))
    return (await client.session.send_request(request, GetTaskResult)).status


async def result(client: Client, task_id: str, seconds: float | None = None) -> Any:
    request = GetTaskPayloadRequest(params=GetTaskPayloadRequestParams(task_id=task_id))
    found = await client.session.send_request(request, CallToolResult, request_read_timeout_seconds=seconds)
    return found.content[0].text  # type: ignore[union-attr]


def test_the_python_client_follows_a_task_and_cancels_one(url: str) -> None:
    async def session() -> None:
        async with over_http(url) as server, Client(server, mode="legacy") as client:
            task_id = await begin(client, SLOWLY)
            with pytest.raises(MCPError):  # it gives up, as one whose connection broke
                await result(client, task_id, 0.2)
            assert await result(client, task_id) == "42"
            assert await status(client, task_id) == "completed"
            task_id = await begin(client, ENDLESS)
            cancel = CancelTaskRequest(params=CancelTaskRequestParams(task_id=task_id))
            cancelled = await client.session.send_request(cancel, CancelTaskResult)
            assert cancelled.status == await status(client, task_id) == "cancelled"

    run(session)


# The Python client in 2026-07-28.


class CreatedTask(Result):
    """What the extension has instead of the result of a call."""

    result_type: Literal["task"] = "task"
    task_id: str
    status: str


class DetailedTask(Result):
    """What `tasks/get` answers."""

    task_id: str
    status: str
    result: dict[str, Any] | None = None


class TaskParams(RequestParams):
    """The params of the extension's requests."""

    task_id: str


class GetModernTask(Request[TaskParams, Literal["tasks/get"]]):
    """Asks for a task."""

    method: Literal["tasks/get"] = "tasks/get"
    params: TaskParams
    name_param = "taskId"


class CancelModernTask(Request[TaskParams, Literal["tasks/cancel"]]):
    """Cancels a task."""

    method: Literal["tasks/cancel"] = "tasks/cancel"
    params: TaskParams
    name_param = "taskId"


async def look(client: Client, task_id: str) -> DetailedTask:
    request = GetModernTask(params=TaskParams(task_id=task_id))
    return await client.session.send_request(request, DetailedTask)


class Tasks(ClientExtension):
    """The extension, as a client brings it along."""

    identifier = "io.modelcontextprotocol/tasks"

    def claims(self) -> list[ResultClaim[Any]]:
        """Follow a task to its end when a call becomes one."""
        return [ResultClaim(result_type="task", model=CreatedTask, resolve=self.resolve)]

    async def resolve(self, created: CreatedTask, context: ClaimContext) -> CallToolResult:
        """The result of the call."""
        while True:
            request = GetModernTask(params=TaskParams(task_id=created.task_id))
            task = await context.session.send_request(request, DetailedTask)
            if task.result:
                return CallToolResult.model_validate(task.result)
            await anyio.sleep(0.1)


@asynccontextmanager
async def modern(where: str, image: LiveImage, url: str) -> AsyncIterator[Client]:
    """A client of a process of its own, or of the one that serves HTTP."""
    if where == "stdio":
        command = ["-m", "pharo_mcp"]
        server = StdioServerParameters(command=sys.executable, args=command, env=image.env())
        async with Client(server, mode="2026-07-28", extensions=[Tasks()]) as client:
            yield client
    else:
        async with (
            over_http(url) as web,
            Client(web, mode="2026-07-28", extensions=[Tasks()]) as client,
        ):
            yield client


@pytest.mark.parametrize("where", ["stdio", "http"])
def test_the_python_client_gets_the_result_of_a_call_that_becomes_a_task(
    where: str, image: LiveImage, url: str
) -> None:
    async def session() -> None:
        async with modern(where, image, url) as client:
            found = await client.call_tool("evaluate", SLOWLY)
            assert found.content[0].text == "42"  # type: ignore[union-attr]

    run(session)


@pytest.mark.parametrize("where", ["stdio", "http"])
def test_the_python_client_comes_back_for_its_task_and_cancels_one(
    where: str, image: LiveImage, url: str
) -> None:
    async def session() -> None:
        async with modern(where, image, url) as client:
            begun: Any = await client.session.call_tool("evaluate", SLOWLY, allow_claimed=True)
        async with modern(where, image, url) as client:
            while (task := await look(client, begun.task_id)).status == "working":
                await anyio.sleep(0.1)
            assert task.result
            assert task.result["content"][0]["text"] == "42"
            endless: Any = await client.session.call_tool("evaluate", ENDLESS, allow_claimed=True)
            cancel = CancelModernTask(params=TaskParams(task_id=endless.task_id))
            await client.session.send_request(cancel, Result)
            assert (await look(client, endless.task_id)).status == "cancelled"

    run(session)


# The TypeScript client, with the package for tasks that its hosts use.


@pytest.mark.skipif(
    shutil.which("node") is None or not (MODULES / "@modelcontextprotocol" / "ext-tasks").exists(),
    reason="the Inspector, which brings the packages, needs node and npm; scripts/test installs it",
)
@pytest.mark.parametrize("era", ["legacy", "modern"])
def test_the_typescript_client_comes_back_for_its_task_and_cancels_one(url: str, era: str) -> None:
    program = Path(__file__).with_name("tasks.mjs")
    done = subprocess.run(
        ["node", program, MODULES, url, TOKEN, era],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert (seen["text"], seen["snapshot"]["status"]) == ("42", "cancelled")
