"""The official client's way over HTTP, with our token."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

from programs import PATIENCE

TOKEN = "a-token-for-the-judge"


@asynccontextmanager
async def over_http(url: str) -> AsyncIterator[Any]:
    """What a client is made with."""
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=PATIENCE) as http:
        yield streamable_http_client(url, http_client=http)
