"""LangChain's adapters for MCP."""

import asyncio
import sys

from langchain_mcp_adapters.client import MultiServerMCPClient


async def main():
    entry = {"command": sys.argv[1], "args": sys.argv[2:], "transport": "stdio"}
    tools = {tool.name: tool for tool in await MultiServerMCPClient({"pharo": entry}).get_tools()}
    result = await tools["evaluate"].ainvoke({"expression": "3 + 4"})
    print(result if isinstance(result, str) else result[0]["text"])


asyncio.run(main())
