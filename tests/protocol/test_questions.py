"""A question becomes a request to the client, and the client's result its answer."""

from collections.abc import Mapping
from typing import Any

import pytest

from pharo_mcp.protocol.call import KINDS, ClientQuestion, answer_in, request_for, why_declined

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"name": {"type": "string"}},
    "required": ["name"],
}
QUESTIONS = {
    "confirmation": ClientQuestion("q", "confirmation", "Go on?"),
    "text": ClientQuestion("q", "text", "Name?"),
    "choice": ClientQuestion("q", "choice", "Which?", choices=("a", "b")),
    "form": ClientQuestion("q", "form", "Who?", schema=SCHEMA),
    "model": ClientQuestion("q", "model", "Capital?", max_tokens=9),
    "roots": ClientQuestion("q", "roots", ""),
}


def accepted(content: object) -> dict[str, object]:
    return {"action": "accept", "content": content}


def test_each_kind_is_tried() -> None:
    assert QUESTIONS.keys() == KINDS.keys()


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        ("confirmation", {"type": "boolean", "title": "Yes"}),
        ("text", {"type": "string", "title": "Answer"}),
        ("choice", {"type": "string", "title": "Answer", "enum": ["a", "b"]}),
    ],
)
def test_a_form_with_one_field(kind: str, field: dict[str, object]) -> None:
    request = request_for(QUESTIONS[kind])
    assert (request.name, request.method) == ("q", "elicitation/create")
    schema = {"type": "object", "properties": {"answer": field}, "required": ["answer"]}
    assert request.params == {"message": QUESTIONS[kind].text, "requestedSchema": schema}


def test_a_text_has_its_default() -> None:
    params: Any = request_for(ClientQuestion("q", "text", "Name?", default="Ada")).params
    assert params["requestedSchema"]["properties"]["answer"]["default"] == "Ada"


def test_a_form_has_its_own_schema() -> None:
    assert request_for(QUESTIONS["form"]).params == {"message": "Who?", "requestedSchema": SCHEMA}


def test_the_model_gets_one_message() -> None:
    request = request_for(QUESTIONS["model"])
    message = {"role": "user", "content": {"type": "text", "text": "Capital?"}}
    assert request.encode() == {
        "method": "sampling/createMessage",
        "params": {"messages": [message], "maxTokens": 9},
    }


def test_roots_need_nothing() -> None:
    assert request_for(QUESTIONS["roots"]).encode() == {"method": "roots/list", "params": {}}


@pytest.mark.parametrize(
    ("kind", "result", "answer"),
    [
        ("confirmation", accepted({"answer": False}), False),
        ("text", accepted({"answer": "Ada"}), "Ada"),
        ("text", accepted({}), ""),
        ("choice", accepted({"answer": "b"}), "b"),
        ("form", accepted({"name": "Ada"}), {"name": "Ada"}),
        ("model", {"content": {"type": "text", "text": "Paris"}}, "Paris"),
        ("model", {"content": [{"text": "Par"}, {"data": ""}, {"text": "is"}]}, "Par\nis"),
        ("roots", {"roots": [{"uri": "file:///a"}]}, [{"uri": "file:///a"}]),
    ],
)
def test_an_answer(kind: str, result: Mapping[str, object], answer: object) -> None:
    question = QUESTIONS[kind]
    assert request_for(question).fits(result)
    assert answer_in(question, result) == answer


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        ("confirmation", accepted({"answer": "yes"})),
        ("confirmation", accepted({})),
        ("confirmation", {}),
        ("confirmation", 7),
        ("text", accepted({"answer": True})),
        ("choice", accepted({"answer": "c"})),
        ("form", accepted({})),
        ("form", accepted([])),
        ("model", {"content": {"type": "image", "data": ""}}),
        ("roots", {"roots": [7]}),
        ("roots", {}),
    ],
)
def test_what_is_no_answer(kind: str, result: object) -> None:
    assert not request_for(QUESTIONS[kind]).fits(result)


@pytest.mark.parametrize(
    ("action", "why"), [("decline", "declined"), ("cancel", "cancelled"), ("accept", None)]
)
def test_why_there_is_no_answer(action: str, why: str | None) -> None:
    assert why_declined({"action": action}) == why
    assert request_for(QUESTIONS["form"]).fits({"action": action}) is (why is not None)
