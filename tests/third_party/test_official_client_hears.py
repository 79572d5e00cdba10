"""The official Python client as a judge of what is told unasked: in both eras, by both transports."""

import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

import anyio
import pytest
from anyio.abc import TaskStatus
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from programs import PATIENCE, LiveImage
from third_party.web import over_http

URI = "pharo://class/PmcHeardByJudges"
Next = Callable[[], Awaitable[str]]
"""Waits for what is heard next."""
Connect = Callable[[], AbstractAsyncContextManager[Any]]
"""What a client is made with, for as long as it lives."""

pytestmark = pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")


@pytest.fixture(params=["stdio", "http"])
def connect(request: pytest.FixtureRequest, image: LiveImage) -> Connect:
    if request.param == "stdio":
        return lambda: nullcontext(stdio(image))
    url: str = request.getfixturevalue("url")
    return lambda: over_http(url)


def stdio(image: LiveImage) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=["-m", "pharo_mcp"], env=image.env())


@asynccontextmanager
async def hearing(connect: Connect, mode: Any) -> AsyncIterator[tuple[Client, Next]]:
    """A client that wants to hear of tools and of a class, and how to wait for what it hears."""
    heard, waiting = anyio.create_memory_object_stream[str](1000)

    async def hear(message: Any) -> None:
        if told := getattr(message, "method", None):
            await heard.send(told)

    async def listen(client: Client, *, task_status: TaskStatus[None]) -> None:
        async with client.listen(tools_list_changed=True, resource_subscriptions=[URI]) as events:
            task_status.started()
            async for event in events:
                await heard.send(type(event).__name__)

    with anyio.fail_after(PATIENCE):
        async with (
            heard,
            waiting,
            connect() as server,
            Client(server, mode=mode, message_handler=hear) as client,
            anyio.create_task_group() as tasks,
        ):
            if mode == "legacy":
                await client.subscribe_resource(URI)
            else:
                await tasks.start(listen, client)
            yield client, waiting.receive
            tasks.cancel_scope.cancel()


TOOLS_CHANGED = {"notifications/tools/list_changed", "ToolsListChanged"}
RESOURCE_UPDATED = {"notifications/resources/updated", "ResourceUpdated"}


async def wait_for(heard: Next, wanted: set[str]) -> None:
    while await heard() not in wanted:
        pass


async def names_of_tools(client: Client) -> set[str]:
    return {tool.name for tool in (await client.list_tools()).tools}


async def evaluate(client: Client, expression: str) -> None:
    result = await client.call_tool("evaluate", {"expression": expression})
    assert not result.is_error, result


ADD = "PharoMcp addTool: (PmcTool name: 'judged' description: 'Judged' handler: [ 6 * 7 ])"
REMOVE = "PharoMcp removeTool: 'judged'"


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_it_sees_a_tool_appear_calls_it_and_sees_it_go(connect: Connect, mode: str) -> None:
    async def session() -> None:
        async with hearing(connect, mode) as (client, heard):
            assert "judged" not in await names_of_tools(client)
            await evaluate(client, ADD)
            await wait_for(heard, TOOLS_CHANGED)
            while "judged" not in await names_of_tools(client):
                await wait_for(heard, TOOLS_CHANGED)
            assert (await client.call_tool("judged")).content[0].text == "42"  # type: ignore[union-attr]
            await evaluate(client, REMOVE)
            while "judged" in await names_of_tools(client):
                await wait_for(heard, TOOLS_CHANGED)

    anyio.run(session)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_it_is_notified_of_a_class_that_another_client_changes(
    connect: Connect, image: LiveImage, mode: str
) -> None:
    async def session() -> None:
        async with hearing(connect, mode) as (client, heard), Client(stdio(image)) as other:
            await evaluate(client, "3 + 4")  # so that its image was met
            definition = "Object << #PmcHeardByJudges package: 'PharoMcp-ImageUpdate'"
            result = await other.call_tool("edit_code", {"text": definition})
            assert not result.is_error, result
            await wait_for(heard, RESOURCE_UPDATED)
            await evaluate(other, "(self class environment at: #PmcHeardByJudges) removeFromSystem")
            await wait_for(heard, RESOURCE_UPDATED)
            await evaluate(other, "self packageOrganizer removePackage: 'PharoMcp-ImageUpdate'")

    anyio.run(session)
