"""Claiming standard input and output, tested in a child process."""

import subprocess
import sys

import pytest

PROGRAM = """
import os, subprocess, sys
from queue import SimpleQueue
from pharo_mcp.wire.jsonrpc import encode
from pharo_mcp.wire.transport import claim_stdio

transport = claim_stdio()
events = SimpleQueue()
transport.start(events.put)
print("a print", flush=True)
os.write(1, b"a write\\n")
subprocess.run([sys.executable, "-c", "print('a child')"], check=True)
assert sys.stdin.read() == ""
transport.send(encode(events.get()))
transport.close(10)
"""

CLAIM_WITHOUT = """
import os, sys
from pharo_mcp.wire.transport import NoClient, claim_stdio

for descriptor in {closed}:
    os.close(descriptor)
try:
    claim_stdio()
except NoClient as error:
    sys.stderr.write(str(error))
"""

LINE = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{}}\n'


def test_only_the_protocol_reaches_standard_output() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], input=LINE, capture_output=True, timeout=30)
    assert ran.stdout == LINE
    assert set(ran.stderr.splitlines()) == {b"a print", b"a write", b"a child"}
    assert ran.returncode == 0


@pytest.mark.parametrize(
    ("closed", "subject"),
    [
        ([0], "standard input is"),
        ([1], "standard output is"),
        ([0, 1], "standard input and standard output are"),
    ],
)
def test_a_closed_stream_is_reported(closed: list[int], subject: str) -> None:
    program = CLAIM_WITHOUT.format(closed=closed)
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True, timeout=30)
    assert ran.stderr.decode() == (
        f"no MCP client is connected: {subject} closed. Let an MCP client start pharo-mcp"
    )


def test_without_standard_error_the_protocol_works_and_prints_are_discarded() -> None:
    program = f"import os; os.close(2)\n{PROGRAM}"
    ran = subprocess.run([sys.executable, "-c", program], input=LINE, capture_output=True, timeout=30)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, LINE, b"")
