"""From a request to its encoded answer. Bugs are caught here, and nowhere else."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from pharo_mcp.protocol.call import Call, Client, InputRequired
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.protocol.revisions import NEWEST_LEGACY, Revision
from pharo_mcp.times import ANSWER_SECONDS
from pharo_mcp.wire.jsonrpc import (
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

from .abilities import abilities_in
from .client_requests import ClientRequests, LegacyClient
from .input_required import ModernClient, encode_required
from .lifecycle import Lifecycle
from .methods import Features, table_of_methods
from .progress import SendReport, token_in
from .router import Method, RequestContext, Router
from .states import REQUEST, WAITING, StateMachine
from .subscriptions import ACKNOWLEDGED, Subscriptions
from .tasks import Tasks

NEVER = float("inf")


class AdmittedRequest(NamedTuple):
    """A request, the method that answers it, and the state it is in."""

    request: Request
    method: Method
    context: RequestContext
    is_quick: bool
    states: StateMachine

    @property
    def call(self) -> Call:
        """The call for its handler."""
        return self.context.call


class Answers:
    """Finds the method of a request and encodes its answer, be it a result or an error.

    `subscriptions` are those of the one client that is answered; `client_requests` ask a legacy one.
    """

    def __init__(
        self,
        catalog: Callable[[], Catalog],
        lifecycle: Lifecycle,
        tasks: Callable[[], Tasks],
        clock: Callable[[], float],
        client_requests: ClientRequests,
    ) -> None:
        self._clock = clock
        self._client_requests = client_requests
        self._lifecycle = lifecycle
        self.subscriptions = Subscriptions(lifecycle, tasks)
        self._features = Features(catalog, tasks, lifecycle)
        self._router = Router(table_of_methods(lifecycle, self._features, self.subscriptions))

    def close(self) -> None:
        """Forget the client, who has gone."""
        self._features.close()

    def admit(self, request: Request, on_progress: SendReport, *, in_batch: bool) -> AdmittedRequest:
        """Check a request against the revision that was negotiated, and find its method.

        `on_progress` is called with reports on its progress, if its sender asked for them.

        Raises:
            JsonRpcError: If the request is refused.
        """
        try:
            return self._admit(request, on_progress, in_batch)
        except JsonRpcError:
            raise
        except Exception as error:  # a bug in one request must not end the conversation
            raise _bug(request) from error

    def answer(self, admitted: AdmittedRequest) -> bytes:
        """Run the method and encode its result or its error; never raises."""
        return self._encoded(admitted, admitted.method.answer)

    def answer_busy(self, admitted: AdmittedRequest) -> bytes:
        """Encode the answer that nothing ran, because no worker was free in time."""
        return self._encoded(admitted, admitted.method.answer_busy)

    def _encoded(
        self, admitted: AdmittedRequest, answer: Callable[[RequestContext], dict[str, object]]
    ) -> bytes:
        request, method, context = admitted.request, admitted.method, admitted.context
        try:
            result = answer(context)
            if method.stays_open:
                return encode(Notification(ACKNOWLEDGED, result))
        except JsonRpcError as error:
            return encoded_error(request.id, error)
        except InputRequired as required:
            result = encode_required(required, request.method, request.params)
        except Exception:  # noqa: BLE001 - a bug in one answer must not end the conversation
            return encoded_error(request.id, _bug(request))
        return self._encoded_result(request, self._lifecycle.complete(result, method, context.revision))

    def _encoded_result(self, request: Request, result: dict[str, object]) -> bytes:
        try:
            return encode(Response(request.id, result))
        except Exception:  # noqa: BLE001 - what JSON cannot express is a bug, too
            return encoded_error(request.id, _bug(request))

    def _admit(self, request: Request, on_progress: SendReport, in_batch: bool) -> AdmittedRequest:
        revision = self._lifecycle.revision_of(request.params)
        method = self._router.find(request.method, revision)
        if in_batch and (request.method == "initialize" or (revision and not revision.batches)):
            raise InvalidRequest(f"{request.method} must not be in a batch")
        listener = None if token_in(request.params) is None else on_progress
        call = Call(
            request.id,
            listener,
            deadline=NEVER if method.put_off else self._clock() + ANSWER_SECONDS,
            clock=self._clock,
            client=self._client_of(request, revision) if revision and method.may_ask else None,
        )
        context = RequestContext(request.params, revision or NEWEST_LEGACY, call)
        states = StateMachine(REQUEST, WAITING)
        return AdmittedRequest(request, method, context, method.is_quick(context), states)

    def _client_of(self, request: Request, revision: Revision) -> Client | None:
        """What a request can ask its client; None if it can ask nothing."""
        params = request.params
        abilities = abilities_in(self._lifecycle.capabilities_of(params, revision), revision)
        if revision.modern:
            if not (abilities or params.keys() & {"inputResponses", "requestState"}):
                return None

            return ModernClient(request.method, params, abilities)
        return LegacyClient(self._client_requests, request.id, abilities) if abilities else None


def encoded_error(request_id: Id | None, error: JsonRpcError) -> bytes:
    """An error response, encoded."""
    return encode(ErrorResponse.of(request_id, error))


def _bug(request: Request) -> InternalError:
    """Log the exception that is being handled, and return the error for the client."""
    import logging  # here: it is slow to import, and hardly ever needed

    logging.getLogger(__name__).exception("Answering request %r, %s, failed", request.id, request.method)
    return InternalError(f"pharo-mcp failed to answer {request.method}; its log on stderr says why")
