"""From a request to its encoded answer; the one place where bugs are caught."""

from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from pharo_mcp.jsonrpc import (
    ErrorResponse,
    Id,
    InternalError,
    InvalidRequest,
    JsonRpcError,
    Notification,
    Request,
    Response,
    encode,
)
from pharo_mcp.protocol import NEWEST_LEGACY, Call, Offers

from .audience import ACKNOWLEDGED, Audience
from .identity import Identity
from .lifecycle import Lifecycle
from .methods import Features, table_of_methods
from .progress import Tell, token_in
from .router import Method, Question, Router

ANSWER_SECONDS = 45.0
"""How long after its arrival a request is answered at the latest: clients give up at 60."""


class Asked(NamedTuple):
    """A request that was admitted, the method that answers it, and what that gets to see."""

    request: Request
    method: Method
    question: Question
    is_quick: bool
    claim: Lock

    def take(self) -> bool:
        """Whether it is the caller who may answer this: only the first who asks may."""
        return self.claim.acquire(blocking=False)


class Answers:
    """Finds the method of a request and turns whatever comes of it into one line.

    Who listens to news is in its `audience`.
    """

    def __init__(self, offers: Callable[[], Offers], identity: Identity, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lifecycle = Lifecycle(identity)
        self.audience = Audience(self._lifecycle)
        self._router = Router(table_of_methods(self._lifecycle, Features(offers), self.audience))

    def admit(self, request: Request, tell: Tell, *, in_batch: bool) -> Asked:
        """What a request asks, and of which method, by what was negotiated up to now.

        `tell` takes the reports on its call, if its sender wants any.

        Raises:
            JsonRpcError: If it cannot be asked.
        """
        try:
            return self._admit(request, tell, in_batch)
        except JsonRpcError:
            raise
        except Exception as error:  # a bug in one request must not end the conversation
            raise _bug(request) from error

    def answer(self, asked: Asked) -> bytes:
        """Run the method; never raises."""
        return self._encoded(asked, asked.method.answer)

    def turn_away(self, asked: Asked) -> bytes:
        """Say that there is no time left to run the method, and that nothing ran."""
        return self._encoded(asked, asked.method.turn_away)

    def _encoded(self, asked: Asked, answer: Callable[[Question], dict[str, object]]) -> bytes:
        request, method, question = asked.request, asked.method, asked.question
        try:
            result = answer(question)
            if method.stays_open:
                return encode(Notification(ACKNOWLEDGED, result))
            return encode(Response(request.id, self._lifecycle.complete(result, method, question.revision)))
        except JsonRpcError as error:
            return refusal(request.id, error)
        except Exception:  # noqa: BLE001 - a bug in one answer must not end the conversation
            return refusal(request.id, _bug(request))

    def _admit(self, request: Request, tell: Tell, in_batch: bool) -> Asked:
        revision = self._lifecycle.revision_of(request.params)
        method = self._router.find(request.method, revision)
        if in_batch and (request.method == "initialize" or (revision and not revision.batches)):
            raise InvalidRequest(f"{request.method} must not be in a batch")
        tell_whom = None if token_in(request.params) is None else tell
        call = Call(request.id, tell_whom, deadline=self._clock() + ANSWER_SECONDS, clock=self._clock)
        question = Question(request.params, revision or NEWEST_LEGACY, call)
        return Asked(request, method, question, method.is_quick(question), Lock())


def refusal(request_id: Id | None, error: JsonRpcError) -> bytes:
    """The encoded error reply."""
    return encode(ErrorResponse.of(request_id, error))


def _bug(request: Request) -> InternalError:
    """Log the exception that is being handled; what to tell of it."""
    # Imported here: it is slow to import, and hardly ever needed.
    import logging

    logging.getLogger(__name__).exception("Answering request %r, %s, failed", request.id, request.method)
    return InternalError(f"pharo-mcp failed to answer {request.method}; its log on stderr says why")
