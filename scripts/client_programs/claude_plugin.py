"""Claude Code with the plugin of this repository, and a stub for its model, which calls `evaluate` once."""

import json
import os
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

CLAUDE, PROJECT = sys.argv[1:]
CLONE = os.path.abspath("clone")
TOOL = "mcp__plugin_pharo-mcp_pharo__evaluate"
PATIENCE = 240


class Model(BaseHTTPRequestHandler):
    """Answers as the model would: a call of `evaluate` at first, and then what it returned."""

    def do_POST(self) -> None:
        """Answer one request, as a stream of events."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        results = [
            block
            for message in asked.get("messages", [])
            if isinstance(message["content"], list)
            for block in message["content"]
            if block["type"] == "tool_result"
        ]
        if TOOL in [tool["name"] for tool in asked.get("tools", [])] and not results:
            block = {"type": "tool_use", "id": "toolu_1", "name": TOOL, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": '{"expression": "3 + 4"}'}
            reason = "tool_use"
        else:
            block = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": f"The tool returned {json.dumps(results)}"}
            reason = "end_turn"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "stub",
            "content": [],
            "stop_reason": None,
            "usage": usage,
        }
        events = [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage},
            {"type": "message_stop"},
        ]
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())

    def log_message(self, *words: object) -> None:
        """Print nothing."""


def claude(*words: str) -> str:
    """Run a command of Claude Code and print it with its output; exit if it fails."""
    print("$ claude", *words, flush=True)
    ended = subprocess.run(
        [CLAUDE, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    print(ended.stdout + ended.stderr, flush=True)
    return ended.stdout if ended.returncode == 0 else sys.exit(ended.returncode)


subprocess.run(["git", "clone", "--quiet", PROJECT, CLONE], check=True)
claude("plugin", "validate", "--strict", CLONE)
claude("plugin", "marketplace", "add", CLONE)
claude("plugin", "install", "pharo-mcp@pharo-mcp")
details = claude("plugin", "details", "pharo-mcp")
claude("mcp", "list")  # the first start installs the program, for longer than the next command waits
server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
Thread(target=server.serve_forever, daemon=True).start()
os.environ |= {
    "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
    "ANTHROPIC_API_KEY": "stub",
    "MCP_TIMEOUT": "120000",
    "MCP_CONNECTION_NONBLOCKING": "false",  # the first request waits for the server
    "ENABLE_TOOL_SEARCH": "false",
}
told = claude("-p", "What is 3 + 4?", "--allowedTools", TOOL)
names = [file.parent.name for file in Path(CLONE).glob("src/pharo_mcp/skills/*/SKILL.md")]
skills, agents = names and all(name in details for name in names), "pharo-debugger" in details
if not (skills and agents and '"7"' in told and "session works in" in told):
    sys.exit("The skills, the agent or the answer of an image is missing.")
print("The plugin works.")
