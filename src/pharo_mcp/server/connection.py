"""The conversation with one client."""

from collections.abc import Callable, Iterable
from queue import Empty, SimpleQueue
from time import monotonic
from typing import NamedTuple

from pharo_mcp.jsonrpc import (
    BadLine,
    Batch,
    InternalError,
    InvalidRequest,
    JsonRpcError,
    Message,
    Notification,
    Request,
    is_id,
)
from pharo_mcp.protocol import Call, News, Offers
from pharo_mcp.transports import ClientGone, EndOfInput, Event, Transport

from .answers import Answers, Asked, refusal
from .feed import Feed
from .identity import Identity
from .in_flight import InFlight
from .progress import Reported
from .replies import BatchReply, Reply
from .workers import Workers

WORKERS = 16
"""Requests answered at the same time; more wait their turn."""

LEAST_SECONDS = 5.0
"""What must be left of its time for a request to be begun: enough to ask an image and say how far it is."""

IN_FLIGHT_LIMIT = 1000
"""Requests that may wait for their answers; more are refused, since each of them costs memory."""

QUICK_WORKERS = 2
"""Threads for quick tools alone, which answer though all workers wait."""

DRAIN_SECONDS = 50.0
"""How long requests in flight are awaited after the end of input: a call takes up to 45, and its way."""

UNFINISHED = (
    "pharo-mcp ended before this was done, {seconds:g} seconds after the end of its input. "
    "It may have run, and may still be running in the image: look there before you repeat it."
)

STOP_SECONDS = 2.0
"""How long stopping the work of abandoned requests in the image may take, and a client that does not read."""

HEARTBEAT_SECONDS = 0.25
"""How often `serve` looks up from waiting for events.

Python runs signal handlers in the main thread and between its steps: a signal that arrives just before
the wait would not end it, and on Windows none does.
"""


class Finished(NamedTuple):
    """A worker's word that a request is answered."""

    call: Call
    answer: bytes


class Closing(NamedTuple):
    """The word to stop at once."""


class Connection:
    """Answers one client over one transport.

    One thread, the one that runs `serve`, keeps all the state: transport, workers and `close` only put
    events into its inbox. So what is cancelled is never answered, and nothing here needs a lock.

    `offers` is called when a list or a call first needs them, maybe in two threads at once: the handshake
    does not wait for them to be made. What happens without a request comes by the `feed`, for as long as
    `serve` runs.
    """

    def __init__(
        self,
        transport: Transport,
        offers: Callable[[], Offers],
        identity: Identity,
        *,
        feed: Feed | None = None,
        after_first_answer: Callable[[], None] | None = None,
        drain_seconds: float = DRAIN_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._transport = transport
        self._clock = clock
        self._answers = Answers(offers, identity, clock)
        self._audience = self._answers.audience
        self._feed = feed or Feed()
        self._after_first_answer = after_first_answer
        self._drain_seconds = drain_seconds
        self._workers = Workers("worker", WORKERS)
        self._quick_workers = Workers("quick worker", QUICK_WORKERS)
        self._in_flight = InFlight()
        # A SimpleQueue, because a signal handler may put into it whatever its thread is doing.
        self._inbox: SimpleQueue[Event | News | Reported | Finished | Closing] = SimpleQueue()

    def serve(self) -> str | None:
        """Answer until the input ends and all is answered, the client is gone, or `close` is called.

        Answers why the client did not get all that was said to it; None if it did.
        """
        self._transport.start(self._inbox.put)
        self._feed.join(self._inbox.put)
        patience = STOP_SECONDS
        try:
            end = self._converse()
            if isinstance(end, EndOfInput):
                patience = self._drain_seconds
                self._in_flight.refuse(InternalError(UNFINISHED.format(seconds=patience)))
                self._send_all(self._audience.farewells())
        finally:
            self._feed.leave(self._inbox.put)
            self._in_flight.stop(STOP_SECONDS)
            self._workers.close()
            self._quick_workers.close()
            lost = self._transport.close(patience)
        return end.reason if isinstance(end, ClientGone) else lost

    def close(self) -> None:
        """End `serve` now; what is in flight is stopped and not answered. Signal handlers may call it."""
        self._inbox.put(Closing())

    def _converse(self) -> EndOfInput | ClientGone | Closing:
        """Take events until there are no more; what ended them."""
        deadline = None
        while deadline is None or (self._in_flight and self._clock() < deadline):
            self._turn_away_overdue()
            try:
                event = self._inbox.get(timeout=HEARTBEAT_SECONDS)
            except Empty:
                continue
            match event:
                case EndOfInput():
                    deadline = self._clock() + self._drain_seconds
                case ClientGone() | Closing():
                    return event
                case Reported():
                    if line := self._in_flight.advance(event):
                        self._transport.send(line)
                case News():
                    self._send_all(self._audience.lines(event))
                case Finished(call, answer):
                    self._in_flight.finish(call, answer)
                case Batch():
                    self._take_batch(event)
                case _:
                    self._take(event, self._send)
        return EndOfInput()

    def _take_batch(self, batch: Batch) -> None:
        reply = BatchReply(len(batch.messages), self._send)
        for index, message in enumerate(batch.messages):
            self._take(message, reply.to(index, getattr(message, "id", None)), in_batch=True)

    def _take(self, message: Message | BadLine, reply: Reply, *, in_batch: bool = False) -> None:
        match message:
            case Request():
                self._begin(message, reply, in_batch)
            case BadLine(request_id, error):
                reply(refusal(request_id, error))
            case Notification("notifications/cancelled", {"requestId": request_id}) if is_id(request_id):
                self._in_flight.cancel(request_id)
                self._audience.leave(request_id)
                reply(None)
            case _:  # other notifications need nothing; we ask nothing, so responses answer nothing
                reply(None)

    def _begin(self, request: Request, reply: Reply, in_batch: bool) -> None:
        try:
            if request.id in self._in_flight or request.id in self._audience:
                raise InvalidRequest("a request with this id is still being answered")
            asked = self._answers.admit(request, self._report, in_batch=in_batch)
            if asked.method.waits and len(self._in_flight) >= IN_FLIGHT_LIMIT:
                raise InternalError(f"{IN_FLIGHT_LIMIT} requests wait already: read some answers first")
        except JsonRpcError as error:
            reply(refusal(request.id, error))
            return
        if asked.method.waits:
            self._in_flight.begin(asked, reply)
            workers = self._quick_workers if asked.is_quick else self._workers
            workers.run(lambda: self._work(asked))
        else:
            reply(self._answers.answer(asked))

    def _work(self, asked: Asked) -> None:
        """Answer in a worker's thread."""
        call = asked.question.call
        if not call.cancelled and asked.take():
            self._inbox.put(Finished(call, self._answers.answer(asked)))

    def _turn_away_overdue(self) -> None:
        for asked in self._in_flight.take_overdue(LEAST_SECONDS):
            self._in_flight.finish(asked.question.call, self._answers.turn_away(asked))

    def _report(self, call: Call, progress: float, message: str | None, total: float | None) -> None:
        """Take a report, from any thread."""
        self._inbox.put(Reported(call, progress, message, total))

    def _send_all(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self._transport.send(line)

    def _send(self, line: bytes | None) -> None:
        if line is None:
            return
        self._transport.send(line)
        if self._after_first_answer:
            self._after_first_answer()
            self._after_first_answer = None
