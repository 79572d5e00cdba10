"""Generate docs/tools.md for cog: every tool with its arguments, and examples played in a practice image.

The examples are calls of the tasks in tests/scenarios, and for tools that no task uses those below.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.app.backend import Backend
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.app.settings import Settings
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import Tool
from pharo_mcp.tools.all import TOOLS
from pharo_mcp.tools.declaration import BuiltInTool

TASKS = Path(__file__).parents[1] / "tests" / "scenarios" / "tasks.json"
EXAMPLES, LINES, WIDTH = 1, 6, 100
"""How many examples of a tool are shown, and how much of each result."""
VARYING = (
    (r"\be-[0-9a-f]{6,}", "e-…"),
    (r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:…"),
    (r"\d+(\.\d+)? (seconds|second|s)\b", "… seconds"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "…"),
    (r"(Image: )[^\"]+", r"\1…"),
    (r"Tried: \d+ messages, of which \d+", "Tried: … messages, of which …"),
    (r"Not tried: \d+", "Not tried: …"),
    (r"\d+ (packages|extensions|more|samples?)\b", r"… \1"),
    (r" *\b\d+\.\d %", "… %"),
    (r"\d[\d,.]* (MB|kB|KB|bytes|ms)\b", r"… \1"),
)
"""What differs from run to run, and what is shown instead."""
OCCASIONAL = "The percentages are rough"
"""The beginning of a line that only a busy computer shows."""
FIRST: tuple[dict[str, Any], ...] = (
    {
        "task": "What is the average of these numbers?",
        "calls": [{"tool": "evaluate", "arguments": {"expression": "amounts := #(3 4 8). amounts average"}}],
    },
)
"""Played before the tasks: what is simpler than they are."""
MORE: tuple[dict[str, Any], ...] = (
    {
        "task": "Follow work that takes longer, or stop it.",
        "calls": [
            {
                "tool": "evaluate",
                "arguments": {
                    "expression": "(Delay forSeconds: 600) wait",
                    "wait_seconds": 0,
                    "timeout_seconds": 900,
                },
                "keep": {"evaluation": r"evaluation_id: (\S+)"},
            },
            {"tool": "stop_evaluation", "arguments": {"evaluation_id": "{evaluation}"}},
        ],
    },
    {
        "task": "Stop at an error, and go on from there.",
        "calls": [
            {
                "tool": "evaluate",
                "arguments": {"expression": "| x | x := 3. x zork + 4", "on_error": "pause"},
                "keep": {"evaluation": r"evaluation_id: ([\w-]+)"},
            },
            {"tool": "debug_show", "arguments": {"evaluation_id": "{evaluation}", "frame": 2}},
            {
                "tool": "debug_step",
                "arguments": {"evaluation_id": "{evaluation}", "action": "return", "value": "self * 2"},
            },
            {"tool": "debug_step", "arguments": {"evaluation_id": "{evaluation}", "action": "proceed"}},
        ],
    },
    {
        "task": "Stop before a line of a method.",
        "calls": [
            {
                "tool": "edit_code",
                "arguments": {
                    "text": "Object << #ZooScale package: 'Zoo'\n\nZooScale >> heaviest: weights [\n\n"
                    "\t^ weights inject: 0 into: [ :max :each |\n\t\teach max: max ]\n]"
                },
            },
            {
                "tool": "set_breakpoint",
                "arguments": {
                    "class_name": "ZooScale",
                    "selector": "heaviest:",
                    "line": 4,
                    "condition": "each > 9",
                },
            },
            {
                "tool": "evaluate",
                "arguments": {"expression": "ZooScale new heaviest: #(3 12 7)", "on_error": "pause"},
                "keep": {"evaluation": r"evaluation_id: ([\w-]+)"},
            },
            {"tool": "set_breakpoint", "arguments": {"remove": True}},
            {"tool": "debug_step", "arguments": {"evaluation_id": "{evaluation}", "action": "proceed"}},
        ],
    },
    {
        "task": "Where does the time go?",
        "calls": [
            {
                "tool": "profile",
                "arguments": {
                    "expression": "#(300 200) do: [ :each | (Delay forMilliseconds: each) wait ]",
                },
            },
        ],
    },
    {
        "task": "Keep values between calls, and drop them.",
        "calls": [
            {"tool": "evaluate", "arguments": {"expression": "amounts := #(3 4)", "workspace": "shop"}},
            {
                "tool": "evaluate",
                "arguments": {"expression": "3 + 4", "workspace": "shop", "reset_workspace": True},
            },
        ],
    },
    {
        "task": "Commit what was changed, where there is no Iceberg.",
        "calls": [
            {
                "tool": "commit",
                "arguments": {"repository": "zoo", "message": "Let the doors toggle", "preview": True},
                "fails": True,
            },
        ],
    },
    {
        "task": "What keeps an object alive?",
        "calls": [
            {
                "tool": "edit_code",
                "arguments": {
                    "text": "Object << #ZooRegister sharedVariables: { #Animals }; package: 'Zoo'\n\n"
                    "ZooRegister >> add: anAnimal [\n\n\tAnimals := Dictionary new.\n"
                    "\tAnimals at: #lost put: anAnimal\n]"
                },
            },
            {
                "tool": "evaluate",
                "arguments": {"expression": "| one | one := Object new. ZooRegister new add: one. one"},
                "keep": {"animal": r"\b(o-\d+)"},
            },
            {
                "tool": "find_objects",
                "arguments": {"relation": "path_to_root", "object_id": "{animal}"},
            },
        ],
    },
    {
        "task": "Which packages are there?",
        "calls": [{"tool": "read_code", "arguments": {"items": ["Collections-*"], "detail": "outline"}}],
    },
    {
        "task": "Which message reverses a text?",
        "calls": [
            {"tool": "search", "arguments": {"kind": "example", "receiver": "'abc'", "query": "'cba'"}}
        ],
    },
    {
        "task": "What uses a class that I want to remove?",
        "calls": [
            {
                "tool": "edit_code",
                "arguments": {
                    "text": "Object << #ZooKeeper package: 'Zoo'\nZooGate >> keeper [ ^ ZooKeeper new ]\n"
                    "Object << #ZooGate slots: { #isOpen }; package: 'Zoo'\n"
                    "ZooGate >> open [ isOpen := true ]"
                },
            },
            {"tool": "edit_code", "arguments": {"remove": ["ZooKeeper"]}, "fails": True},
            {
                "tool": "refactor",
                "arguments": {
                    "kind": "rename_method",
                    "class_name": "ZooGate",
                    "selector": "open",
                    "new_name": "unlock",
                    "only": ["Zoo"],
                },
            },
        ],
    },
    {"task": "Which versions work together?", "calls": [{"tool": "get_version", "arguments": {}}]},
)
ONLY_IN_PHARO = {
    "save_image": {"confirm": True},
    "load_project": {"baseline": "Shop", "repository": "github://me/shop:main/src"},
    "export_package": {"package_name": "Shop", "folder": "/home/me/shop/src"},
    "import_package": {"folder": "/home/me/shop/src", "packages": ["Shop"]},
    "take_screenshot": {"window": "Playground"},
    "get_status": {},
    "select_image": {"name": "Zoo"},
}
"""Calls without a result: a practice image lacks what they need, or they depend on the computer."""


LONG_WORK = "[long work](tasks.md#long-work)"
DEBUGGING = "[debugging](debugging.md)"
IMAGES = "[several images](several-images.md)"
GIT = "[working with git](git.md)"
PAGES = {
    "evaluate": f"{LONG_WORK}, [questions](questions.md), [pictures](insight.md#what-it-looks-like)",
    "get_evaluation": LONG_WORK,
    "debug_show": DEBUGGING,
    "debug_step": DEBUGGING,
    "set_breakpoint": DEBUGGING,
    "run_tests": f"[coverage](insight.md#what-tests-reach), {DEBUGGING}",
    "find_objects": "[who holds an object](memory.md)",
    "profile": "[where time goes](profiling.md)",
    "export_package": GIT,
    "import_package": GIT,
    "commit": GIT,
    "get_status": IMAGES,
    "select_image": IMAGES,
}
"""The pages that tell more about a tool."""
PLAYED_THERE = {"debug_show", "debug_step", "set_breakpoint", "find_objects", "profile", "commit"}
"""Tools whose page has examples."""


class Example(NamedTuple):
    """A call that was played, and the lines that its result begins with."""

    task: str
    arguments: Mapping[str, object]
    lines: list[str]


def tools() -> str:
    """The sections of all tools, in the order of the table."""
    catalog = catalog_for(ImageClient(at(Address(9, "none"))))
    examples = played_examples()
    sections = [
        section(row, tool, examples.get(row.name, [])) for row, tool in zip(TOOLS, catalog.tools, strict=True)
    ]
    return "\n\n".join(sections)


def section(row: BuiltInTool, tool: Tool, examples: list[Example]) -> str:
    """The section of one tool."""
    facts = [
        "Only reads" if row.reads_only else "May change the image",
        "core" if row.core else "not core",
        *([f"more: {PAGES[row.name]}"] if row.name in PAGES else []),
    ]
    parts = [f"## {row.name}", tool.description.strip(), f"({'; '.join(facts)}.)"]
    parts += filter(None, [arguments(tool.input_schema.definition)])
    if row.name in ONLY_IN_PHARO:
        parts.append(recorded(row.name, ONLY_IN_PHARO[row.name], []))
    for example in [] if row.name in PLAYED_THERE else examples:
        parts += [f"*{example.task}*", recorded(row.name, example.arguments, example.lines)]
    return "\n\n".join(parts)


def recorded(tool: str, arguments: Mapping[str, object], lines: list[str]) -> str:
    """A call as the pages show it, with the beginning of its result."""
    call = f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
    return "\n".join(["```recorded", call, *(f"    {line}".rstrip() for line in lines), "```"])


def arguments(schema: Mapping[str, Any]) -> str:
    """The list of a tool's arguments."""
    required = schema.get("required", [])
    lines = []
    for name, one in schema.get("properties", {}).items():
        facts = [kind(one)]
        facts += ["required"] if name in required else []
        facts += (
            [f"default: {json.dumps(one['default'])}"] if one.get("default") not in (None, False, []) else []
        )
        description = " ".join(str(one.get("description", "")).split())
        lines.append(f"- `{name}` ({', '.join(facts)}): {description}")
    return "\n".join(lines)


