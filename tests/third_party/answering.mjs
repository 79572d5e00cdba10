// The official TypeScript client answers a question; prints the result of the call and what it was asked.
// Arguments: the folder of its packages, its mode, the expression, the answer, and the server's command.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [folder, mode, expression, answer, command, ...args] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const load = (name) => import(pathToFileURL(require.resolve(name)));
const { Client } = await load("@modelcontextprotocol/client");
const { StdioClientTransport } = await load("@modelcontextprotocol/client/stdio");

const asked = [];
const client = new Client(
  { name: "judge", version: "1" },
  { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode } },
);
client.setRequestHandler("elicitation/create", async ({ params }) => {
  asked.push(params.message);
  return answer === "decline"
    ? { action: "decline" }
    : { action: "accept", content: { answer: JSON.parse(answer) } };
});
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "inherit" }));
const result = await client.callTool({ name: "evaluate", arguments: { expression } });
console.log(JSON.stringify({ asked, isError: result.isError === true, text: result.content[0].text }));
await client.close();
