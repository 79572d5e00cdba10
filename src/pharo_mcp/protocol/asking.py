"""Passing questions on to the client of a call."""

from collections.abc import Sequence
from typing import Protocol

from .call import Call
from .client_requests import Client, ClientRequest, Result
from .questions import Confirmation, Question, answer_in, request_for, why_declined


class Asking(Protocol):
    """An evaluation of an image that asks."""

    @property
    def evaluation(self) -> str:
        """Its id."""

    @property
    def asks(self) -> Sequence[Question]:
        """Its questions."""


class Answers(Protocol):
    """Takes the answers to the questions of evaluations."""

    def answer(self, evaluation: str, question: str, answer: object) -> object:
        """Answer a question."""

    def decline(self, evaluation: str, question: str, why: str) -> object:
        """Report why nobody answers a question."""


class ClientAsker:
    """Passes the questions of an evaluation on to a client, and its answers back."""

    def __init__(self, client: Client, answers: Answers) -> None:
        self.abilities = client.abilities
        self.continues = client.evaluation is not None
        self._client = client
        self._answers = answers

    def ask(self, asking: Asking, seconds: float) -> bool:
        """Have the questions asked, and wait so many seconds until one is answered; whether one was.

        Raises:
            InputRequired: If the answers can only come with another request of the client.
        """
        questions = {question.id: question for question in asking.asks}

        def settle(request: ClientRequest, result: Result | None) -> None:
            pass_on(result, asking.evaluation, questions[request.name], self._answers)

        requests = [request_for(question) for question in asking.asks]
        return self._client.ask(requests, asking.evaluation, settle, seconds)

    def withdraw(self, evaluation: str) -> None:
        """The evaluation asks no more."""
        self._client.withdraw(evaluation)


def pass_on(result: Result | None, evaluation: str, question: Question, answers: Answers) -> None:
    """Pass the result of a client on to the evaluation that asked; None if the client has none."""
    why = "failed" if result is None else why_declined(result)
    if result is None or why:
        answers.decline(evaluation, question.id, why or "failed")
    else:
        answers.answer(evaluation, question.id, answer_in(question, result))


def asker_of(call: Call, answers: Answers) -> ClientAsker | None:
    """What passes the questions of an evaluation on to the client of a call; None if it can ask nobody."""
    return ClientAsker(call.client, answers) if call.client else None


def is_confirmed(call: Call, text: str, seconds: float) -> bool | None:
    """Whether the person agrees; None if the client cannot ask or has asked already.

    Raises:
        TimeoutError: If they do not answer within so many seconds.
    """
    client = call.client
    if client is None or client.evaluation or "person" not in client.abilities:
        return None
    question = Confirmation(text=text)
    results: list[Result | None] = []
    call.on_cancel(lambda: client.withdraw(None))
    if call.cancelled:
        return False
    if not client.ask([request_for(question)], None, lambda _, result: results.append(result), seconds):
        client.withdraw(None)
        raise TimeoutError
    result = results[0] if results else None
    return result is not None and why_declined(result) is None and answer_in(question, result) is True
