"""The official Python client as a judge: all its modes, over a real pipe, against the practice image."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from pharo_mcp.resources import built_in_skills
from programs import PATIENCE, LiveImage

MODES: list[Any] = ["auto", "legacy", "2026-07-28"]


@asynccontextmanager
async def connected(image: LiveImage, mode: str, *arguments: str) -> AsyncIterator[Client]:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "pharo_mcp", *arguments], env=image.env()
    )
    with anyio.fail_after(PATIENCE):
        async with Client(server, mode=mode) as client:
            yield client


@pytest.mark.parametrize("mode", MODES)
def test_it_lists_and_calls_everything(image: LiveImage, mode: str) -> None:
    async def session() -> None:
        async with connected(image, mode) as client:
            if mode != "2026-07-28":  # pinned to a modern revision it asks nobody who is there
                assert client.server_info is not None
                assert client.server_info.name == "pharo-mcp"
            await list_everything(client)
            await call_every_tool(client, image.system)
            await read_every_resource(client, image.system)
            await get_every_prompt(client)

    anyio.run(session)


async def list_everything(client: Client) -> None:
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert {"evaluate", "search", "get_class", "edit_code", "run_tests", "undo_change"} < tools
    resources = {str(one.uri) for one in (await client.list_resources()).resources}
    assert resources == {
        "pharo://system/version",
        "pharo://system/status",
        "pharo://changes",
        "pharo://handed-over",
        *(skill.uri for skill in built_in_skills()),
    }
    templates = {one.uri_template for one in (await client.list_resource_templates()).resource_templates}
    assert {"pharo://class/{className}", "pharo://class/{className}/method/{selector}"} < templates
    assert len((await client.list_prompts()).prompts) == 7


async def call_every_tool(client: Client, system: str) -> None:
    seven = await client.call_tool("evaluate", {"expression": "3 + 4"})
    assert (text(seven.content[0]), bool(seven.is_error)) == ("7", False)
    divided = await client.call_tool("evaluate", {"expression": "1/0"})
    assert divided.is_error
    assert text(divided.content[0]).startswith("ZeroDivide")
    details = await client.call_tool("get_class", {"class_name": "OrderedCollection"})
    assert "SequenceableCollection << #OrderedCollection" in text(details.content[0])
    version = await client.call_tool("get_version")
    assert system in text(version.content[0])


async def read_every_resource(client: Client, system: str) -> None:
    version = await client.read_resource("pharo://system/version")
    assert text(version.contents[0]) == system
    details = await client.read_resource("pharo://class/OrderedCollection")
    assert details.contents[0].mime_type == "application/json"


async def get_every_prompt(client: Client) -> None:
    review = await client.get_prompt("review-class", {"className": "OrderedCollection", "focus": "naming"})
    assert review.description == "Code review for OrderedCollection"
    assert text(review.messages[0].content).startswith("Please review the class OrderedCollection.")
    assert "naming" in text(review.messages[0].content)


def text(content: Any) -> str:
    return str(content.text)
