"""`pharo-mcp demo`: show a short session, message by message."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any, NamedTuple

from pharo_mcp.times import DEMO_SECONDS

MAX_CHARACTERS = 160
"""Longest text to print inside a message."""
MAX_ITEMS = 10
"""Longest list to print whole inside a message."""
MAX_LINES = 12
"""Most lines to print of a text below its message."""


class Step(NamedTuple):
    """A request of the session; `fails` is true if an error is expected."""

    title: str
    method: str
    params: Mapping[str, object]
    fails: bool = False


def call(title: str, tool: str, *, fails: bool = False, **arguments: object) -> Step:
    """A step that calls a tool."""
    return Step(title, "tools/call", {"name": tool, "arguments": arguments}, fails)


CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "demo", "version": "1"}}
SESSION = (
    Step("The client opens the session.", "initialize", CLIENT),
    Step("It lists the tools.", "tools/list", {}),
    call("It evaluates Smalltalk in the image.", "evaluate", expression="3 + 4"),
    call("It reads a class in the image.", "get_class", class_name="OrderedCollection"),
    call("An exception in the image comes back as a result.", "evaluate", expression="1/0", fails=True),
)


def run(_: Mapping[str, object]) -> int:
    """Show the session; return 1 if a request had an unexpected result."""
    print("A session of an MCP client with pharo-mcp and its practice image: a small Smalltalk written in")
    print("Python that runs the companion's own source. It is not Pharo. Long texts and lists are shortened.")
    passed = False
    with server() as process, suppress(BrokenPipeError):
        passed = all(show(process, number, step) for number, step in enumerate(SESSION, start=1))
    print(
        "\nThe client closes the connection; pharo-mcp and the image end." if passed else "\nThe demo failed."
    )
    return 0 if passed else 1


@contextmanager
def server() -> Iterator["subprocess.Popen[bytes]"]:
    """Start pharo-mcp as a client does, with a temporary home folder, and stop it at the end."""
    command = [sys.executable, "-m", "pharo_mcp", "--practice"]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PHARO_MCP_")}
    with tempfile.TemporaryDirectory() as home:
        environ = {**inherited, "HOME": home}
        with subprocess.Popen(  # noqa: S603 - our own program
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environ,
            start_new_session=True,  # Ctrl-C is for the demo: the server ends with its input
        ) as process:
            watch = Timer(DEMO_SECONDS, process.kill)
            watch.start()
            try:
                yield process
            finally:
                if process.stdin:
                    process.stdin.close()
                process.wait()
                watch.cancel()


def show(process: "subprocess.Popen[bytes]", number: int, step: Step) -> bool:
    """Send a request, show it and its response, and return whether the response is the expected one."""
    print(f"\n{step.title}")
    send(process, {"jsonrpc": "2.0", "id": number, "method": step.method, "params": step.params})
    response = receive(process)
    if step.method == "initialize":
        send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    result = response.get("result", {})
    for content in result.get("content", []):
        print_below(content.get("text", ""))
    return "result" in response and result.get("isError", False) == step.fails


def send(process: "subprocess.Popen[bytes]", message: Mapping[str, object]) -> None:
    """Send one message and show it."""
    print(f"--> {as_text(message)}")
    if process.stdin:
        process.stdin.write(json.dumps(message).encode() + b"\n")


def receive(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """Receive the next message and show it; return {} at the end of the output."""
    line = process.stdout.readline() if process.stdout else b""
    message: dict[str, Any] = json.loads(line or "{}")
    print(f"<-- {as_text(message) if line else '(nothing)'}")
    return message


def as_text(message: object) -> str:
    """A message as the JSON that is sent, with long texts and lists shortened."""
    return json.dumps(shortened(message), separators=(",", ":"), ensure_ascii=False)


def shortened(value: object) -> object:
    """JSON with long texts and lists shortened and followed by their length."""
    match value:
        case dict():
            return {key: shortened(each) for key, each in value.items()}
        case list() if len(value) > MAX_ITEMS:
            return [shortened(value[0]), f"… ({len(value)} items)"]
        case list():
            return [shortened(each) for each in value]
        case str() if len(value) > MAX_CHARACTERS:
            return f"{value[:MAX_CHARACTERS]}… ({len(value)} characters)"
    return value


def print_below(text: str) -> None:
    """Print a text of several lines below its message."""
    lines = text.splitlines()
    if len(lines) > 1:
        for line in lines[:MAX_LINES]:
            print(f"    | {line}")
    if len(lines) > MAX_LINES:
        print(f"    | … ({len(lines)} lines)")
