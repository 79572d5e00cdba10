"""A client of the plainest kind, in front of a connection that is served in a thread."""

import json
from collections.abc import Callable, Mapping
from queue import Empty
from threading import Condition, Event, Thread
from typing import Any, cast

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import (
    Catalog,
    Completion,
    InvalidArguments,
    OtherContent,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptResult,
    Resource,
    ResourceNotFound,
    Skill,
    TextContent,
    Tool,
    ToolError,
    ToolResult,
)
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.server.lifecycle import Identity
from pharo_mcp.server.serving import Server
from pharo_mcp.server.subscriptions import EventBus
from programs import PATIENCE
from wire.memory import MemoryPipe, MemoryTransport

IDENTITY = Identity("pharo-mcp", "1.2.3", "Pharo", "How to use it.")
TEXT = Schema({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]})
NUMBERS = Schema({"type": "object", "properties": {"numbers": {"type": "array"}}, "required": ["numbers"]})
ANYTHING = Schema({"type": "object"})
NOTHING = Schema({"type": "object", "additionalProperties": False})
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Release:
    """An event for which calls wait until they are cancelled."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._is_set = False

    def set(self) -> None:
        """Release all that wait, and those that come later."""
        with self._changed:
            self._is_set = True
            self._changed.notify_all()

    def clear(self) -> None:
        """Release nobody from now on."""
        self._is_set = False

    def end_wait(self) -> None:
        """Let those that wait look whether they were cancelled."""
        with self._changed:
            self._changed.notify_all()

    def wait_unless(self, is_cancelled: Callable[[], bool]) -> bool:
        """Wait until released or cancelled; false if neither happens in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._is_set or is_cancelled(), PATIENCE)


