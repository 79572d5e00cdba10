"""Between a call and its evaluation in the image: who waits, who is asked, and who answers."""

from functools import partial

from pharo_mcp.image.client import Caller, ImageClient, ProgressListener, new_evaluation_id
from pharo_mcp.image.questions import Questions
from pharo_mcp.image.replies.evaluations import Asking
from pharo_mcp.protocol.call import AskableClient, Call, ClientRequest, Result
from pharo_mcp.protocol.questions import ClientQuestion, answer_in, request_for, why_declined


def questions_of(asking: Asking) -> tuple[ClientQuestion, ...]:
    """Return the questions of an evaluation as the client is asked them."""
    return tuple(ClientQuestion(*question) for question in asking.asks)


class ClientAsker:
    """Asks a client; see `image.questions.Asker`."""

    def __init__(self, client: AskableClient, answers: Questions) -> None:
        self.can_ask = client.can_ask
        self.continues = client.evaluation is not None
        self._client = client
        self._answers = answers

    def ask(self, asking: Asking, seconds: float) -> bool:
        """See Asker. Raises InputRequired if the answers can only come with another request of the client."""
        questions = {question.id: question for question in questions_of(asking)}

        def on_result(request: ClientRequest, result: Result | None) -> None:
            pass_on(result, asking.evaluation, questions[request.name], self._answers)

        requests = [request_for(question) for question in questions.values()]
        return self._client.ask(requests, asking.evaluation, on_result, seconds)

    def withdraw(self, evaluation: str) -> None:
        """See Asker."""
        self._client.withdraw(evaluation)


def caller_of(image: ImageClient, call: Call, on_progress: ProgressListener | None = None) -> Caller:
    """Return the caller of an evaluation, which is stopped with the call and asks the call's client."""
    caller = caller_before(image, call, call.evaluation or call.work_id)
    asker = asker_of(call, image.questions)
    return caller._replace(on_progress=on_progress, asker=asker, wait_seconds=call.work_seconds)


def caller_before(image: ImageClient, call: Call, evaluation_id: str | None = None) -> Caller:
    """Return the caller of an evaluation that others follow in a call, and that is stopped with the call."""
    evaluation_id = evaluation_id or new_evaluation_id()
    call.on_cancel(partial(image.cancel, evaluation_id))
    return Caller(evaluation_id)


def asker_of(call: Call, answers: Questions) -> ClientAsker | None:
    """Return what passes the questions of an evaluation on to the client of a call, if it can be asked."""
    return ClientAsker(call.client, answers) if call.client else None


def pass_on(result: Result | None, evaluation: str, question: ClientQuestion, answers: Questions) -> None:
    """Pass the result of a client on to the evaluation that asked; None if the client has none."""
    why = "failed" if result is None else why_declined(result)
    if result is None or why:
        answers.decline(evaluation, question.id, why or "failed")
    else:
        answers.answer(evaluation, question.id, answer_in(question, result))
