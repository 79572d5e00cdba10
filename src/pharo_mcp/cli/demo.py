"""`pharo-mcp demo`: play the conversation of README.md with the practice image."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

MAX_LINES = 12
"""Most lines to print of a result."""
LONGEST_MESSAGE = 600
"""Characters of a message to print."""
STILL_STARTING = "Nothing ran. Repeat the call"
"""A part of the result if the practice image did not answer in time."""


class Turn(NamedTuple):
    """A tool call, with what the person says before it and the assistant after it, if they say anything."""

    you: str
    tool: str
    arguments: Mapping[str, object]
    assistant: str = ""
    fails: bool = False
    """Whether an error is expected."""


INVOICE = """Object << #Invoice slots: { #amounts }; package: 'Shop'

Invoice >> initialize [
	super initialize.
	amounts := OrderedCollection new
]

Invoice >> add: anAmount [
	amounts add: anAmount
]

Invoice >> total [
	^ amounts sum
]"""
CORRECTION = """Invoice >> total [
	^ amounts sumNumbers
]

TestCase << #InvoiceTest package: 'Shop-Tests'

InvoiceTest >> testAnEmptyOne [
	self assert: Invoice new total equals: 0
]"""
CONVERSATION = (
    Turn(
        "Write a class `Invoice` in the package `Shop`: it collects amounts and knows their total.",
        "edit_code",
        {"text": INVOICE},
    ),
    Turn(
        "What is the total of an empty one? It should be 0.",
        "evaluate",
        {"expression": "Invoice new total"},
        fails=True,
    ),
    Turn(
        "",
        "edit_code",
        {"text": CORRECTION, "tests": ["Shop-Tests"]},
        "`sum` needs at least one element. I use `sumNumbers` now, and a test checks that an empty invoice "
        "has the total 0.",
    ),
    Turn("Take all of it back.", "undo_change", {"to": 0}),
)
"""The conversation of README.md."""
CLIENT = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "demo", "version": "1"}}
INTRODUCTION = """A conversation with an assistant that works in the practice image: a small Smalltalk
written in Python that runs the companion's own source. It is not Pharo. What the assistant says
is invented; the calls of its tools and their results are real. Long texts are shortened."""
NEXT = """Next: `{program} setup claude-desktop --practice` lets your own assistant work in a practice
image (also claude-code, codex, cursor, gemini, opencode, vscode, windsurf, zed). To let it work in
your Pharo image, follow "Use it with your image" in README.md. `{program} demo --wire`
shows the messages of this conversation."""


def run(options: Mapping[str, object]) -> int:
    """Play the conversation; return 1 if a call had an unexpected result."""
    print(INTRODUCTION, flush=True)
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PHARO_MCP_")}
    with (
        tempfile.TemporaryDirectory() as home,  # for the files of the practice image
        subprocess.Popen(
            [sys.executable, "-m", "pharo_mcp", "--practice"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            env={**inherited, "HOME": home},
        ) as process,
    ):
        session = Session(process, shows_messages="wire" in options)
        try:
            passed = session.opened() and all(map(session.played, CONVERSATION))
        except BaseException:
            process.terminate()  # else it would complain that nobody reads its answers
            raise
        finally:
            process.communicate()  # closes its input, which ends it
    print(f"\n{NEXT.format(program=program())}" if passed else "\nThe demo failed.")
    return 0 if passed else 1


def program() -> str:
    """Return how a person starts this pharo-mcp: by its name, or by its path if it is not on the PATH."""
    if shutil.which("pharo-mcp"):
        return "pharo-mcp"
    return os.path.join(os.path.dirname(sys.executable), "pharo-mcp").removeprefix(os.getcwd() + os.sep)


class Session:
    """A client's session with pharo-mcp, printed as a conversation or as its messages."""

    def __init__(self, process: "subprocess.Popen[str]", *, shows_messages: bool) -> None:
        self._process = process
        self._shows_messages = shows_messages
        self._requests = 0

    def opened(self) -> bool:
        """Shake hands and list the tools; return whether both succeeded."""
        if self._shows_messages:
            print("\nThe client opens the session and lists the tools.", flush=True)
        opened = self._request("initialize", CLIENT)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return bool(opened and self._request("tools/list", {}))

    def played(self, turn: Turn) -> bool:
        """Play a turn and print it; return whether the result is the expected one."""
        print("" if turn.you == "" else f"\nYou: {turn.you}\n", flush=True)
        if not self._shows_messages:
            print_call(turn)
        result = self._called(turn)
        if not self._shows_messages:
            for content in result.get("content", []):
                print_text(content["text"])
        if turn.assistant:
            print(f"\nAssistant: {turn.assistant}", flush=True)
        return result.get("isError") == turn.fails

    def _called(self, turn: Turn) -> dict[str, Any]:
        """Call the tool and return the result; repeat the call while the image starts, on a slow computer."""
        while True:
            result = self._request("tools/call", {"name": turn.tool, "arguments": turn.arguments})
            if not any(STILL_STARTING in content["text"] for content in result.get("content", [])):
                return result

    def _request(self, method: str, params: Mapping[str, object]) -> dict[str, Any]:
        """Send a request and return the result; an empty one if there is none."""
        self._requests += 1
        self._send({"jsonrpc": "2.0", "id": self._requests, "method": method, "params": params})
        line = self._process.stdout.readline() if self._process.stdout else ""
        if self._shows_messages:
            print(f"<-- {shortened(line.rstrip())}", flush=True)
        result: dict[str, Any] = json.loads(line or "{}").get("result", {})
        return result

    def _send(self, message: Mapping[str, object]) -> None:
        """Send a message."""
        line = json.dumps(message)
        if self._shows_messages:
            print(f"--> {shortened(line)}", flush=True)
        if self._process.stdin:
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()


def shortened(line: str) -> str:
    """Return a message, or the beginning of a long one and its length."""
    return line if len(line) <= LONGEST_MESSAGE else f"{line[:LONGEST_MESSAGE]}… ({len(line):,} characters)"


def print_call(turn: Turn) -> None:
    """Print a tool call as a person reads it."""
    print(f"  {turn.tool}")
    for name, value in turn.arguments.items():
        lines = value.splitlines() if isinstance(value, str) else [json.dumps(value)]
        if len(lines) == 1:
            print(f"    {name}: {lines[0]}")
            continue
        print(f"    {name}:")
        for line in lines:
            print(f"      {line}".rstrip())
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Print the first lines of a result."""
    lines = text.splitlines()
    for line in lines[:MAX_LINES]:
        print(f"  > {line}".rstrip())
    if len(lines) > MAX_LINES:
        print(f"  > … ({len(lines)} lines)", flush=True)
