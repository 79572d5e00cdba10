"""FastMCP."""

import asyncio
import sys

from fastmcp import Client


async def main():
    entry = {"command": sys.argv[1], "args": sys.argv[2:]}
    async with Client({"mcpServers": {"pharo": entry}}) as client:
        result = await client.call_tool("evaluate", {"expression": "3 + 4"})
        print(result.content[0].text)


asyncio.run(main())
