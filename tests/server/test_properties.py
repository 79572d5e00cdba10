"""Whatever is sent, each request and each bad line gets one answer, and nothing else gets any."""

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from pharo_mcp.jsonrpc import BadLine, Batch, Message, Request, decode
from server.conversation import MODERN, Conversation, request

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


@settings(deadline=None)
@given(st.booleans(), st.lists(LINES, max_size=8))
def test_one_answer_for_every_request_and_bad_line(handshake: bool, lines: list[bytes]) -> None:
    conversation = Conversation()
    if handshake:
        conversation.shake_hands()
    for line in lines:
        conversation.send(line + b"\n")
    answers = conversation.rest()
    flat = [each for answer in answers for each in (answer if isinstance(answer, list) else [answer])]
    expected = [each for line in lines if line.strip(b" \t\r") for each in ids_to_answer(decode(line))]
    assert Counter(json.dumps(answer["id"]) for answer in flat) == Counter(expected)
    assert all(("result" in answer) != ("error" in answer) for answer in flat)
