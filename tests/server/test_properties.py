"""Whatever is sent, each request and each bad line gets one answer, and nothing else gets any."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ToolResult
from pharo_mcp.wire.jsonrpc import BadLine, Batch, Message, Request, decode
from server.conversation import MODERN, Conversation, Workbench, request

METHODS = ["initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list"]
METHODS += ["resources/read", "resources/templates/list", "prompts/list", "prompts/get", "unknown", ""]
LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
NAMES = st.sampled_from(["name", "uri", "arguments", "cursor", "protocolVersion", "_meta", "text", "who"])
VALUES = st.sampled_from(["echo", "fail", "break", "greet", "pharo://class/Fixed", "2025-03-26", MODERN])
JSON = st.recursive(
    LEAVES | VALUES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(NAMES | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=8,
)
REQUESTS = st.builds(
    lambda request_id, method, params: request(request_id, method, **params),
    st.integers(0, 9) | st.text(max_size=3) | LEAVES,
    st.sampled_from(METHODS),
    st.dictionaries(NAMES, JSON, max_size=4),
)
NOTIFICATIONS = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": st.sampled_from(METHODS)}, optional={"params": JSON}
)
MESSAGES = REQUESTS | NOTIFICATIONS | JSON
LINES = (
    st.builds(lambda value: json.dumps(value).encode(), MESSAGES | st.lists(MESSAGES, max_size=3))
    | st.binary(max_size=20)
).map(lambda line: line.replace(b"\n", b""))


def ids_to_answer(message: Message | BadLine) -> list[object]:
    """The ids of the answers that a message must get, as they are written."""
    match message:
        case Request(request_id) | BadLine(request_id):
            return [json.dumps(request_id)]
        case Batch(messages):
            return [each for inner in messages for each in ids_to_answer(inner)]
    return []


def flattened(said: Iterable[Any]) -> Iterable[Any]:
    """The single messages in what was said, batches or not."""
    for line in said:
        assert line != [], "a batch was answered by nothing"
        yield from line if isinstance(line, list) else [line]


@settings(deadline=None, derandomize=True, max_examples=200)
@given(st.booleans(), st.lists(LINES, max_size=8))
def test_one_answer_for_every_request_and_bad_line(handshake: bool, lines: list[bytes]) -> None:
    conversation = Conversation()
    if handshake:
        conversation.shake_hands()
    for line in lines:
        conversation.send(line + b"\n")
    answers = conversation.rest()
    flat = list(flattened(answers))
    expected = [each for line in lines if line.strip(b" \t\r") for each in ids_to_answer(decode(line))]
    assert Counter(json.dumps(answer["id"]) for answer in flat) == Counter(expected)
    assert all(("result" in answer) != ("error" in answer) for answer in flat)


class Ask(NamedTuple):
    """To send a request; its id is its number, and its token, too."""

    method: str
    params: Mapping[str, object] = {}


class Cancel(NamedTuple):
    """To cancel a request, which may be answered already or not be admitted yet."""

    request_id: int


class Note(NamedTuple):
    """To send a message that is not to be answered."""

    message: object


class Junk(NamedTuple):
    """To send JSON that is no message."""

    value: object


WAIT = Ask("tools/call", {"name": "wait"})
COUNT = Ask("tools/call", {"name": "count", "arguments": {"numbers": [1, 1, 3, 2]}})
STEPS = st.sampled_from(
    [
        WAIT,
        COUNT,
        Ask("tools/call", {"name": "echo", "arguments": {"text": "here"}}),
        Ask("tools/call", {"name": "echo"}),
        Ask("tools/call", {"name": "quick"}),
        Ask("tools/call", {"name": "break"}),
        Ask("tools/call", {"name": "nope"}),
        Ask("resources/read", {"uri": "pharo://class/Missing"}),
        Ask("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}),
        Ask("tools/list"),
        Ask("ping"),
        Ask("unknown"),
        Note({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        Note({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "wait"}}),
        Note({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": None}}),
        Note({"jsonrpc": "2.0", "id": 0, "result": {}}),
        *map(Junk, [1, None, "ping", {}, [], {"jsonrpc": "2.0", "method": "ping", "id": None}]),
    ]
) | st.builds(Cancel, st.integers(0, 20))
BROKEN = st.sampled_from([b"nonsense", b'{"jsonrpc":"2.0","id":1,', b"[1,", b'"\xff"', b"NaN", b"[" * 9999])


class Script:
    """What a client sends, and what it has to hear."""

    def __init__(self, lines: Iterable[Any]) -> None:
        self.admitted: list[Ask] = []
        self.cancelled: set[int] = set()
        self.junk = 0
        self.stream = b"".join(map(self._write, lines))

    def answers_to(self, request_id: int) -> set[int]:
        """How many answers a request may get."""
        if request_id not in self.cancelled:
            return {1}
        return {0} if self.admitted[request_id] is WAIT else {0, 1}

    def _write(self, line: Any) -> bytes:
        match line:
            case bytes():
                self.junk += 1
                return line + b"\n"
            case list():
                return json.dumps(list(map(self._message, line))).encode() + b"\n"
        return json.dumps(self._message(line)).encode() + b"\n"

    def _message(self, step: Ask | Cancel | Note | Junk) -> object:
        match step:
            case Ask(method, params):
                number = len(self.admitted)
                self.admitted.append(step)
                return request(number, method, **params, _meta={"progressToken": number})
            case Cancel(request_id):
                if request_id < len(self.admitted):
                    self.cancelled.add(request_id)
                note = {"requestId": request_id, "reason": "changed my mind"}
                return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": note}
            case Note(message):
                return message
            case Junk(value):
                self.junk += 1
                return value


class PatientWorkbench(Workbench):
    """Its `wait` waits whatever is cancelled: the work in the image may not end at once."""

    def wait(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer when released."""
        assert self.released.wait_unless(lambda: False)
        return ToolResult.from_text("released")


