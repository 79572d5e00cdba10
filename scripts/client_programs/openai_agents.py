"""The OpenAI Agents SDK."""

import asyncio
import sys

from agents.mcp import MCPServerStdio


async def main():
    async with MCPServerStdio(params={"command": sys.argv[1], "args": sys.argv[2:]}) as server:
        result = await server.call_tool("evaluate", {"expression": "3 + 4"})
        print(result.content[0].text)


asyncio.run(main())
