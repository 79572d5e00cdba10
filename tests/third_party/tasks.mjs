// The official TypeScript client and its Tasks package as a judge: a task is begun, its connection ends, and
// another connection follows it; a second one is cancelled. Arguments: the folder of the packages, the URL, the
// token, the era. Prints what it saw as JSON.

import { pathToFileURL } from "node:url";

const [modules, url, token, era] = process.argv.slice(2);
const load = (file) => import(pathToFileURL(`${modules}/@modelcontextprotocol/${file}`));
const { Client, StreamableHTTPClientTransport } = await load("client/dist/index.mjs");
const { createTaskSessionFromClient, resultFromTaskOutcome } = await load("ext-tasks/dist/client/index.js");

const modern = era === "modern";
const clientInfo = { name: "judge", version: "1" };
const clientCapabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
const protocolVersion = "2026-07-28";
const authorization = { Authorization: `Bearer ${token}` };
let requests = 0;

/** Sends a modern request, as hosts do whose client does not know the results of extensions. */
async function dispatch({ method, params }) {
  requests += 1;
  const name = params.name ?? params.taskId;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...authorization,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      "MCP-Protocol-Version": protocolVersion,
      "Mcp-Method": method,
      ...(name === undefined ? {} : { "Mcp-Name": name }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: requests, method, params }),
  });
  return response.json();
}

/** Accepts any result: the client checks the rest of the message. */
const anything = { "~standard": { version: 1, vendor: "judge", validate: (value) => ({ value }) } };

async function connect(sessionId) {
  const client = new Client(clientInfo, modern ? { versionNegotiation: { mode: { pin: protocolVersion } } } : {});
  const requestInit = { headers: authorization };
  const transport = new StreamableHTTPClientTransport(new URL(url), { sessionId, requestInit });
  await client.connect(transport);
  return { client, transport };
}

function tasksOf(client) {
  const framing = { protocolVersion, clientInfo, clientCapabilities };
  const raw = modern ? { rawDispatch: dispatch, v2RequestFraming: framing } : {};
  return createTaskSessionFromClient(client, { endpointId: "pharo", ...raw });
}

/** Follows a task by the session that goes on; the client that goes on in it knows no capabilities. */
async function followLegacy(client, { taskId }) {
  const { content } = await client.request({ method: "tasks/result", params: { taskId } }, anything);
  return content;
}

async function followModern(client, reference) {
  const resumed = await tasksOf(client).resumeTask(reference);
  return resultFromTaskOutcome((await resumed.settle()).outcome).content;
}

const task = { preference: modern ? "allow" : "require" };
const first = await connect();
const expression = "(Delay forMilliseconds: 1500) wait. 6 * 7";
const begun = await tasksOf(first.client).callTool("evaluate", { expression }, { task });
const reference = JSON.parse(JSON.stringify(begun.serializeReference()));
await first.transport.close();

const second = await connect(first.transport.sessionId);
const content = await (modern ? followModern : followLegacy)(second.client, reference);

const third = await connect();
const session = tasksOf(third.client);
const endless = { expression: "[ true ] whileTrue: [ (Delay forMilliseconds: 10) wait ]", timeout_seconds: 600 };
const { handle } = await session.callTool("evaluate", endless, { task });
await session.cancelTask(handle.taskId);
const snapshot = await session.task(handle.taskId).snapshot();
console.log(JSON.stringify({ text: content[0].text, snapshot }));
process.exit();
