"""Pydantic AI."""

import asyncio
import sys

from fastmcp.client.transports import StdioTransport
from pydantic_ai.mcp import MCPToolset


async def main():
    async with MCPToolset(StdioTransport(command=sys.argv[1], args=sys.argv[2:])) as server:
        print(await server.direct_call_tool("evaluate", {"expression": "3 + 4"}))


asyncio.run(main())
