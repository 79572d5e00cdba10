"""`pharo-mcp demo`: play the conversation of README.md with the practice image."""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from typing import NamedTuple

from pharo_mcp.protocol.catalog import TextContent

from .call import CallTool, open_image

MAX_LINES = 12
"""Most lines to print of a result."""


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
INTRODUCTION = """A conversation with an assistant that works in the practice image: a small Smalltalk
written in Python that runs the companion's own source. It is not Pharo. What the assistant says
is invented; the calls of its tools and their results are real. Long texts are shortened."""
NEXT = """Next: `{program} setup claude-desktop --practice` lets your own assistant work in a practice
image (also claude-code, codex, cursor, gemini, opencode, vscode, windsurf, zed). To let it work in
your Pharo image, follow "Use it with your image" in README.md."""


def run(options: Mapping[str, object]) -> int:
    """Play the conversation; return 1 if a call had an unexpected result."""
    print(INTRODUCTION, flush=True)
    with tempfile.TemporaryDirectory() as home:
        for name in [name for name in os.environ if name.startswith("PHARO_MCP_")]:
            del os.environ[name]
        os.environ["HOME"] = home  # for the files of the practice image
        with open_image({"practice": True}) as call_tool:
            passed = all(played(turn, call_tool) for turn in CONVERSATION)
    print(f"\n{NEXT.format(program=program())}" if passed else "\nThe demo failed.")
    return 0 if passed else 1


def program() -> str:
    """Return how a person starts this pharo-mcp: by its name, or by its path if it is not on the PATH."""
    if shutil.which("pharo-mcp"):
        return "pharo-mcp"
    return os.path.join(os.path.dirname(sys.executable), "pharo-mcp").removeprefix(os.getcwd() + os.sep)


def played(turn: Turn, call_tool: CallTool) -> bool:
    """Play a turn and print it; return whether the result is the expected one."""
    print("" if turn.you == "" else f"\nYou: {turn.you}\n")
    print_call(turn)
    result = call_tool(turn.tool, turn.arguments)
    for content in result.contents:
        if isinstance(content, TextContent):
            print_text(content.text)
    if turn.assistant:
        print(f"\nAssistant: {turn.assistant}")
    return result.is_error == turn.fails


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
    """Print the text of a result, or its first lines."""
    lines = text.splitlines()
    for line in lines[:MAX_LINES]:
        print(f"  > {line}".rstrip())
    if len(lines) > MAX_LINES:
        print(f"  > … ({len(lines)} lines)", flush=True)
