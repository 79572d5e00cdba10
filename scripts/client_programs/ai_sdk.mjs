// The AI SDK.
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport as Transport } from "@ai-sdk/mcp/mcp-stdio";

const [command, ...args] = process.argv.slice(2);
const client = await createMCPClient({ transport: new Transport({ command, args, env: process.env }) });
const tools = await client.tools();
const result = await tools.evaluate.execute({ expression: "3 + 4" }, { toolCallId: "1", messages: [] });
console.log(result.content[0].text);
await client.close();
