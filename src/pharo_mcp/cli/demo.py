"""`pharo-mcp demo`: a short session, each message as it crosses the wire."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any, NamedTuple

PATIENCE = 120.0
"""Seconds after which the session is given up."""
LONGEST_TEXT = 160
"""Characters of a text that are shown inside a message."""
MOST_LINES = 12
"""Lines that are shown of a text that is set out below its message."""


class Step(NamedTuple):
    """A request of the session; `fails` if its result is to be an error."""

    title: str
    method: str
    params: Mapping[str, object]
    fails: bool = False


def call(title: str, tool: str, *, fails: bool = False, **arguments: object) -> Step:
    """A step that calls a tool."""
    return Step(title, "tools/call", {"name": tool, "arguments": arguments}, fails)


CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "demo", "version": "1"}}
SESSION = (
    Step("The client shakes hands.", "initialize", CLIENT),
    Step("It asks what tools there are.", "tools/list", {}),
    call("It evaluates Smalltalk in the image.", "evaluate", expression="3 + 4"),
    call("It reads a class in the image.", "get_class", class_name="OrderedCollection"),
    call("An exception in the image is an answer, too.", "evaluate", expression="1/0", fails=True),
)


def run(_: Mapping[str, object]) -> int:
    """Show the session; the exit status says whether it went as it should."""
    print("A session of an MCP client with pharo-mcp and its practice image: a small Smalltalk written in")
    print("Python that runs the companion's own source. It is not Pharo. Long texts are shortened here.")
    went = False
    with server() as process, suppress(BrokenPipeError):
        went = all(show(process, number, step) for number, step in enumerate(SESSION, start=1))
    print("\nThe client closes its end, and all of it ends." if went else "\nThat is not how it should go.")
    return 0 if went else 1


@contextmanager
def server() -> Iterator["subprocess.Popen[bytes]"]:
    """A real pharo-mcp as a client starts it, with a home folder of its own; ended in any case."""
    command = [sys.executable, "-m", "pharo_mcp", "--stand-in"]
    ours = {name: value for name, value in os.environ.items() if not name.startswith("PHARO_MCP_")}
    with tempfile.TemporaryDirectory() as home:
        environ = {**ours, "HOME": home}
        with subprocess.Popen(  # noqa: S603 - our own program
            command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
        ) as process:
            watch = Timer(PATIENCE, process.kill)
            watch.start()
            try:
                yield process
            finally:
                if process.stdin:
                    process.stdin.close()
                process.wait()
                watch.cancel()


def show(process: "subprocess.Popen[bytes]", number: int, step: Step) -> bool:
    """Send a request, show it and its answer; whether that was as it should be."""
    print(f"\n{step.title}")
    send(process, {"jsonrpc": "2.0", "id": number, "method": step.method, "params": step.params})
    answer = receive(process)
    if step.method == "initialize":
        send(process, {"jsonrpc": "2.0", "method": "notifications/initialized"})
    result = answer.get("result", {})
    for content in result.get("content", []):
        print_below(content.get("text", ""))
    return "result" in answer and result.get("isError", False) == step.fails


def send(process: "subprocess.Popen[bytes]", message: Mapping[str, object]) -> None:
    """Send one message and show it."""
    print(f"--> {shown(message)}")
    if process.stdin:
        process.stdin.write(json.dumps(message).encode() + b"\n")


def receive(process: "subprocess.Popen[bytes]") -> dict[str, Any]:
    """The next message, shown; an empty one if there is none any more."""
    line = process.stdout.readline() if process.stdout else b""
    message: dict[str, Any] = json.loads(line or "{}")
    print(f"<-- {shown(message) if line else '(nothing)'}")
    return message


def shown(message: object) -> str:
    """A message as it crosses the wire, long texts shortened."""
    return json.dumps(shortened(message), separators=(",", ":"), ensure_ascii=False)


def shortened(value: object) -> object:
    """JSON with every long text cut, and the cut said."""
    match value:
        case dict():
            return {key: shortened(each) for key, each in value.items()}
        case list():
            return [shortened(each) for each in value]
        case str() if len(value) > LONGEST_TEXT:
            return f"{value[:LONGEST_TEXT]}… ({len(value)} characters)"
    return value


def print_below(text: str) -> None:
    """Set out a text of several lines as its reader sees it."""
    lines = text.splitlines()
    if len(lines) > 1:
        for line in lines[:MOST_LINES]:
            print(f"    | {line}")
    if len(lines) > MOST_LINES:
        print(f"    | … ({len(lines)} lines)")
