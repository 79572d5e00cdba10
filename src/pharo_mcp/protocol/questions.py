"""Questions of an image to the person at a client, its model, or the client itself.

A question is plain data. Here it becomes a request of MCP (`elicitation/create`, `sampling/createMessage`,
`roots/list`), and the client's result becomes its answer.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .call import Call, ClientRequest, Result
from .schema import Schema, SchemaViolation

FIELD = "answer"
"""The property of a form with one field."""
UNREADABLE = object()
"""Stands for the answer in a result that has none that fits."""


class ClientQuestion(NamedTuple):
    """A question of an image, with its name in the evaluation.

    `kind` is a key of KINDS. A `text` may have a `default`; a `choice` has `choices`, a `form` its `schema`,
    and a question to the `model` the length of its answer, `max_tokens`.
    """

    id: str
    kind: str
    text: str
    default: str | None = None
    choices: Sequence[str] | None = None
    schema: Mapping[str, object] | None = None
    max_tokens: int | None = None


class QuestionKind(NamedTuple):
    """How a kind of question is asked: the method, its params, and the answer in a result."""

    method: str
    params: Callable[[ClientQuestion], dict[str, object]]
    answer_in: Callable[[ClientQuestion, Result], object]


def request_for(question: ClientQuestion) -> ClientRequest:
    """Return the request that asks the client a question."""
    kind = KINDS[question.kind]

    def fits(result: object) -> bool:
        if not isinstance(result, Mapping):
            return False
        return why_declined(result) is not None or kind.answer_in(question, result) is not UNREADABLE

    return ClientRequest(question.id, kind.method, kind.params(question), fits)


def answer_in(question: ClientQuestion, result: Result) -> object:
    """Return the answer in a result that fits."""
    return KINDS[question.kind].answer_in(question, result)


def why_declined(result: Result) -> str | None:
    """Return a word for why the person did not answer; None if they did."""
    return {"decline": "declined", "cancel": "cancelled"}.get(str(result.get("action")))


def _form(
    field: Callable[[ClientQuestion], Mapping[str, object]],
) -> Callable[[ClientQuestion], dict[str, object]]:
    """Return the params for a form with one field."""

    def params(question: ClientQuestion) -> dict[str, object]:
        schema = {"type": "object", "properties": {FIELD: field(question)}, "required": [FIELD]}
        return {"message": question.text, "requestedSchema": schema}

    return params


def _text_field(question: ClientQuestion) -> Mapping[str, object]:
    field: dict[str, object] = {"type": "string", "title": "Answer"}
    return {**field, "default": question.default} if question.default else field


def _own_form(question: ClientQuestion) -> dict[str, object]:
    return {"message": question.text, "requestedSchema": question.schema}


def _to_model(question: ClientQuestion) -> dict[str, object]:
    message = {"role": "user", "content": {"type": "text", "text": question.text}}
    return {"messages": [message], "maxTokens": question.max_tokens}


def _field_in(question: ClientQuestion, result: Result) -> object:
    """Return the value of the one field, if it has its type; a text that is left empty may be missing."""
    match question.kind, result.get("content"):
        case "confirmation", {"answer": bool(answer)}:
            return answer
        case "text", {"answer": str(answer)}:
            return answer
        case "text", dict(content) if FIELD not in content and result.get("action") == "accept":
            return ""
        case "choice", {"answer": str(answer)} if answer in (question.choices or ()):
            return answer
    return UNREADABLE


def _object_in(question: ClientQuestion, result: Result) -> object:
    content = result.get("content")
    if not isinstance(content, dict):
        return UNREADABLE
    try:
        return Schema(question.schema or {}).check(content)
    except SchemaViolation:
        return UNREADABLE


def _model_text_in(question: ClientQuestion, result: Result) -> object:
    content = result.get("content")
    blocks = content if isinstance(content, list) else [content]
    texts = [each["text"] for each in blocks if isinstance(each, dict) and isinstance(each.get("text"), str)]
    return "\n".join(texts) if texts else UNREADABLE


def _roots_in(question: ClientQuestion, result: Result) -> object:
    roots = result.get("roots")
    fits = isinstance(roots, list) and all(isinstance(root, dict) for root in roots)
    return roots if fits else UNREADABLE


KINDS: Mapping[str, QuestionKind] = {
    "confirmation": QuestionKind(
        "elicitation/create", _form(lambda _: {"type": "boolean", "title": "Yes"}), _field_in
    ),
    "text": QuestionKind("elicitation/create", _form(_text_field), _field_in),
    "choice": QuestionKind(
        "elicitation/create",
        _form(lambda question: {"type": "string", "title": "Answer", "enum": list(question.choices or ())}),
        _field_in,
    ),
    "form": QuestionKind("elicitation/create", _own_form, _object_in),
    "model": QuestionKind("sampling/createMessage", _to_model, _model_text_in),
    "roots": QuestionKind("roots/list", lambda _: {}, _roots_in),
}
"""The kinds of questions."""


def is_confirmed(call: Call, text: str, seconds: float) -> bool | None:
    """Return whether the person agrees; None if the client cannot ask or has asked already.

    Raises:
        TimeoutError: If they do not answer within `seconds`.
    """
    client = call.client
    if client is None or client.evaluation or "person" not in client.can_ask:
        return None
    question = ClientQuestion("confirm", "confirmation", text)
    results: list[Result | None] = []
    call.on_cancel(lambda: client.withdraw(None))
    if call.cancelled:
        return False
    if not client.ask([request_for(question)], None, lambda _, result: results.append(result), seconds):
        client.withdraw(None)
        raise TimeoutError
    result = results[0] if results else None
    return result is not None and why_declined(result) is None and answer_in(question, result) is True
