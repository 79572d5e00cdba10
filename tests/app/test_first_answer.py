"""What is imported before the first answer: each module here makes every start slower."""

import sys
from pathlib import Path

import pytest

from programs import Program, environment

STANDARD = ["_json", "_queue", "collections.abc", "gc", "os", "threading"]
"""Of the standard library, with all that they import themselves; `typing` is light only from 3.13 on."""
STANDARD += ["typing"] if sys.version_info >= (3, 13) else []

OURS = {
    "pharo_mcp",
    "pharo_mcp.__main__",
    "pharo_mcp.app",
    "pharo_mcp.app.instructions",
    "pharo_mcp.app.lazy_backend",
    "pharo_mcp.app.serving",
    "pharo_mcp.app.settings",
    "pharo_mcp.app.signals",
    "pharo_mcp.cli",
    "pharo_mcp.cli.serve",
    "pharo_mcp.imports",
    "pharo_mcp.jsonrpc",
    "pharo_mcp.jsonrpc.codec",
    "pharo_mcp.jsonrpc.errors",
    "pharo_mcp.jsonrpc.messages",
    "pharo_mcp.jsonrpc.reader",
    "pharo_mcp.protocol",
    "pharo_mcp.protocol.revisions",
    "pharo_mcp.server",
    "pharo_mcp.server.connection",
    "pharo_mcp.server.event_bus",
    "pharo_mcp.server.events",
    "pharo_mcp.server.identity",
    "pharo_mcp.server.lifecycle",
    "pharo_mcp.standard_error",
    "pharo_mcp.strict_json",
    "pharo_mcp.times",
    "pharo_mcp.tool_table",
    "pharo_mcp.transports",
    "pharo_mcp.transports.pipes",
    "pharo_mcp.transports.stdio",
    "pharo_mcp.transports.transport",
    "pharo_mcp.transports.writer",
}
OPTIONS = {"pharo_mcp.cli.options"}
"""What reads any options."""

LISTING = """
import os, sys

def write_modules(descriptor, line):
    write(descriptor, line)
    write(descriptor, " ".join(sorted(sys.modules)).encode())
    os._exit(0)

write, os.write = os.write, write_modules
from pharo_mcp.__main__ import main
main()
"""
"""Serves until the first line is written, then writes the names of all modules and ends."""

INITIALIZE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}}\n'
)


def lines(program: str, *arguments: str, home: Path) -> list[str]:
    """The two lines that a program prints while its client waits."""
    with Program([sys.executable, "-c", program, *arguments], environment(home)) as running:
        running.write(INITIALIZE)
        return [(running.read_line() or b"").decode() for _ in range(2)]


@pytest.mark.parametrize(
    ("arguments", "others"),
    [
        ([], set()),
        (["--image", "Zoo"], OPTIONS),
        (["--practice"], OPTIONS),
        (["--read-only"], OPTIONS),
        (["--tools", "core"], OPTIONS),
        (["--url", "http://127.0.0.1:50123", "--token", "abc"], OPTIONS | {"pharo_mcp.address"}),
    ],
    ids=lambda words: " ".join(words if isinstance(words, list) else sorted(words)),
)
def test_before_the_first_answer_only_these_modules_are_imported(
    home: Path, arguments: list[str], others: set[str]
) -> None:
    listing = f"import sys, {', '.join(STANDARD)}; sys.stdin.readline(); print(*sys.modules)"
    standard, _ = lines(listing, home=home)
    answer, modules = lines(LISTING, *arguments, home=home)
    assert '"protocolVersion":"2025-11-25"' in answer
    imported = set(modules.split()) - set(standard.split())
    assert sorted(imported - OURS - others) == [], (
        "import these in the function that needs them, or list them"
    )
    assert sorted((OURS | others) - imported) == [], "these are not needed any more: take them off the list"


def test_a_session_that_draws_nothing_imports_nothing_to_draw_with(tmp_path: Path) -> None:
    imports = "import sys, pharo_mcp.app.backend, pharo_mcp.resources, pharo_mcp.tools"
    program = f"{imports}; print({{'pharo_mcp.pictures', 'xml', 'PIL'}} & sys.modules.keys())"
    with Program([sys.executable, "-c", program], environment(tmp_path)) as running:
        assert running.read_line() == b"set()\n"
