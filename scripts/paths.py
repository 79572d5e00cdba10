"""Trace the path of a request through the modules of pharo-mcp and the classes of the companion, for cog.

Each function runs a real session against the practice image and returns the modules in the order in which
they were first called, from the first byte read to the last one written.
"""

import ast
import json
import os
import re
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from time import monotonic, sleep
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from pharo_mcp.app.lazy_backend import LazyBackend  # noqa: E402 - after the path to the tests
from pharo_mcp.app.settings import Settings  # noqa: E402 - after the path to the tests
from pharo_mcp.transports.pipes import PipeTransport  # noqa: E402 - after the path to the tests
from programs import PATIENCE, LiveImage, start_practice_image  # noqa: E402 - after the path to the tests

FRONT_END = "pharo_mcp."
FIRST = "pharo_mcp.jsonrpc.reader"
"""A trace begins here: whatever runs before the client's bytes are read belongs to no request."""
HTTP = "pharo_mcp.image.connection.http"
PASSED = re.compile(
    r"pharo_mcp\.(__init__|imports|times|tool_table|.*\.(base|states|errors|messages|wording))$"
)
"""Modules of values and words, which are on every path."""
STACKS = """| stackOf classesOf stackWith |
stackOf := [ :top | | all each |
    all := OrderedCollection new.
    each := top.
    [ each isNil ] whileFalse: [ all addFirst: each. each := each sender ].
    all ].
classesOf := [ :top | (stackOf value: top) collect: [ :each | each receiver class instanceSide name ] ].
stackWith := [ :name |
    Process allSubInstances
        collect: [ :each | classesOf value: each suspendedContext ]
        thenSelect: [ :each | (each includes: name) and: [ (each includes: #PmcEvaluator) not ] ] ].
String streamContents: [ :out |
    { stackWith value: #PmcDispatcher. stackWith value: #PmcJobs. { classesOf value: thisContext } }
        do: [ :stacks | stacks first do: [ :each |
            (each beginsWith: 'Pmc') ifTrue: [ out nextPutAll: each; space ] ] ] ]"""
"""The classes on the stacks of the process that serves the request, of the one that runs its job, and of the
job itself, from the outermost call on."""
REGISTER = """PharoMcp addTool: (PmcTool
    name: 'path_example'
    description: 'An example'
    inputSchema: (PmcSchema object: {} required: #())
    handler: [ :arguments | 7 ])"""
ENDPOINT = """(PmcEndpoint allSubclasses detect: [ :each |
    each isAbstract not and: [ each path = '%s' ] ]) name asString"""


PAGE = ROOT / "ARCHITECTURE.md"
PLAYS = 20
"""How often a session is played until its path is the one that the page shows."""

FOR_OTHERS = ("wait_for_room", "_next_task", "take_overdue", "expire")
"""What threads call, with all that it calls, before they read on, after another request and at intervals."""

Steps = dict[str, list[str]]
"""Modules and requests, by the name of the thread."""
Classes = dict[str, list[str]]
"""The companion's classes on the path of a request, by the request."""
THREADS = {
    "reader": "The thread that reads the client's bytes",
    "watch": "The thread that watches the image",
    "connection": "The connection's thread",
    "worker": "A worker's thread",
    "quick worker": "A quick worker's thread",
    "cancel": "The thread that stops the work of a cancelled request",
    "writer": "The thread that writes to the client",
}
"""In the order in which they take part."""


