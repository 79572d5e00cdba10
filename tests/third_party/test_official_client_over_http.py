"""The official Python client as a judge of HTTP: all its modes, against the practice image."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest
from mcp import Client

from programs import PATIENCE, LiveImage
from third_party.test_official_client import (
    MODES,
    call_every_tool,
    get_every_prompt,
    list_everything,
    read_every_resource,
)
from third_party.web import over_http


@asynccontextmanager
async def connected(url: str, mode: str) -> AsyncIterator[Client]:
    with anyio.fail_after(PATIENCE):
        async with over_http(url) as server, Client(server, mode=mode) as client:
            yield client


@pytest.mark.parametrize("mode", MODES)
def test_it_lists_and_calls_everything(image: LiveImage, url: str, mode: str) -> None:
    async def session() -> None:
        async with connected(url, mode) as client:
            await list_everything(client)
            await call_every_tool(client, image.system)
            await read_every_resource(client, image.system)
            await get_every_prompt(client)

    anyio.run(session)


@pytest.mark.parametrize("mode", MODES)
def test_it_gets_progress(url: str, mode: str) -> None:
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async def session() -> None:
        async with connected(url, mode) as client:
            result = await client.call_tool(
                "evaluate", {"expression": "(Delay forSeconds: 3) wait. 42"}, progress_callback=hear
            )
            assert "42" in str(result.content[0])

    anyio.run(session)
    assert heard == sorted(heard)
    assert len(heard) > 1