class Workbench:
    """What the tests offer, and the strings by which they hold it."""

    def __init__(self) -> None:
        self.released = Release()
        self.started = Event()
        self.stopped = Event()

    def echo(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer at once."""
        return ToolResult.from_text(str(arguments["text"]))

    def look(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer without waiting for anything."""
        return ToolResult.from_text("looked")

    def say_what_remains(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer how many seconds are left for it."""
        return ToolResult.from_text(f"{call.remaining}")

    def wait(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer when released or cancelled."""
        self.waiting = call
        call.on_cancel(self.stopped.set)
        call.on_cancel(self.released.end_wait)
        self.started.set()
        if not self.released.wait_unless(lambda: call.cancelled):
            raise ToolError("Nobody released me.")
        return ToolResult.from_text("released")

    def count(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Report some numbers, each with its words, on the way to the answer."""
        numbers = cast(list[float], arguments["numbers"])
        for number in numbers:
            call.report(number, f"at {number}")
        return ToolResult.from_text("counted")

    def break_down(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Have a bug."""
        raise RuntimeError("a secret that belongs into the log")

    def answer_nonsense(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer what JSON cannot say."""
        return ToolResult((OtherContent({"type": "text", "number": float("nan")}),))

    def fail(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Not find the image."""
        raise ToolError(
            "No image answers. Start one.", "unreachable", {"url": "http://127.0.0.1:1", "near": []}
        )

    def read(self, parameters: Mapping[str, str], call: Call) -> str:
        """Read a resource: some are missing, some cannot be reached."""
        match parameters:
            case {"name": "Missing"}:
                raise ResourceNotFound("class Missing is not in the image")
            case {"name": "Unreachable"}:
                self.fail({}, call)
            case {"name": "Slow"}:
                self.wait({}, call)
        return f"read {dict(parameters)}"

    def render(self, arguments: Mapping[str, str], call: Call) -> PromptResult:
        """Fill the blanks of a prompt."""
        if arguments["who"] == "Nobody":
            raise InvalidArguments("there is nobody")
        if arguments["who"] == "Unreachable":
            self.fail({}, call)
        return PromptResult("A greeting", (PromptMessage(TextContent(f"Greet {arguments['who']}.")),))

    def complete(self, name: str, begun: str, filled: Mapping[str, str], call: Call) -> Completion:
        """Go on with a word in some ways; there is no image for one of them."""
        if begun == "Unreachable":
            self.fail({}, call)
        words = (f"{begun}{filled.get('kind', '')}{number}" for number in range(3))
        return Completion(tuple(words), 150)

    @property
    def catalog(self) -> Catalog:
        """All of it."""
        hints = {"readOnlyHint": True}
        return Catalog(
            tools=(
                Tool("echo", "Echoes.", TEXT, self.echo, hints, title="Echo"),
                Tool("wait", "Waits.", NOTHING, self.wait),
                Tool("break", "Breaks.", NOTHING, self.break_down),
                Tool("nonsense", "Answers nonsense.", NOTHING, self.answer_nonsense),
                Tool("quick", "Answers at once.", NOTHING, self.look),
                Tool("fail", "Fails.", NOTHING, self.fail),
                Tool("remaining", "Says what time is left.", NOTHING, self.say_what_remains),
                Tool("count", "Counts.", NUMBERS, self.count),
            ),
            resources=(Resource("pharo://class/Fixed", "Fixed", "One.", self.read, title="The one"),),
            templates=(
                Resource("pharo://class/{name}", "Class", "Many.", self.read, title="Any", is_template=True),
            ),
            prompts=(
                Prompt("greet", "Greet", "Greets.", (PromptArgument("who", "Whom", True),), self.render),
            ),
            complete=self.complete,
            skills=(Skill("greeting", "How to greet.", "# Say hello\n"),),
        )


SERVING = "serving"
"""The name of the thread that holds a conversation."""


class Conversation:
    """One client and its connection; every wait is bounded."""

    def __init__(
        self, workbench: Workbench | None = None, event_bus: EventBus | None = None, **options: Any
    ) -> None:
        self.workbench = workbench or Workbench()
        self._to_server, self._from_server = MemoryPipe(), MemoryPipe()
        self.client = MemoryTransport(incoming=self._from_server, outgoing=self._to_server)
        transport = MemoryTransport(incoming=self._to_server, outgoing=self._from_server)
        self.event_bus = event_bus or EventBus()
        self.connection = Server(
            transport, lambda: self.workbench.catalog, IDENTITY, event_bus=self.event_bus, **options
        )
        self.lost: str | None = None
        self._serving = Thread(target=self._serve, name=SERVING, daemon=True)
        self._serving.start()

    def _serve(self) -> None:
        self.lost = self.connection.serve()

    def send(self, message: object) -> None:
        """Send bytes as they are, anything else as one line of JSON."""
        self.client.send(message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n")

    def receive_line(self) -> bytes | None:
        """The next line; None at the end."""
        try:
            return self._from_server.pieces.get(timeout=PATIENCE)
        except Empty:
            raise AssertionError("no answer came") from None

    def receive(self) -> Any:
        """What the next line says."""
        line = self.receive_line()
        assert line is not None, "the server ended"
        return json.loads(line)

    def request(self, request_id: object, method: str, **params: object) -> None:
        """Send a request."""
        self.send(request(request_id, method, **params))

    def ask(self, method: str, **params: object) -> Any:
        """Send a request and answer its whole answer."""
        self.request("admitted", method, **params)
        answer = self.receive()
        assert answer["id"] == "admitted"
        return answer

    def call(self, request_id: object, tool: str, **arguments: object) -> None:
        """Send a call of a tool."""
        self.request(request_id, "tools/call", name=tool, arguments=arguments)

    def shake_hands(self, revision: str = "2025-11-25") -> Any:
        """Initialize as a legacy client does; answer the result."""
        result = self.ask(
            "initialize", protocolVersion=revision, capabilities={}, clientInfo={"name": "t", "version": "1"}
        )["result"]
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return result

    def end(self) -> None:
        """Send no more."""
        self.client.close()

    def stop_reading(self) -> None:
        """Read no more, as a client that closed its end does."""
        self._from_server.is_read = False

    def wait_for_the_end(self) -> None:
        """Wait until the connection is done."""
        self._serving.join(PATIENCE)
        assert not self._serving.is_alive()

    def rest(self) -> list[Any]:
        """End the input; answer all that is still said."""
        self.end()
        self.wait_for_the_end()
        said = []
        while (line := self.receive_line()) is not None:
            said.append(json.loads(line))
        return said


def request(request_id: object, method: str, **params: object) -> dict[str, object]:
    """A request, as a client writes it."""
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