def kind(schema: Mapping[str, Any]) -> str:
    """The type of an argument in words."""
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if alternatives := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(kind(one) for one in alternatives)
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    types = schema.get("type", "any")
    return types if isinstance(types, str) else " or ".join(types)


def played_examples() -> dict[str, list[Example]]:
    """The first examples of each tool, from a session with a new practice image."""
    tasks = [*FIRST, *json.loads(TASKS.read_text("utf-8")), *MORE]
    found: dict[str, list[Example]] = {}
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PHARO_MCP_")}
    with closing(Backend(Settings(practice=True), environ)) as image:
        image.start()

        def call(name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
            tool = image.find_tool(name)
            if tool is None:
                raise ValueError(f"an example calls {name}, which is not a tool")
            result = tool.call(arguments, Call())
            return "\n".join(getattr(content, "text", "") for content in result.contents), result.is_error

        for task in tasks:
            for name, example in played(task, call):
                shown = found.setdefault(name, [])
                if len(shown) < EXAMPLES and example.task not in {one.task for one in shown}:
                    shown.append(example)
            call("undo_change", {"to": 0})
    return found


def played(
    task: Mapping[str, Any], call: Callable[[str, Mapping[str, object]], tuple[str, bool]]
) -> Iterator[tuple[str, Example]]:
    """The calls of a task, played in their order; a call may refer to what an earlier one returned."""
    kept: dict[str, str] = {"mark": "0"}
    for step in task["calls"]:
        arguments = {name: filled(value, kept) for name, value in step["arguments"].items()}
        text, failed = call(step["tool"], arguments)
        if failed is not step.get("fails", False):
            raise ValueError(f"{step['tool']} in “{task['task']}”: {text}")
        for name, pattern in step.get("keep", {}).items():
            if match := re.search(pattern, text):
                kept[name] = match[1]
        yield step["tool"], Example(task["task"], varying_left_out(arguments), beginning(text))


def filled(value: object, kept: Mapping[str, str]) -> object:
    """An argument, with what an earlier result held instead of its name in braces."""
    match = re.fullmatch(r"\{(\w+)\}", value) if isinstance(value, str) else None
    if match is None:
        return value
    word = kept[match[1]]
    return int(word) if word.isdigit() else word


def beginning(text: str) -> list[str]:
    """The first lines of a result, without what differs from run to run."""
    kept = [line for line in text.splitlines() if not line.startswith(OCCASIONAL)]
    lines = [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in kept]
    shown = lines[:LINES] + (["…"] if len(lines) > LINES else [])
    return [varying_left_out(line) for line in shown]


def varying_left_out(value: Any) -> Any:
    """A value whose texts hold nothing that differs from run to run."""
    text = json.dumps(value, ensure_ascii=False)
    for pattern, shown in VARYING:
        text = re.sub(pattern, shown, text)
    return json.loads(text)
