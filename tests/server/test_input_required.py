"""A modern client learns from the result what is needed, and repeats its request with it."""

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pharo_mcp.protocol.call import Call, ClientRequest, InputRequired
from pharo_mcp.protocol.catalog import Tool, ToolError, ToolResult
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.server.client_requests import QUESTION_SECONDS, ModernClient, encode_required
from pharo_mcp.wire.jsonrpc import InvalidParams
from server.conversation import MODERN, Conversation, Workbench

CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
PARAMS: Mapping[str, object] = {"name": "ask", "arguments": {"a": 1}}


def asking(name: str) -> ClientRequest:
    return ClientRequest(
        name, "roots/list", {}, lambda result: isinstance(result, dict) and "roots" in result
    )


class AskingWorkbench(Workbench):
    """Has a tool that asks two things, one after the other."""

    def ask(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Ask, and say for which evaluation."""
        if call.client is None or "roots" not in call.client.can_ask:
            raise ToolError("You cannot ask.", "cannotAsk", {"ability": "roots"})
        if call.evaluation is None:
            call.client.ask([asking("one")], "e-1", lambda request, result: None, 0)
        call.client.ask([asking("two")], "e-2", lambda request, result: None, 0)
        return ToolResult.from_text(f"done in {call.evaluation}")

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


def call(conversation: Conversation, capabilities: Mapping[str, object], **params: object) -> Any:
    meta = {**MODERN, CAPABILITIES: capabilities}
    return conversation.ask("tools/call", name="ask", arguments={}, _meta=meta, **params)


def test_it_goes_on_round_by_round(conversation: Conversation) -> None:
    roots: Mapping[str, object] = {"roots": {}}
    first = call(conversation, roots)["result"]
    assert first["resultType"] == "input_required"
    assert first["inputRequests"] == {"one": {"method": "roots/list", "params": {}}}
    responses: Mapping[str, object] = {"one": {"roots": []}, "unknown": {}}
    second = call(conversation, roots, inputResponses=responses)["result"]
    assert list(second["inputRequests"]) == ["two"]
    done = call(
        conversation,
        roots,
        inputResponses={"two": {"roots": []}},
        requestState=second["requestState"],
    )["result"]
    assert done["resultType"] == "complete"
    assert done["content"][0]["text"] == "done in e-2"


def test_what_does_not_fit_is_asked_for_again(conversation: Conversation) -> None:
    again = call(conversation, {"roots": {}}, inputResponses={"one": {"rots": []}})["result"]
    assert list(again["inputRequests"]) == ["one"]


def test_a_missing_capability_is_an_error(conversation: Conversation) -> None:
    error = call(conversation, {"elicitation": {}})["error"]
    assert error["code"] == -32021
    assert error["data"] == {"requiredCapabilities": {"roots": {}}}


@pytest.mark.parametrize("responses", [None, 7, [], {"one": 7}])
def test_responses_must_be_an_object_of_objects(conversation: Conversation, responses: object) -> None:
    error = call(conversation, {"roots": {}}, inputResponses=responses)["error"]
    assert error["code"] == -32602


def state_of(evaluation: str | None = "e-1", method: str = "tools/call") -> str:
    required = InputRequired([asking("one")], evaluation)
    return str(encode_required(required, method, PARAMS)["requestState"])


@pytest.mark.parametrize("evaluation", ["e-1", None])
def test_a_state_names_the_evaluation(evaluation: str | None) -> None:
    params = {**PARAMS, "requestState": state_of(evaluation)}
    assert ModernClient("tools/call", params, ()).evaluation == evaluation


@pytest.mark.parametrize(
    ("method", "change"),
    [
        ("prompts/get", {}),
        ("tools/call", {"arguments": {"a": 2}}),
        ("tools/call", {"name": "other"}),
        ("tools/call", {"requestState": 7}),
        ("tools/call", {"requestState": ""}),
        ("tools/call", {"requestState": "é.ü"}),
        ("tools/call", {"requestState": "1 \ud800 1"}),
        ("tools/call", {"requestState": state_of()[:-1]}),
        ("tools/call", {"requestState": "A" + state_of()}),
    ],
)
def test_a_state_of_something_else_is_refused(method: str, change: dict[str, object]) -> None:
    params = {**PARAMS, "requestState": state_of(), **change}
    with pytest.raises(InvalidParams, match="requestState is not valid"):
        ModernClient(method, params, ())


def test_a_state_is_refused_when_it_is_old() -> None:
    now = 0.0

    def clock() -> float:
        return now

    required = encode_required(InputRequired([asking("one")], "e-1"), "tools/call", PARAMS, clock)
    params = {**PARAMS, "requestState": required["requestState"]}
    assert ModernClient("tools/call", params, (), clock).evaluation == "e-1"
    now = QUESTION_SECONDS
    with pytest.raises(InvalidParams):
        ModernClient("tools/call", params, (), clock)


def test_each_state_is_another_one() -> None:
    assert state_of() != state_of()
