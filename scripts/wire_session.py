"""Play the conversation of README.md to a server, and show the messages, for docs/wire.md."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import IO, Any

from pharo_mcp.cli.demo import CONVERSATION, MAX_LINES

CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "demo", "version": "1"}}
MAX_CHARACTERS = 100
"""Longest text to show inside a message."""
MAX_ELEMENTS = 1
"""Most elements to show of a list inside a message."""
MAX_MEMBERS = 4
"""Most members to show of an object inside a message."""
TURNS = 2
"""How many turns are shown: up to an error."""


class Session:
    """A session with a server on its standard input and output; `lines` are what was sent and received."""

    def __init__(self, server_input: IO[str], server_output: IO[str]) -> None:
        self.lines: list[str] = []
        self._input, self._output = server_input, server_output
        self._requests = 0

    def request(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        """Send a request and return the result."""
        self._requests += 1
        self.send({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params})
        message = json.loads(self._output.readline())
        self.lines.append(f"<-- {as_text(message)}")
        result: dict[str, Any] = message["result"]
        return result

    def send(self, message: Mapping[str, object]) -> None:
        """Send a message."""
        self.lines.append(f"--> {as_text(message)}")
        self._input.write(json.dumps(message) + "\n")
        self._input.flush()


def session() -> str:
    """The first messages of the conversation; a shortened text of a result follows its message."""
    command = [sys.executable, "-m", "pharo_mcp", "--practice"]
    with (
        tempfile.TemporaryDirectory() as home,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={**os.environ, "HOME": home},
        ) as process,
    ):
        if process.stdin is None or process.stdout is None:
            raise AssertionError("both are pipes")
        played = Session(process.stdin, process.stdout)
        played.lines.append("The client opens the session and lists the tools.")
        played.request("initialize", CLIENT)
        played.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        played.request("tools/list", {})
        for turn in CONVERSATION[:TURNS]:
            played.lines += ["", f"You: {turn.you}", ""]
            result = played.request("tools/call", {"name": turn.tool, "arguments": turn.arguments})
            for content in result["content"]:
                played.lines += below(content["text"])
        process.communicate()  # closes its input, which ends it
    return "\n".join(played.lines)


def below(text: str) -> list[str]:
    """The lines that follow a message: those of a text that the message shows shortened."""
    lines = text.splitlines() if len(text) > MAX_CHARACTERS else []
    more = [f"… ({len(lines)} lines)"] if len(lines) > MAX_LINES else []
    return [f"    | {line}".rstrip() for line in lines[:MAX_LINES] + more]


def as_text(message: object) -> str:
    """A message as JSON, with long texts, lists and objects shortened."""
    return json.dumps(shortened(message), separators=(",", ":"), ensure_ascii=False)


def shortened(value: object) -> object:
    """JSON with long texts, lists and objects shortened and followed by their size."""
    match value:
        case dict():
            more = {"…": f"({len(value)} members)"} if len(value) > MAX_MEMBERS else {}
            return {key: shortened(value[key]) for key in list(value)[:MAX_MEMBERS]} | more
        case list():
            rest = [f"… ({len(value)} elements)"] if len(value) > MAX_ELEMENTS else []
            return [shortened(each) for each in value[:MAX_ELEMENTS]] + rest
        case str() if len(value) > MAX_CHARACTERS:
            return f"{value[:MAX_CHARACTERS]}… ({len(value)} characters)"
    return value
