"""The conversation with one client."""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.jsonrpc import (
    BadLine,
    Batch,
    Id,
    InternalError,
    InvalidRequest,
    JsonRpcError,
    Message,
    Notification,
    Request,
)
from pharo_mcp.protocol import Call, Offers
from pharo_mcp.transports import ClientGone, EndOfInput, Event, Transport

from .answers import Answers, Asked, refusal
from .identity import Identity
from .progress import notification
from .replies import BatchReply, Reply
from .router import Question
from .workers import Workers

WORKERS = 16
"""Requests answered at the same time; more wait their turn."""

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


INFINITY = float("inf")


class Running(NamedTuple):
    """A request in flight, and how far it last was."""

    question: Question
    reply: Reply
    progress: float = -INFINITY


class Reported(NamedTuple):
    """A handler's word on how far a request is."""

    call: Call
    progress: float
    message: str | None


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
    does not wait for them to be made.
    """

    def __init__(
        self,
        transport: Transport,
        offers: Callable[[], Offers],
        identity: Identity,
        *,
        after_first_answer: Callable[[], None] | None = None,
        drain_seconds: float = DRAIN_SECONDS,
    ) -> None:
        self._transport = transport
        self._answers = Answers(offers, identity)
        self._after_first_answer = after_first_answer
        self._drain_seconds = drain_seconds
        self._workers = Workers("worker", WORKERS)
        self._quick_workers = Workers("quick worker", QUICK_WORKERS)
        self._in_flight: dict[Id, Running] = {}
        # A SimpleQueue, because a signal handler may put into it whatever its thread is doing.
        self._inbox: SimpleQueue[Event | Reported | Finished | Closing] = SimpleQueue()

    def serve(self) -> None:
        """Answer until the input ends and all is answered, the client is gone, or `close` is called."""
        self._transport.start(self._inbox.put)
        patience = STOP_SECONDS
        try:
            if self._converse():
                patience = self._drain_seconds
                self._give_up()
        finally:
            self._abandon()
            self._transport.close(patience)

    def close(self) -> None:
        """End `serve` now; what is in flight is stopped and not answered. Signal handlers may call it."""
        self._inbox.put(Closing())

    def _converse(self) -> bool:
        """Take events until there are no more; whether the client still wants to hear what is left to say."""
        deadline = None
        while deadline is None or (self._in_flight and monotonic() < deadline):
            try:
                event = self._inbox.get(timeout=HEARTBEAT_SECONDS)
            except Empty:
                continue
            match event:
                case EndOfInput():
                    deadline = monotonic() + self._drain_seconds
                case ClientGone() | Closing():
                    return False
                case Reported():
                    self._tell(event)
                case Finished(call, answer):
                    self._finish(call, answer)
                case Batch():
                    self._take_batch(event)
                case _:
                    self._take(event, self._send)
        return True

    def _take_batch(self, batch: Batch) -> None:
        reply = BatchReply(len(batch.messages), self._send)
        for index, message in enumerate(batch.messages):
            self._take(message, reply.to(index), in_batch=True)

    def _take(self, message: Message | BadLine, reply: Reply, *, in_batch: bool = False) -> None:
        match message:
            case Request():
                self._begin(message, reply, in_batch)
            case BadLine(request_id, error):
                reply(refusal(request_id, error))
            case Notification("notifications/cancelled", {"requestId": str() | int() as request_id}):
                self._cancel(request_id)
                reply(None)
            case _:  # other notifications need nothing; we ask nothing, so responses answer nothing
                reply(None)

    def _begin(self, request: Request, reply: Reply, in_batch: bool) -> None:
        try:
            if request.id in self._in_flight:
                raise InvalidRequest("a request with this id is still being answered")
            asked = self._answers.admit(request, self._report, in_batch=in_batch)
        except JsonRpcError as error:
            reply(refusal(request.id, error))
            return
        if asked.method.waits:
            self._in_flight[request.id] = Running(asked.question, reply)
            workers = self._quick_workers if asked.is_quick else self._workers
            workers.run(lambda: self._work(asked))
        else:
            reply(self._answers.answer(asked))

    def _work(self, asked: Asked) -> None:
        """Answer in a worker's thread."""
        call = asked.question.call
        if not call.cancelled:
            self._inbox.put(Finished(call, self._answers.answer(asked)))

    def _report(self, call: Call, progress: float, message: str | None) -> None:
        """Take word from any thread on how far a call is."""
        self._inbox.put(Reported(call, progress, message))

    def _find(self, call: Call) -> Running | None:
        """The request of a call if it is in flight: it may have been cancelled, and its id used again."""
        running = self._in_flight.get(call.id)
        return running if running and running.question.call is call else None

    def _tell(self, report: Reported) -> None:
        running = self._find(report.call)
        # JSON has no infinity, and nothing rises beyond it.
        if running and running.progress < report.progress < INFINITY:
            self._in_flight[report.call.id] = running._replace(progress=report.progress)
            self._transport.send(notification(running.question, report.progress, report.message))

    def _finish(self, call: Call, answer: bytes) -> None:
        running = self._find(call)
        if running:
            del self._in_flight[call.id]
            running.reply(answer)

    def _cancel(self, request_id: Id) -> None:
        # true is 1 in Python, but not in JSON.
        running = None if isinstance(request_id, bool) else self._in_flight.pop(request_id, None)
        if running:
            _stop(running.question.call)
            running.reply(None)

    def _give_up(self) -> None:
        """Answer what is still in flight when the time to wait for it is over."""
        error = InternalError(UNFINISHED.format(seconds=self._drain_seconds))
        for request_id, running in self._in_flight.items():
            running.reply(refusal(request_id, error))

    def _abandon(self) -> None:
        stopping = [_stop(running.question.call) for running in self._in_flight.values()]
        self._in_flight.clear()
        deadline = monotonic() + STOP_SECONDS
        for thread in stopping:
            thread.join(max(0, deadline - monotonic()))

    def _send(self, line: bytes | None) -> None:
        if line is None:
            return
        self._transport.send(line)
        if self._after_first_answer:
            self._after_first_answer()
            self._after_first_answer = None


def _stop(call: Call) -> Thread:
    """Cancel a call in a thread of its own, since stopping its work may mean asking the image."""
    thread = Thread(target=call.cancel, name="cancel", daemon=True)
    thread.start()
    return thread
