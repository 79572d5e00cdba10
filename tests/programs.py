"""Real programs for the tests: pharo-mcp as a client starts it, and an image for it to talk to."""

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Self

PATIENCE = 60.0
"""Seconds that any test waits for another program before it fails: longer than any call may take."""
EXAMPLES = [
    Path(__file__).parents[1] / "pharo" / name
    for name in (
        "PharoMcp-Core-Tests",
        "PharoMcp-UserInterface-Tests",
        "PharoMcp-Browsing-Tests",
        "BaselineOfPharoMcp",
    )
]
"""The companion's tests of its first packages, and its baseline: many tests ask for the classes in them."""
COMMAND = [sys.executable, "-m", "pharo_mcp"]
CACHE = tempfile.TemporaryDirectory(prefix="pharo-mcp-cache-")
"""The cache folder of everything that the tests of a process start; it is removed at their end."""


def environment(home: Path, **more: str) -> dict[str, str]:
    """A user's environment with a home folder of its own and nothing of ours or of a test runner's set."""
    foreign = (
        "PHARO_MCP_",
        "PYTHON",
        "XDG_CONFIG_HOME",
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "COLUMNS",
        "LINES",
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    own = {"HOME": str(home), "USERPROFILE": str(home), "XDG_CACHE_HOME": CACHE.name}
    return {**kept, **own, **more}


class Program:
    """A running program whose lines are read with a bound on every wait."""

    def __init__(
        self,
        command: list[str],
        env: Mapping[str, str],
        stderr: int | IO[Any] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            command, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, cwd=folder
        )
        self._lines: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def write(self, chunk: bytes) -> None:
        """Send bytes to its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(chunk)
        self.process.stdin.flush()

    def read_line(self) -> bytes | None:
        """Its next line; None at the end of its output."""
        return self._lines.get(timeout=PATIENCE)

    def close_input(self) -> None:
        """Tell it that nothing more comes."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def wait(self) -> int:
        """Its exit status."""
        return self.process.wait(PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue


class Client(Program):
    """An MCP client of the plainest kind: one JSON object a line."""

    def __init__(
        self,
        *arguments: str,
        env: Mapping[str, str],
        stderr: int | IO[Any] | None = None,
        command: list[str] = COMMAND,
    ) -> None:
        super().__init__([*command, *arguments], env, stderr)
        self._id = 0
        self.told: list[Any] = []
        self._begun: set[str | int] = set()
        self._early: deque[Any] = deque()
        """Answers to what was begun that came before the answer to what was asked later."""

    def send(self, message: object) -> None:
        """Send one message."""
        self.write(json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """The next message; fails at the end of output."""
        return self._early.popleft() if self._early else self._next()

    def _next(self) -> Any:
        line = self.read_line()
        assert line is not None, "pharo-mcp ended"
        return json.loads(line)

    def request(self, method: str, **params: object) -> Any:
        """Ask, and answer the whole response; what is told before it without asking is kept in `told`."""
        self._id += 1
        self.send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while (message := self._next()).get("id") != self._id:
            if "method" in message:
                self.told.append(message)
            else:
                assert message["id"] in self._begun
                self._early.append(message)
        return message

    def wait_for(self, method: str) -> Any:
        """Take the first notification of a method, waiting for it if need be; its params."""
        while not (found := [each for each in self.told if each["method"] == method]):
            self.told.append(self.receive())
        self.told.remove(found[0])
        return found[0]["params"]

    def shake_hands(self, revision: str = "2025-11-25") -> Any:
        """Initialize as a legacy client does; answer the result."""
        response = self.request(
            "initialize",
            protocolVersion=revision,
            capabilities={},
            clientInfo={"name": "tests", "version": "1"},
        )
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return response["result"]

    def begin(
        self, request_id: str | int, tool: str, *, token: str | None = None, **arguments: object
    ) -> None:
        """Call a tool without waiting for its result; with a token, progress is wanted."""
        meta = {} if token is None else {"_meta": {"progressToken": token}}
        params = {"name": tool, "arguments": arguments, **meta}
        self._begun.add(request_id)
        self.send({"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params})

    def cancel(self, request_id: str | int) -> None:
        """Say that nobody waits for an answer any more."""
        self._begun.discard(request_id)
        params = {"requestId": request_id}
        self.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def call(self, tool: str, **arguments: object) -> Any:
        """Call a tool; answer its result."""
        return self.request("tools/call", name=tool, arguments=arguments)["result"]


@dataclass(frozen=True)
class LiveImage:
    """An image that answers, with the connection file it wrote into its home."""

    home: Path
    connection: Mapping[str, Any]

    @property
    def url(self) -> str:
        """Where it answers."""
        return str(self.connection["url"])

    @property
    def token(self) -> str:
        """What it wants to be shown."""
        return str(self.connection["token"])

    @property
    def system(self) -> str:
        """What it is, such as `Pharo 13.0`."""
        return str(self.connection["system"])

    def env(self, **more: str) -> dict[str, str]:
        """The environment of a program that finds this image by its connection file."""
        return environment(self.home, **more)


@dataclass(frozen=True)
class Practice(LiveImage):
    """The practice image, running as a program of ours."""

    program: Program


def running_images(home: Path) -> list[LiveImage]:
    """The images that wrote their connection files into a home folder, dead ones too."""
    found = []
    for file in (home / ".pharo-mcp" / "images").glob("*.json"):
        with suppress(FileNotFoundError):  # one that is being saved writes another
            found.append(LiveImage(home, json.loads(file.read_text("utf-8"))))
    return found


def start_practice_image(
    home: Path, stderr: int | None = None, folder: Path | None = None, loads: Sequence[Path] = EXAMPLES
) -> Practice:
    """Start the practice image with the companion in it; wait until it has said where it answers.

    `folder` is where its image file would lie, `loads` are the folders of packages that it loads.
    """
    command = [*COMMAND, "practice", *(word for load in loads for word in ("--load", str(load)))]
    program = Program(command, environment(home), stderr, folder)
    said = program.read_line()
    assert said is not None, "the practice image did not start"
    [found] = [image for image in running_images(home) if image.url in said.decode()]
    return Practice(home, found.connection, program)
