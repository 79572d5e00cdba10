"""The programs that are measured: pharo-mcp, other MCP servers, and the stub image that they talk to."""

import json
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from pharo_mcp.cli.clients import own_entry
from programs import LiveImage, Program, environment, running_images

from .clients import PipeClient

OURS = "pharo-mcp"
EXPRESSION = "3 + 4"
PORT = "{port}"
"""What stands for the stub image's port in the command of another server."""
NO_EXTRA = 'raise ImportError("it belongs to an extra")\n'
"""Stands for `click`, which httpx imports with `rich` for its own command line where extras brought them."""


class Server(NamedTuple):
    """An MCP server as a client starts it."""

    name: str
    command: list[str]
    env: Mapping[str, str]

    @contextmanager
    def session(self) -> Iterator[PipeClient]:
        """A session after its handshake."""
        with PipeClient(self.command, self.env) as client:
            client.shake_hands()
            yield client


def ours(image: LiveImage, *options: str) -> Server:
    """pharo-mcp without extras, as `setup` lets clients start it, with options.

    It finds the image by its connection file.
    """
    hidden = image.home / "without-extras"
    hidden.mkdir(exist_ok=True)
    (hidden / "click.py").write_text(NO_EXTRA, "utf-8")
    env = image.env(PYTHONPATH=str(hidden))
    return Server(" ".join((OURS, *options)), list(own_entry(options).words), env)


def other_server(text: str, image: LiveImage) -> Server:
    """The server that `--beside NAME=COMMAND` names.

    Raises:
        ValueError: If the text has no name or no command.
    """
    name, equals, command = text.partition("=")
    words = shlex.split(command.replace(PORT, image.url.rpartition(":")[2]))
    if not (name and equals and words):
        raise ValueError(f"{text!r} is not NAME=COMMAND, such as 'other=python -m other_server'")
    return Server(name, words, image.env())


def call_of(client: PipeClient) -> Mapping[str, Any] | None:
    """The params of a call that evaluates 3 + 4; None if the server has no tool for it.

    Such a tool has `eval` in its name, and one required argument.
    """
    for tool in client.request("tools/list")["result"]["tools"]:
        required = tool["inputSchema"].get("required", [])
        if "eval" in tool["name"].lower() and len(required) == 1:
            return {"name": tool["name"], "arguments": {required[0]: EXPRESSION}}
    return None


@contextmanager
def stub_image(home: Path, port: int = 0) -> Iterator[LiveImage]:
    """The stub image in a process of its own."""
    tests = str(Path(__file__).parents[1])
    env = environment(home, PYTHONPATH=tests)
    command = [sys.executable, "-m", "benchmark.stub_image", str(home), str(port)]
    with Program(command, env) as program:
        if program.read_line() is None:
            raise ChildProcessError("the stub image did not start")
        [image] = running_images(home)
        yield image


def is_answer(response: Mapping[str, Any]) -> bool:
    """Whether a response to a call reports the 7 that the image answered."""
    result = response.get("result", {})
    return not result.get("isError") and "7" in json.dumps(result.get("content", ""))
