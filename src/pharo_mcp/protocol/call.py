"""A running request as its handler sees it: its deadline, its cancellation, its progress, and its client.

What the client can be asked is a question to the person, its model, or the client itself: plain data, which
becomes a request of MCP (`elicitation/create`, `sampling/createMessage`, `roots/list`). The client's result
becomes the answer.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from threading import Lock
from time import monotonic
from typing import NamedTuple, Protocol

from .schema import Schema, SchemaViolation

Result = Mapping[str, object]
"""The result of a request to a client."""


class ClientRequest(NamedTuple):
    """A request to a client, with its name among those of its call; `fits` says whether a result is valid."""

    name: str
    method: str
    params: Mapping[str, object]
    fits: Callable[[object], bool]

    def encode(self) -> dict[str, object]:
        """Return the wire form, without an id."""
        return {"method": self.method, "params": self.params}


class InputRequired(Exception):
    """A modern client must send the results of these requests, and repeat its own request with them.

    `evaluation` is the evaluation that waits for them; None if nothing has begun.
    """

    def __init__(self, requests: Sequence[ClientRequest], evaluation: str | None) -> None:
        super().__init__(", ".join(request.name for request in requests))
        self.requests = requests
        self.evaluation = evaluation


OnResult = Callable[[ClientRequest, "Result | None"], None]
"""Is called with a request and its result, or with None if the client has none."""


class AskableClient(Protocol):
    """What a call can ask its client. `can_ask` are some of `person`, `model` and `roots`.

    `evaluation` is the evaluation that an earlier request began and this one continues; None for a new one.
    """

    can_ask: Sequence[str]
    evaluation: str | None

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, on_result: OnResult, seconds: float
    ) -> bool:
        """Send the requests, unless that has been done, and wait until one has a result; return whether.

        `on_result` may be called in another thread, and after this returned.

        Raises:
            InputRequired: If the answers can only come with another request of the client.
        """

    def withdraw(self, evaluation: str | None) -> None:
        """Take back the questions of an evaluation, or of the call: nobody waits for their answers."""


NEVER = float("inf")
OnProgress = Callable[[float, str | None, float | None], None]
"""Is called with a progress, perhaps a message, and perhaps the number at which the work is done."""


class Call:
    """A running request: its id, its deadline, its cancellation and its progress.

    The connection cancels it from another thread; the handler may check `cancelled` or use `on_cancel`.
    `on_progress` is called with progress reports; it is None if the sender did not ask for them. `deadline`
    is when it must be answered, by `clock`. `client` can be asked something; None if none can. `uri` is the
    URI to read, for resources. The work of a call that may become a task has the `work_id`, and the call
    waits at most `work_seconds` for its end.
    """

    def __init__(
        self,
        request_id: str | int = 0,
        on_progress: OnProgress | None = None,
        *,
        deadline: float = NEVER,
        clock: Callable[[], float] = monotonic,
        client: AskableClient | None = None,
    ) -> None:
        self.client = client
        self.id = request_id
        self.uri = ""
        self.work_id: str | None = None
        self.work_seconds: float | None = None
        self._on_progress = on_progress
        self.deadline = deadline
        self._clock = clock
        self._cancelled = False
        self._actions: list[Callable[[], None]] = []
        self._lock = Lock()

    @property
    def cancelled(self) -> bool:
        """Whether the sender has cancelled the request."""
        return self._cancelled

    @property
    def evaluation(self) -> str | None:
        """The evaluation that an earlier request began and this one continues; None for a new one."""
        return self.client.evaluation if self.client else None

    @property
    def remaining(self) -> float:
        """Seconds until the deadline; time spent waiting for a worker counts."""
        return max(0.0, self.deadline - self._clock())

    @property
    def wants_progress(self) -> bool:
        """Whether the sender asked for progress reports."""
        return self._on_progress is not None

    def report(self, progress: float, message: str | None = None, total: float | None = None) -> None:
        """Report progress to the sender: a number in any unit, a message, and the number at which it is done.

        Progress must increase: other reports are dropped, as are those after a cancellation or the answer.
        """
        if self._on_progress:
            self._on_progress(progress, message, total)

    def on_cancel(self, action: Callable[[], None]) -> None:
        """Run `action` when this call is cancelled; at once if it already is.

        It runs in a thread of its own and may block, for example to ask the image to stop.
        If it raises, the other actions run before that exception goes on.
        """
        with self._lock:
            if not self._cancelled:
                self._actions.append(action)
                return
        action()

    def cancel(self) -> None:
        """Cancel the call. A second call changes nothing."""
        with self._lock:
            self._cancelled = True
            actions, self._actions = self._actions, []
        with ExitStack() as stack:
            for action in reversed(actions):
                stack.callback(action)


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
