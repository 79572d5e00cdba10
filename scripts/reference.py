"""Generate docs/tools.md for cog: every tool with its arguments, and examples played in a practice image.

The examples are calls of the tasks in tests/scenarios.
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
from pharo_mcp.protocol.catalog import Tool
from pharo_mcp.tools.all import TOOLS
from pharo_mcp.tools.declaration import BuiltInTool

TASKS = Path(__file__).parents[1] / "tests" / "scenarios" / "tasks.json"
LINES, WIDTH = 5, 100
"""How much of each result is shown."""
VARYING = (
    (r"\be-[0-9a-f]{6,}", "e-…"),
    (r"http://127\.0\.0\.1:\d+", "http://127.0.0.1:…"),
    (r"\d+(\.\d+)? (seconds|second|s)\b", "… seconds"),
    (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", "…"),
    (r"\d+ (packages|extensions|more|samples?)\b", r"… \1"),
    (r"\d[\d,.]* (MB|kB|KB|bytes|ms)\b", r"… \1"),
)
"""What differs from run to run, and what is shown instead."""
SHOWN = ("inspect_object", "search", "read_code", "refactor")
"""The tools that have an example on this page: no other page shows how they are called."""

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


class Example(NamedTuple):
    """A call that was played, and the lines that its result begins with."""

    task: str
    arguments: Mapping[str, object]
    lines: list[str]


def tools() -> str:
    """The sections of all tools, in the order of the table."""
    catalog = catalog_for(ImageClient(at(Address(9, "none"))))
    examples = played_examples()
    return "\n\n".join(
        section(row, tool, examples.get(row.name)) for row, tool in zip(TOOLS, catalog.tools, strict=True)
    )


def section(row: BuiltInTool, tool: Tool, example: Example | None) -> str:
    """The section of one tool."""
    facts = [
        *(["core"] if row.core else []),
        *(["only reads"] if row.reads_only else []),
        *([f"more: {PAGES[row.name]}"] if row.name in PAGES else []),
    ]
    note = f" ({'; '.join(facts)})" if facts else ""
    parts = [f"## {row.name}", f"{tool.description.strip()}{note}", *arguments(tool.input_schema.definition)]
    if example:
        parts += [f"*{example.task}*", recorded(row.name, example.arguments, example.lines)]
    return "\n\n".join(parts)


def recorded(tool: str, arguments: Mapping[str, object], lines: list[str]) -> str:
    """A call as the pages show it, with the beginning of its result."""
    call = f"{tool} {json.dumps(arguments, ensure_ascii=False)}"
    return "\n".join(["```recorded", call, *(f"    {line}".rstrip() for line in lines), "```"])


def arguments(schema: Mapping[str, Any]) -> list[str]:
    """The list of a tool's arguments, if it has any."""
    required = schema.get("required", [])
    lines = []
    for name, one in schema.get("properties", {}).items():
        facts = ["required"] if name in required else []
        facts += choices(one)
        facts += [json.dumps(one["default"])] if one.get("default") not in (None, False, []) else []
        description = " ".join(str(one.get("description", "")).split())
        in_parentheses = f" ({', '.join(facts)})" if facts else ""
        lines.append(f"- `{name}`{in_parentheses}: {description}")
    return ["\n".join(lines)] if lines else []


def choices(schema: Mapping[str, Any]) -> list[str]:
    """The values among which an argument, or each element of a list, is chosen."""
    values = schema.get("enum") or schema.get("items", {}).get("enum", [])
    return ["/".join(f"`{value}`" for value in values)] if values else []


def played_examples() -> dict[str, Example]:
    """The first example of each tool in SHOWN, from a session with a new practice image."""
    found: dict[str, Example] = {}
    environ = {name: value for name, value in os.environ.items() if not name.startswith("PHARO_MCP_")}
    with closing(Backend(Settings(practice=True), environ)) as image:
        image.start()

        def call(name: str, arguments: Mapping[str, object]) -> tuple[str, bool]:
            tool = image.find_tool(name)
            if tool is None:
                raise ValueError(f"an example calls {name}, which is not a tool")
            result = tool.call(arguments, Call())
            return "\n".join(getattr(content, "text", "") for content in result.contents), result.is_error

        for task in json.loads(TASKS.read_text("utf-8")):
            for name, example in played(task, call):
                if name in SHOWN:
                    found.setdefault(name, example)
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
    lines = [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in text.splitlines()]
    shown = lines[:LINES] + (["…"] if len(lines) > LINES else [])
    return [varying_left_out(line) for line in shown]


def varying_left_out(value: Any) -> Any:
    """A value whose texts hold nothing that differs from run to run."""
    text = json.dumps(value, ensure_ascii=False)
    for pattern, shown in VARYING:
        text = re.sub(pattern, shown, text)
    return json.loads(text)
