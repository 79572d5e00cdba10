"""The official Python SDK."""

import asyncio
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters


async def main():
    async with Client(StdioServerParameters(command=sys.argv[1], args=sys.argv[2:])) as client:
        result = await client.call_tool("evaluate", {"expression": "3 + 4"})
        print(result.content[0].text)


asyncio.run(main())
