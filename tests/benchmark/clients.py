"""A client that costs as little as it can, so that what is measured is the server's."""

import json
import os
import select
import subprocess
from collections import deque
from collections.abc import Mapping
from typing import Any, Self

from programs import PATIENCE

READ_SIZE = 65536


class PipeClient:
    """An MCP client that writes and reads in one thread: another for reading would take part of each call."""

    def __init__(self, command: list[str], env: Mapping[str, str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, env=dict(env), stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._to_server = self.process.stdin.fileno()
        self._from_server = self.process.stdout.fileno()
        self._rest = b""
        self._lines: deque[bytes] = deque()
        self._id = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, message: object) -> None:
        """Send one message."""
        line = json.dumps(message).encode() + b"\n"
        while line:
            line = line[os.write(self._to_server, line) :]

    def receive(self) -> Any:
        """The next message.

        Raises:
            TimeoutError: If none arrives in time.
            EOFError: If the server has ended.
        """
        while not self._lines:
            *lines, self._rest = (self._rest + self._read()).split(b"\n")
            self._lines.extend(line for line in lines if line.strip())
        return json.loads(self._lines.popleft())

    def request(self, method: str, **params: object) -> Any:
        """The response to a request; other messages are ignored."""
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while (message := self.receive()).get("id") != self._id:
            pass
        return message

    def shake_hands(self, revision: str = "2025-11-25") -> None:
        """Initialize as a legacy client does."""
        about = {"name": "benchmark", "version": "1"}
        self.request("initialize", protocolVersion=revision, capabilities={}, clientInfo=about)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self) -> bytes:
        if os.name == "posix" and not select.select([self._from_server], [], [], PATIENCE)[0]:
            raise TimeoutError(f"no message within {PATIENCE:g} seconds from {self.process.args!r}")
        piece = os.read(self._from_server, READ_SIZE)
        if not piece:
            raise EOFError(f"it has ended: {self.process.args!r}")
        return piece