def heard_by(script: Script, piece: int) -> list[Any]:
    """All that a client hears that sends its script in pieces of that size."""
    conversation = Conversation(PatientWorkbench())
    conversation.shake_hands()
    for start in range(0, len(script.stream), piece):
        conversation.send(script.stream[start : start + piece])
    conversation.request("last", "ping")
    heard = []
    while (message := conversation.receive()) != {"jsonrpc": "2.0", "id": "last", "result": {}}:
        heard.append(message)
    conversation.workbench.released.set()  # only now, so that what waits was in flight all the time
    return heard + conversation.rest()


@settings(deadline=None, derandomize=True, max_examples=200)
@given(
    st.lists(STEPS | st.lists(STEPS, min_size=1, max_size=5) | BROKEN, max_size=40).map(Script),
    st.integers(1, 500),
)
def test_one_answer_for_every_request_that_is_not_cancelled_and_progress_before_it(
    script: Script, piece: int
) -> None:
    heard = list(flattened(heard_by(script, piece)))
    answers = [message for message in heard if "id" in message]
    counts = Counter(answer["id"] for answer in answers)
    assert counts.pop(None, 0) == script.junk
    assert counts.keys() <= set(range(len(script.admitted)))
    for number, ask in enumerate(script.admitted):
        assert counts[number] in script.answers_to(number)
        mine = [message for message in heard if number in (message.get("id"), token(message))]
        told = [message["params"]["progress"] for message in mine if token(message) is not None]
        assert told == [1, 3][: len(told)]
        assert counts[number] == 0 or "id" in mine[-1]
        assert counts[number] == 0 or len(told) == (2 if ask is COUNT else 0)


def token(message: Any) -> object:
    """What a message tells progress by; None if it does not."""
    return message["params"]["progressToken"] if message.get("method") == "notifications/progress" else None
