"""What a call asks its client, as the two kinds of revisions do it; see `protocol.call.AskableClient`.

A legacy client gets requests while its own waits: `LegacyClient`, by the `ClientRequests` of its connection.
A modern one gets a result that names what is needed, and repeats its request with that: `ModernClient`.
Source: multi round-trip requests in the specification of 2026-07-28.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from threading import Condition, Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.protocol.call import NEVER, ClientRequest, InputRequired, OnResult
from pharo_mcp.times import STOP_WORK_SECONDS
from pharo_mcp.wire.jsonrpc import (
    ErrorResponse,
    Id,
    InvalidParams,
    Notification,
    Request,
    Response,
    encode,
)

QUESTION_SECONDS = 600.0
"""How long a question waits for the answer of the client; the image gives up at the same time."""

REMEMBERED = 100
"""Requests that are remembered after they were resolved."""


class ToClient(NamedTuple):
    """A line for the client, and the request of its that it belongs to."""

    line: bytes
    related: Id


class SentRequest:
    """A request that was sent to the client for `purpose`, until it is resolved, by a response or without.

    It is open while a response may come; after that, its result may still be on the way. `resolved` counts
    the requests that were resolved until then.
    """

    def __init__(
        self, request: ClientRequest, purpose: str, related: Id, on_result: OnResult, number: int, end: float
    ) -> None:
        self.request = request
        self.purpose = purpose
        self.related = related
        self.on_result = on_result
        self.id = f"pharo-mcp-{number}"
        self.end = end
        self.is_open = True
        self.resolved: int | None = None


class ClientRequests:
    """Sends requests to the client of a connection, from any thread, and resolves them by its responses.

    `put` puts the lines into the connection's inbox. `take`, `expire` and `close` are for the thread that
    handles its events; results are passed on in threads of their own, since that may mean asking the image.
    `count_resolved` says how many requests were resolved until now.
    """

    def __init__(self, put: Callable[[ToClient], None], clock: Callable[[], float] = monotonic) -> None:
        self._put = put
        self._clock = clock
        self._changed = Condition()
        self._sent: dict[tuple[str, str], SentRequest] = {}  # the last one of each purpose and name
        self._numbers = count(1)
        self.count_resolved = 0
        self._is_open = True

    def send(
        self, request: ClientRequest, purpose: str, related: Id, on_result: OnResult, known: float = NEVER
    ) -> SentRequest:
        """Send a request, unless one of that name and purpose is waiting or was resolved meanwhile.

        The sender saw that it is needed when `known` requests had been resolved.
        """
        with self._changed:
            last = self._sent.get((purpose, request.name))
            if last and (last.resolved is None or last.resolved > known):
                return last
            end = self._clock() + QUESTION_SECONDS
            sent = SentRequest(request, purpose, related, on_result, next(self._numbers), end)
            if self._is_open:
                self._sent[purpose, request.name] = sent
                self._put(ToClient(encode(Request(sent.id, request.method, request.params)), related))
                return sent
        self._resolve(sent, None)
        return sent

    def wait_for_any(self, sent: Sequence[SentRequest], seconds: float) -> bool:
        """Wait until one of these is resolved; return whether one is."""
        with self._changed:
            return self._changed.wait_for(lambda: any(each.resolved is not None for each in sent), seconds)

    def withdraw(self, purpose: str) -> None:
        """Cancel the requests for a purpose; their results are not passed on."""
        with self._changed:
            for sent in self._open():
                if sent.purpose == purpose:
                    self._cancel(sent)
                    sent.resolved = self.count_resolved
            self._changed.notify_all()

    def take(self, response: Response | ErrorResponse) -> None:
        """Accept a response; nothing happens if it answers no request that was sent."""
        with self._changed:
            sent = next((each for each in self._open() if each.id == response.id), None)
            if sent is None:
                return
            sent.is_open = False
        result = response.result if isinstance(response, Response) else None
        self._resolve_later(sent, result if isinstance(result, dict) and sent.request.fits(result) else None)

    def expire(self) -> None:
        """Give up the requests that have waited too long."""
        with self._changed:
            late = [sent for sent in self._open() if sent.end <= self._clock()]
            for sent in late:
                self._cancel(sent)
        for sent in late:
            self._resolve_later(sent, None)

    def close(self) -> None:
        """Resolve all requests, and later ones: no response comes any more."""
        with self._changed:
            self._is_open = False
            unanswered = self._open()
            for sent in unanswered:
                sent.is_open = False
        threads = [self._resolve_later(sent, None) for sent in unanswered]
        deadline = monotonic() + STOP_WORK_SECONDS
        for thread in threads:
            thread.join(max(0, deadline - monotonic()))

    def _open(self) -> list[SentRequest]:
        return [sent for sent in self._sent.values() if sent.is_open]

    def _cancel(self, sent: SentRequest) -> None:
        sent.is_open = False
        params = {"requestId": sent.id, "reason": "Nobody waits for the answer any more."}
        self._put(ToClient(encode(Notification("notifications/cancelled", params)), sent.related))

    def _resolve_later(self, sent: SentRequest, result: dict[str, object] | None) -> Thread:
        thread = Thread(target=self._resolve, args=(sent, result), name="result", daemon=True)
        thread.start()
        return thread

    def _resolve(self, sent: SentRequest, result: dict[str, object] | None) -> None:
        try:
            sent.on_result(sent.request, result)
        finally:
            with self._changed:
                self.count_resolved += 1
                sent.resolved = self.count_resolved
                self._sent[sent.purpose, sent.request.name] = sent
                resolved = [key for key, each in self._sent.items() if each.resolved is not None]
                for oldest in resolved[:-REMEMBERED]:
                    del self._sent[oldest]
                self._changed.notify_all()


class LegacyClient:
    """A legacy client, as one of its requests can ask it; see `protocol.call.AskableClient`."""

    evaluation: str | None = None

    def __init__(self, requests: ClientRequests, request_id: Id, can_ask: Sequence[str]) -> None:
        self.can_ask = can_ask
        self._requests = requests
        self._request_id = request_id
        self._known = requests.count_resolved

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, on_result: OnResult, seconds: float
    ) -> bool:
        """See `protocol.call.AskableClient`."""
        purpose = self._purpose(evaluation)
        sent = [
            self._requests.send(request, purpose, self._request_id, on_result, self._known)
            for request in requests
        ]
        was_resolved = self._requests.wait_for_any(sent, seconds)
        self._known = self._requests.count_resolved  # who asks again looks first what is still needed
        return was_resolved

    def withdraw(self, evaluation: str | None) -> None:
        """See `protocol.call.AskableClient`."""
        self._requests.withdraw(self._purpose(evaluation))

    def _purpose(self, evaluation: str | None) -> str:
        return evaluation or f"request {self._request_id!r}"


KEY = os.urandom(32)
"""Signs the states that modern requests are continued by, so that no other process accepts them."""


def new_state(subject: str, evaluation: str | None, clock: Callable[[], float] = monotonic) -> str:
    """Return a state for a request about `subject`, and the evaluation that it began, if any.

    It is valid for QUESTION_SECONDS.
    """
    return _signed(f"{clock() + QUESTION_SECONDS} {evaluation or ''}", subject)


def evaluation_in(state: object, subject: str, clock: Callable[[], float] = monotonic) -> str | None:
    """Return the evaluation of a state.

    Raises:
        InvalidParams: If the state was not made for this subject, or too long ago.
    """
    about = str(state).rpartition(" ")[0]
    end, _, evaluation = about.partition(" ")
    if state == _signed(about, subject) and clock() < float(end):
        return evaluation or None
    raise InvalidParams(
        "requestState is not valid: it is of another request or process, changed, or too old. "
        "Send the request without it to begin again"
    )


def _signed(about: str, subject: str) -> str:
    import hmac  # here: it is slow to import, and hardly ever needed

    signature = hmac.new(KEY, f"{about} {subject}".encode(errors="replace"), "sha256")
    return f"{about} {signature.hexdigest()}"


class ModernClient:
    """A modern client, as one request can ask it: by the responses that came with it.

    Raises:
        InvalidParams: If the responses or the state are not valid.
    """

    def __init__(
        self,
        method: str,
        params: Mapping[str, object],
        can_ask: Sequence[str],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.can_ask = can_ask
        self._responses = _responses_in(params)
        state = params.get("requestState")
        self.evaluation = None if state is None else evaluation_in(state, _subject(method, params), clock)

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, on_result: OnResult, seconds: float
    ) -> bool:
        """See `protocol.call.AskableClient`; what is missing or does not fit is asked for again."""
        answered = [each for each in requests if each.fits(self._responses.get(each.name))]
        for request in answered:
            on_result(request, self._responses.pop(request.name))
        if answered:
            return True
        raise InputRequired(requests, evaluation)

    def withdraw(self, evaluation: str | None) -> None:
        """See `protocol.call.AskableClient`; the client only learns of it when it repeats its request."""


def encode_required(
    required: InputRequired,
    method: str,
    params: Mapping[str, object],
    clock: Callable[[], float] = monotonic,
) -> dict[str, object]:
    """Return the result that says what a request needs."""
    return {
        "resultType": "input_required",
        "inputRequests": {request.name: request.encode() for request in required.requests},
        "requestState": new_state(_subject(method, params), required.evaluation, clock),
    }


def _responses_in(params: Mapping[str, object]) -> dict[str, dict[str, object]]:
    responses = params.get("inputResponses", {})
    if not isinstance(responses, dict) or not all(isinstance(each, dict) for each in responses.values()):
        raise InvalidParams("inputResponses must be an object of results")
    return dict(responses)


def _subject(method: str, params: Mapping[str, object]) -> str:
    """Return what a state is valid for: repeated, a request must be the same."""
    same = [params.get(key) for key in ("name", "uri", "arguments")]
    return json.dumps([method, *same], sort_keys=True)