class Trace:
    """Records which modules are called, by thread, and which requests are sent to the image."""

    def __init__(self) -> None:
        self._steps: dict[str, list[str]] = {}
        self._first = FIRST
        self._lock = threading.Lock()
        self._records = False

    def install(self) -> None:
        """Look at the calls of all threads that start from now on."""
        threading.setprofile(self._look)

    @contextmanager
    def recording(self, first: str = FIRST) -> Iterator[Steps]:
        """The steps while the block runs, from the first call of a module on."""
        steps: Steps = {}
        with self._lock:
            self._steps, self._first, self._records = steps, first, True
        try:
            yield steps
        finally:
            with self._lock:
                self._records = False

    def _look(self, frame: FrameType, event: str, _: object) -> None:
        module = frame.f_globals.get("__name__", "")
        if event != "call" or not self._records or not module.startswith(FRONT_END):
            return
        if any(name in FOR_OTHERS for name in callers(frame)):
            return
        with self._lock:
            if self._steps or module == self._first:
                self._add(module, frame)

    def _add(self, module: str, frame: FrameType) -> None:
        mine = self._steps.setdefault(re.sub(r" ?\d+$", "", threading.current_thread().name), [])
        seen = {step for steps in self._steps.values() for step in steps}
        if not PASSED.match(module) and module not in mine:
            mine.append(module)
        if module == HTTP and frame.f_code.co_name == "send":
            request = f"{frame.f_locals['method']} {frame.f_locals['path']}"
            if request not in seen:
                mine.append(request)


def callers(frame: FrameType | None) -> Iterator[str]:
    """The names of the function of a frame and of those that called it."""
    while frame:
        yield frame.f_code.co_name
        frame = frame.f_back


