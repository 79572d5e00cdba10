"""A legacy client is asked by requests of ours, and its responses reach the calls that wait for them."""

import json
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from pharo_mcp.protocol.call import Call, ClientRequest
from pharo_mcp.protocol.catalog import Tool, ToolResult
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.server.client_requests import QUESTION_SECONDS, ClientRequests, LegacyClient, ToClient
from pharo_mcp.wire.jsonrpc import ErrorResponse, Response
from programs import PATIENCE
from server.conversation import Conversation, Workbench

Result = Mapping[str, Any] | None


def asking(name: str = "question", fits: Callable[[object], bool] = lambda result: True) -> ClientRequest:
    return ClientRequest(name, "elicitation/create", {"message": name}, fits)


class AskingWorkbench(Workbench):
    """Has a tool that asks the client and answers what it got."""

    def ask(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Ask, until it is resolved or cancelled."""
        if call.client is None:
            return ToolResult.from_text("nobody")
        client, results = call.client, SimpleQueue[Result]()
        call.on_cancel(lambda: client.withdraw(None))
        client.ask([asking()], None, lambda _, result: results.put(result), PATIENCE)
        return ToolResult.from_text("withdrawn" if results.empty() else json.dumps(results.get()))

    @property
    def catalog(self) -> Any:
        """All of it."""
        tool = Tool("ask", "Asks.", Schema({"type": "object"}), self.ask)
        return super().catalog._replace(tools=(*super().catalog.tools, tool))


@pytest.fixture
def conversation() -> Iterator[Conversation]:
    conversation = Conversation(AskingWorkbench())
    yield conversation
    conversation.end()
    conversation.wait_for_the_end()


def shake_hands(conversation: Conversation, revision: str = "2025-11-25", **capabilities: object) -> None:
    conversation.ask(
        "initialize",
        protocolVersion=revision,
        capabilities=capabilities or {"elicitation": {}},
        clientInfo={"name": "t", "version": "1"},
    )


def begin(conversation: Conversation) -> Any:
    """Call the tool that asks; the request that the client gets."""
    conversation.call(1, "ask")
    asked = conversation.receive()
    assert asked["method"] == "elicitation/create"
    assert asked["params"] == {"message": "question"}
    return asked["id"]


def text_of(answer: Any) -> str:
    return str(answer["result"]["content"][0]["text"])


def test_a_response_reaches_the_call(conversation: Conversation) -> None:
    shake_hands(conversation)
    conversation.send({"jsonrpc": "2.0", "id": begin(conversation), "result": {"action": "accept"}})
    assert text_of(conversation.receive()) == '{"action": "accept"}'


def test_an_error_response_is_no_result(conversation: Conversation) -> None:
    shake_hands(conversation)
    error = {"code": -32601, "message": "Method not found"}
    conversation.send({"jsonrpc": "2.0", "id": begin(conversation), "error": error})
    assert text_of(conversation.receive()) == "null"


def test_responses_to_nothing_are_ignored(conversation: Conversation) -> None:
    shake_hands(conversation)
    request_id = begin(conversation)
    for stray in ("other", 7):
        conversation.send({"jsonrpc": "2.0", "id": stray, "result": {}})
    conversation.send({"jsonrpc": "2.0", "id": request_id, "result": {}})
    assert text_of(conversation.receive()) == "{}"


def test_a_cancelled_call_withdraws_its_request(conversation: Conversation) -> None:
    shake_hands(conversation)
    request_id = begin(conversation)
    conversation.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    told = conversation.receive()
    assert told["method"] == "notifications/cancelled"
    assert told["params"]["requestId"] == request_id


def test_the_end_of_input_resolves_what_is_open(conversation: Conversation) -> None:
    shake_hands(conversation)
    begin(conversation)
    conversation.end()
    assert text_of(conversation.receive()) == "null"


@pytest.mark.parametrize(
    ("revision", "capabilities"),
    [
        ("2025-11-25", {"tasks": {}}),
        ("2025-11-25", {"elicitation": {"url": {}}}),
        ("2025-11-25", {"elicitation": True}),
        ("2025-03-26", {"elicitation": {}}),
    ],
)
def test_a_client_that_cannot_ask_is_not_asked(
    conversation: Conversation, revision: str, capabilities: dict[str, object]
) -> None:
    shake_hands(conversation, revision, **capabilities)
    conversation.call(1, "ask")
    assert text_of(conversation.receive()) == "nobody"


class Inbox:
    """What is put to be sent, and a clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[Any] = []
        self.results: list[Result] = []
        self.resolved = Event()
        self.requests = ClientRequests(self._put, lambda: self.now)

    def _put(self, outgoing: ToClient) -> None:
        self.lines.append(json.loads(outgoing.line))

    def resolve(self, request: ClientRequest, result: Result) -> None:
        """Note a result."""
        self.results.append(result)
        self.resolved.set()

    def send(self, name: str = "question", fits: Callable[[object], bool] = lambda result: True) -> Any:
        """Send a request."""
        return self.requests.send(asking(name, fits), "e-1", 1, self.resolve)


def test_a_request_of_a_name_is_sent_once() -> None:
    inbox = Inbox()
    assert inbox.send() is inbox.send()
    assert len(inbox.lines) == 1


def test_a_result_that_does_not_fit_is_none() -> None:
    inbox = Inbox()
    sent = inbox.send(fits=lambda result: False)
    inbox.requests.take(Response(inbox.lines[0]["id"], {"action": "accept"}))
    assert inbox.requests.wait_for_any([sent], PATIENCE)
    assert inbox.results == [None]


@pytest.mark.parametrize("result", [None, [], 7])
def test_a_result_that_is_no_object_is_none(result: object) -> None:
    inbox = Inbox()
    sent = inbox.send()
    inbox.requests.take(Response(inbox.lines[0]["id"], result))
    assert inbox.requests.wait_for_any([sent], PATIENCE)
    assert inbox.results == [None]


def test_a_request_expires() -> None:
    inbox = Inbox()
    inbox.send()
    inbox.now = QUESTION_SECONDS - 1
    inbox.requests.expire()
    assert len(inbox.lines) == 1
    inbox.now = QUESTION_SECONDS
    inbox.requests.expire()
    assert inbox.resolved.wait(PATIENCE)
    assert inbox.results == [None]
    assert inbox.lines[1]["method"] == "notifications/cancelled"


def test_what_is_withdrawn_is_not_resolved() -> None:
    inbox = Inbox()
    sent = inbox.send()
    inbox.requests.withdraw("e-2")
    assert not inbox.requests.wait_for_any([sent], 0)
    inbox.requests.withdraw("e-1")
    assert inbox.requests.wait_for_any([sent], PATIENCE)
    assert inbox.results == []
    assert inbox.lines[1]["params"]["requestId"] == inbox.lines[0]["id"]


def test_a_request_whose_answer_is_being_resolved_is_not_sent_again() -> None:
    inbox, may_resolve = Inbox(), Event()

    def resolve(request: ClientRequest, result: Result) -> None:
        may_resolve.wait(PATIENCE)

    sent = inbox.requests.send(asking(), "e-1", 1, resolve)
    inbox.requests.take(Response(inbox.lines[0]["id"], {"action": "accept"}))
    assert inbox.send() is sent
    may_resolve.set()
    assert inbox.requests.wait_for_any([sent], PATIENCE)
    assert inbox.send() is not sent
    assert len(inbox.lines) == 2


def test_a_client_is_not_asked_for_what_was_resolved_since_it_was_needed() -> None:
    inbox = Inbox()
    late = LegacyClient(inbox.requests, 2, ["person"])
    sent = inbox.send()
    inbox.requests.take(Response(inbox.lines[0]["id"], {"action": "accept"}))
    assert inbox.requests.wait_for_any([sent], PATIENCE)
    assert late.ask([asking()], "e-1", inbox.resolve, 0)
    assert len(inbox.lines) == 1
    assert not late.ask([asking()], "e-1", inbox.resolve, 0)
    assert len(inbox.lines) == 2


def test_after_the_end_a_request_fails_at_once() -> None:
    inbox = Inbox()
    inbox.send()
    inbox.requests.close()
    assert inbox.results == [None]
    inbox.send("another")
    assert inbox.results == [None, None]
    assert len(inbox.lines) == 1


def test_an_error_without_an_id_answers_nothing() -> None:
    inbox = Inbox()
    sent = inbox.send()
    inbox.requests.take(ErrorResponse(None, -32600, "Invalid Request"))
    assert not inbox.requests.wait_for_any([sent], 0)
