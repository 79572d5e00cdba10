"""Claiming standard input and output, seen from outside the process that does it."""

import subprocess
import sys

PROGRAM = """
import os, subprocess, sys
from queue import SimpleQueue
from pharo_mcp.jsonrpc import encode
from pharo_mcp.transports import claim_stdio

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

LINE = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{}}\n'


def test_nothing_but_the_protocol_reaches_standard_output() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], input=LINE, capture_output=True, timeout=30)
    assert ran.stdout == LINE
    assert set(ran.stderr.splitlines()) == {b"a print", b"a write", b"a child"}
    assert ran.returncode == 0
