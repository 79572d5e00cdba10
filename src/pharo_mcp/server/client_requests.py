"""Our requests to a legacy client, and its responses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Condition, Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.protocol.call import ClientRequest, Settle
from pharo_mcp.times import QUESTION_SECONDS, STOP_WORK_SECONDS
from pharo_mcp.wire.jsonrpc import ErrorResponse, Id, Notification, Request, Response, encode

LIMIT = 50
"""Requests that may wait for their responses; further ones count as failed."""
SETTLED_LIMIT = 100
"""Requests that are remembered after they were settled."""
NEVER = float("inf")


class Outgoing(NamedTuple):
    """A line for the client, and the request of its that it belongs to."""

    line: bytes
    related: Id


class SentRequest:
    """A request that was sent to the client for `purpose`, until it is settled.

    It is open until the client has responded or the time is over.
    """

    def __init__(self, request: ClientRequest, purpose: str, related: Id, settle: Settle) -> None:
        self.request = request
        self.purpose = purpose
        self.related = related
        self.settle = settle
        self.is_open = True
        self.is_settled = False

    @property
    def key(self) -> tuple[str, str]:
        """Only one request of that purpose and name waits at a time."""
        return self.purpose, self.request.name


class ClientRequests:
    """Sends requests to the client of a connection, from any thread, and settles them by its responses.

    `put` puts the lines into the connection's inbox: they are sent one after the other, by whoever handles
    its events. `take`, `expire` and `close` are for that thread; the answers are settled in threads of their
    own, since that may mean asking the image.
    """

    def __init__(self, put: Callable[[Outgoing], None], clock: Callable[[], float] = monotonic) -> None:
        self._put = put
        self._clock = clock
        self._changed = Condition()
        self._sent: dict[Id, tuple[SentRequest, float]] = {}
        self._settled: dict[tuple[str, str], int] = {}
        self._settlements = 0
        self._count = 0
        self._is_open = True

    @property
    def settlements(self) -> int:
        """How many requests were settled until now."""
        return self._settlements

    def send(
        self, request: ClientRequest, purpose: str, related: Id, settle: Settle, known: float = NEVER
    ) -> SentRequest:
        """Send a request, unless one of that name and purpose is waiting or was settled meanwhile.

        The sender saw that it is needed when `known` settlements had been made.
        """
        sent = SentRequest(request, purpose, related, settle)
        with self._changed:
            for other, _ in self._sent.values():
                if other.key == sent.key:
                    return other
            if self._settled.get(sent.key, 0) > known:
                sent.is_settled = True
                return sent
            if self._is_open and len(self._sent) < LIMIT:
                self._count += 1
                request_id = f"pharo-mcp-{self._count}"
                self._sent[request_id] = sent, self._clock() + QUESTION_SECONDS
                self._put(Outgoing(encode(Request(request_id, request.method, request.params)), related))
                return sent
        self._settle(sent, None)
        return sent

    def wait_for_any(self, sent: Sequence[SentRequest], seconds: float) -> bool:
        """Wait until one of these is settled; whether one is."""
        with self._changed:
            return self._changed.wait_for(lambda: any(each.is_settled for each in sent), seconds)

    def withdraw(self, purpose: str) -> None:
        """Tell the client that nobody waits for its responses for this purpose; they are not settled."""
        with self._changed:
            for request_id, sent in self._open():
                if sent.purpose == purpose:
                    self._cancel(request_id).is_settled = True
                    del self._sent[request_id]
            self._changed.notify_all()

    def take(self, response: Response | ErrorResponse) -> None:
        """Accept a response; nothing happens if it answers no request of ours."""
        with self._changed:
            sent = dict(self._open()).get(response.id) if response.id is not None else None
            if sent:
                sent.is_open = False
        if sent:
            result = response.result if isinstance(response, Response) else None
            if isinstance(result, dict) and sent.request.fits(result):
                self._settle_later(sent, result)
            else:
                self._settle_later(sent, None)

    def expire(self) -> None:
        """Give up the requests that have waited too long."""
        now = self._clock()
        with self._changed:
            given_up = [self._cancel(each) for each, _ in self._open() if self._sent[each][1] <= now]
        for sent in given_up:
            self._settle_later(sent, None)

    def close(self) -> None:
        """Settle all requests, and later ones: no response comes any more."""
        with self._changed:
            self._is_open = False
            unanswered = [sent for _, sent in self._open()]
            for sent in unanswered:
                sent.is_open = False
        threads = [self._settle_later(sent, None) for sent in unanswered]
        deadline = monotonic() + STOP_WORK_SECONDS
        for thread in threads:
            thread.join(max(0, deadline - monotonic()))

    def _open(self) -> list[tuple[Id, SentRequest]]:
        return [(request_id, sent) for request_id, (sent, _) in self._sent.items() if sent.is_open]

    def _cancel(self, request_id: Id) -> SentRequest:
        sent, _ = self._sent[request_id]
        sent.is_open = False
        params = {"requestId": request_id, "reason": "Nobody waits for the answer any more."}
        self._put(Outgoing(encode(Notification("notifications/cancelled", params)), sent.related))
        return sent

    def _settle_later(self, sent: SentRequest, result: dict[str, object] | None) -> Thread:
        thread = Thread(target=self._settle, args=(sent, result), name="settle", daemon=True)
        thread.start()
        return thread

    def _settle(self, sent: SentRequest, result: dict[str, object] | None) -> None:
        try:
            sent.settle(sent.request, result)
        finally:
            with self._changed:
                self._note_settled(sent)
                self._changed.notify_all()

    def _note_settled(self, sent: SentRequest) -> None:
        sent.is_settled = True
        self._sent = {each: kept for each, kept in self._sent.items() if kept[0] is not sent}
        self._settlements += 1
        self._settled.pop(sent.key, None)
        self._settled[sent.key] = self._settlements
        for oldest in list(self._settled)[:-SETTLED_LIMIT]:
            del self._settled[oldest]


class LegacyClient:
    """A legacy client, as one of its requests can ask it; see `protocol.Client`."""

    evaluation: str | None = None

    def __init__(self, requests: ClientRequests, request_id: Id, abilities: Sequence[str]) -> None:
        self.abilities = abilities
        self._requests = requests
        self._request_id = request_id
        self._known = requests.settlements

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, settle: Settle, seconds: float
    ) -> bool:
        """See `protocol.Client`."""
        purpose = self._purpose(evaluation)
        sent = [
            self._requests.send(request, purpose, self._request_id, settle, self._known)
            for request in requests
        ]
        was_settled = self._requests.wait_for_any(sent, seconds)
        self._known = self._requests.settlements  # whoever asks again looks first what is still needed
        return was_settled

    def withdraw(self, evaluation: str | None) -> None:
        """See `protocol.Client`."""
        self._requests.withdraw(self._purpose(evaluation))

    def _purpose(self, evaluation: str | None) -> str:
        return evaluation or f"request {self._request_id!r}"
