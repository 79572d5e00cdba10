// The official TypeScript SDK.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...args] = process.argv.slice(2);
const client = new Client({ name: "pharo-mcp-clients", version: "1.0.0" });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const result = await client.callTool({ name: "evaluate", arguments: { expression: "3 + 4" } });
console.log(result.content[0].text);
await client.close();