class Session:
    """A client of a server in this process, in front of the practice image."""

    def __init__(self, image: LiveImage, trace: Trace) -> None:
        trace.install()
        theirs, self._out = os.pipe()
        self._in, ours = os.pipe()
        self._replies = os.fdopen(self._in, "rb")
        self._backend = LazyBackend(Settings(), image.env())
        self._connection = self._backend.connect(PipeTransport(theirs, ours))
        self._server = threading.Thread(target=self._connection.serve, name="connection")
        self._server.start()
        self._ids = 0
        self.request("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={})
        self.send("notifications/initialized")

    def get_ready(self) -> None:
        """Connect, and watch the image."""
        self._backend.get_ready()

    def begin(self, method: str, **params: object) -> int:
        """Send a request; its id."""
        self._ids += 1
        self.send(method, self._ids, **params)
        return self._ids

    def send(self, method: str, request_id: int | None = None, **params: object) -> None:
        """Send a message."""
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request_id is not None:
            message["id"] = request_id
        os.write(self._out, json.dumps(message).encode() + b"\n")

    def receive(self) -> Any:
        """The next message."""
        return json.loads(self._replies.readline())

    def request(self, method: str, **params: object) -> Any:
        """Send a request and wait for its response."""
        request_id = self.begin(method, **params)
        while (message := self.receive()).get("id") != request_id:
            pass
        return message.get("result")

    def call(self, tool: str, **arguments: object) -> str:
        """Call a tool; the text of its result."""
        return str(self.request("tools/call", name=tool, arguments=arguments)["content"][0]["text"])

    def close(self) -> None:
        """End the session."""
        os.close(self._out)
        self._server.join(PATIENCE)
        self._backend.close()
        self._replies.close()


@contextmanager
def session(trace: Trace) -> Iterator[Session]:
    """A session with an image of its own."""
    with tempfile.TemporaryDirectory() as home:
        image = start_practice_image(Path(home))
        with image.program:
            opened = Session(image, trace)
            try:
                yield opened
            finally:
                opened.close()
                threading.setprofile(None)


def path(play: Callable[[Trace, Session], tuple[Steps, Classes]]) -> Callable[[], str]:
    """A function that plays a session and returns its path.

    What other threads do at the same time can come between the steps, so a session whose path is not the one
    that the page shows is played again, a few times.
    """

    @cache
    def described_path() -> str:
        page = PAGE.read_text("utf-8")
        for _ in range(PLAYS):
            trace = Trace()
            with session(trace) as client:
                text = listing(*play(trace, client))
            if text in page:
                break
        return text

    return described_path


@path
def evaluate(trace: Trace, client: Session) -> tuple[Steps, Classes]:
    """The path of `tools/call` with `evaluate`."""
    client.call("evaluate", expression="3 + 4")
    with trace.recording() as steps:
        client.call("evaluate", expression="3 + 4")
    classes = re.findall(r"\bPmc\w+", client.call("evaluate", expression=STACKS))
    return steps, {"POST /evaluate": list(dict.fromkeys(classes))}


@path
def cancel(trace: Trace, client: Session) -> tuple[Steps, Classes]:
    """The path of `notifications/cancelled` for an evaluation that runs."""
    client.call("evaluate", expression="3 + 4")
    begun = client.begin("tools/call", name="evaluate", arguments={"expression": "[ true ] whileTrue"})
    _wait_until(lambda: "whileTrue" in client.call("get_status"))
    with trace.recording() as steps:
        client.send("notifications/cancelled", requestId=begun)
        _wait_until(lambda: any("POST /stop" in mine for mine in list(steps.values())))
    _wait_until(lambda: "whileTrue" not in client.call("get_status"))
    return steps, endpoints(client, steps)


@path
def undo(trace: Trace, client: Session) -> tuple[Steps, Classes]:
    """The path of `tools/call` with `undo_change`."""
    client.call("edit_code", text="Object << #PathExample package: 'PathExamples'")
    with trace.recording() as steps:
        client.call("undo_change", to=0)
    return steps, endpoints(client, steps)


@path
def registered_tool(trace: Trace, client: Session) -> tuple[Steps, Classes]:
    """The path of a tool that appears in the image, until the client is notified."""
    client.get_ready()
    client.call("evaluate", expression="3 + 4")
    with trace.recording("pharo_mcp.image.watch") as steps:
        client.begin("tools/call", name="evaluate", arguments={"expression": REGISTER})
        while client.receive().get("method") != "notifications/tools/list_changed":
            pass
    watched = {name: mine for name, mine in steps.items() if name in {"watch", "connection", "writer"}}
    return watched, endpoints(client, watched)


def endpoints(client: Session, steps: Steps) -> Classes:
    """The companion's class for each request among the steps."""
    requests = [step for mine in steps.values() for step in mine if step.startswith(("GET ", "POST "))]
    answers = [client.call("evaluate", expression=ENDPOINT % each.split()[1]) for each in requests]
    return {each: [answer.strip("'")] for each, answer in zip(requests, answers, strict=True)}


def listing(steps: Steps, classes: Classes) -> str:
    """The steps as lines: each module or class with the first sentence of its description."""
    lines: list[tuple[str, str]] = []
    seen: set[str] = set()
    for thread in THREADS:
        new = [step for step in steps.get(thread, []) if step not in seen]
        seen.update(new)
        if new:
            lines.append((f"{THREADS[thread]}:", ""))
        for step in new:
            lines += described(step, classes)
    width = max(len(left) for left, right in lines if right) + 2
    return "```\n" + "\n".join(f"{left:<{width}}{right}".rstrip() for left, right in lines) + "\n```"


def described(step: str, classes: Classes) -> Iterator[tuple[str, str]]:
    """A step with its description; a request with the classes that answer it."""
    if step.startswith(FRONT_END):
        path = step.removeprefix(FRONT_END).replace(".", "/") + ".py"
        yield f"  {path}", first_sentence(docstring_of(path))
        return
    yield f"  {step}", "the companion, in the image:"
    for name in classes.get(step, []):
        yield f"    {name}", first_sentence(comment_of(name))


def docstring_of(path: str) -> str:
    """The description of a module."""
    source = (ROOT / "src" / "pharo_mcp" / path).read_text("utf-8")
    return ast.get_docstring(ast.parse(source)) or ""


def comment_of(class_name: str) -> str:
    """The comment of a class of the companion."""
    [file] = (ROOT / "pharo").glob(f"*/{class_name}.class.st")
    return file.read_text("utf-8").split('"')[1].strip()


def first_sentence(text: str) -> str:
    """What a description begins with."""
    return re.split(r"[.:;](?:\s|$)", " ".join(text.split("\n\n")[0].split()))[0]


def _wait_until(condition: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE
    while not condition():
        if monotonic() > end:
            raise TimeoutError("the session did not get there")
        sleep(0.01)
