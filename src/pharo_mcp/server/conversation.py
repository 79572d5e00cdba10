"""The conversation with one client: its messages, its requests in flight, its end."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from threading import Lock

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import Catalog, ServerEvent
from pharo_mcp.times import HEARTBEAT_SECONDS, LEAST_ANSWER_SECONDS, STOP_WORK_SECONDS
from pharo_mcp.wire.jsonrpc import (
    BadLine,
    Batch,
    ErrorResponse,
    InternalError,
    InvalidRequest,
    JsonRpcError,
    Message,
    Notification,
    Request,
    Response,
    is_id,
)
from pharo_mcp.wire.transport import ClientGone, EndOfInput, Transport, TransportEvent, Work

from .answers import AdmittedRequest, Answers, encoded_error
from .batch import BatchReply, SendAnswer
from .client_requests import ClientRequests, Outgoing
from .events import Closing, Event, Inbox
from .in_flight import InFlight, Ready
from .lifecycle import Lifecycle
from .progress import Report
from .states import CLOSED, CONNECTION, DRAINING, OPEN, StateMachine
from .tasks import Tasks
from .workers import Workers

WORKERS = 16
"""Requests answered at the same time; others wait."""

IN_FLIGHT_LIMIT = 1000
"""Requests that may be in flight; further ones are refused, since each takes memory."""

QUICK_WORKERS = 2
"""Calls of quick tools that are answered at the same time, even while all others wait for the image."""

UNFINISHED = (
    "pharo-mcp ended before this was done, {seconds:g} seconds after the end of its input. "
    "It may have run, and may still be running in the image: look there before you repeat it."
)


EVENTS = {EndOfInput: "end of input", ClientGone: "client gone", Closing: "close"}
"""The events of `states.CONNECTION` that come from outside."""


class Conversation:
    """Answers one client; its states are those of `states.py`.

    Its events are handled one after the other, each by the thread that holds the lock: those of the inbox by
    any; what a thread of the transport has read, and the end of a request that a thread has run, by that
    thread itself, after those of the inbox. So a cancelled request is never answered, and no answer overtakes
    what was reported before it.

    See Connection for `catalog` and `after_first_answer`, which is None if there was an answer.
    """

    def __init__(
        self,
        transport: Transport,
        catalog: Callable[[], Catalog],
        lifecycle: Lifecycle,
        inbox: Inbox,
        *,
        tasks: Callable[[], Tasks],
        after_first_answer: Callable[[], None] | None,
        drain_seconds: float,
        clock: Callable[[], float],
    ) -> None:
        self._transport = transport
        self._inbox = inbox
        self._clock = clock
        self._lock = Lock()
        self._states = StateMachine(CONNECTION, OPEN)
        self._end: ClientGone | Closing | None = None
        self._bug: BaseException | None = None
        self._client_requests = ClientRequests(inbox.put, clock)
        self._answers = Answers(catalog, lifecycle, tasks, clock, self._client_requests)
        self._subscriptions = self._answers.subscriptions
        self._after_first_answer = after_first_answer
        self._drain_seconds = drain_seconds
        self._drained_at = float("inf")
        self._workers = Workers("worker", WORKERS)
        self._quick_workers = Workers("quick worker", QUICK_WORKERS)
        self._in_flight = InFlight()

    def hold(self, first: Event) -> str | None:
        """Handle a first event and those in the inbox, until the connection is closed.

        Returns:
            Why some answers were not delivered; None if all were.

        Raises:
            Exception: A bug in handling an event, in whichever thread.
        """
        close_seconds = STOP_WORK_SECONDS
        try:
            self._handle_until_closed(first)
            if self._end is None:
                close_seconds = self._drain_seconds
                self._in_flight.refuse(InternalError(UNFINISHED.format(seconds=close_seconds)))
                self._send_all(self._subscriptions.closing_lines())
        finally:
            with self._lock:
                self._states.move("close")
            self._client_requests.close()
            self._in_flight.stop(STOP_WORK_SECONDS)
            self._answers.close()
            self._workers.close()
            self._quick_workers.close()
            undelivered = self._transport.close(close_seconds)
        if self._bug:
            raise self._bug
        return self._end.reason if isinstance(self._end, ClientGone) else undelivered

    def deliver(self, event: TransportEvent) -> Work | None:
        """Handle what a thread of the transport has read; that thread is to do what this returns."""
        with self:
            self._handle_inbox()
            admitted = None
            if self._states.state != CLOSED:
                if isinstance(event, Request):
                    admitted = self._begin(event, self._send)
                else:
                    self._handle(event)
        self._wake_unless_open()
        return self._workers_for(admitted).offer(partial(self._work, admitted)) if admitted else None

    def _handle_until_closed(self, first: Event) -> None:
        with self:
            self._handle(first)
        self._transport.lend_threads(self.deliver)
        while True:
            with self:
                self._handle_inbox()
                self._answer_overdue()
                self._client_requests.expire()
            if self._states.state == CLOSED:
                return
            self._inbox.wait(HEARTBEAT_SECONDS)

    def __enter__(self) -> None:
        """Hold the lock while events are handled."""
        self._lock.acquire()

    def __exit__(self, _kind: object, bug: BaseException | None, _traceback: object) -> None:
        """Close the connection if it has drained, or at a bug in handling an event."""
        try:
            if bug:
                self._bug = bug
                self._move(Closing())
                self._inbox.wake()
            elif self._states.state == DRAINING and self._is_drained():
                self._states.move("drained")
        finally:
            self._lock.release()

    def _handle_inbox(self) -> None:
        while self._states.state != CLOSED and (event := self._inbox.take()) is not None:
            self._handle(event)

    def _wake_unless_open(self) -> None:
        """Let the thread that holds the conversation look whether it is over."""
        if self._states.state != OPEN:
            self._inbox.wake()

    def _is_drained(self) -> bool:
        return not self._in_flight or self._clock() >= self._drained_at

    def _handle(self, event: Event) -> None:
        match event:
            case EndOfInput() | ClientGone() | Closing():
                self._move(event)
            case Outgoing():
                self._transport.send(event.line, event.related)
            case Report():
                if line := self._in_flight.advance(event):
                    self._transport.send(line)
            case ServerEvent():
                self._send_all(self._subscriptions.lines(event))
            case Ready(admitted):
                self._run(admitted)
            case Batch():
                self._take_batch(event)
            case Request() | Notification() | Response() | ErrorResponse() | BadLine():
                self._take(event, self._send)
            case _:
                self._send_all(self._subscriptions.lines_about_task(event))

    def _move(self, event: EndOfInput | ClientGone | Closing) -> None:
        self._states.move(EVENTS[type(event)])
        if isinstance(event, EndOfInput):
            self._drained_at = self._clock() + self._drain_seconds
            self._client_requests.close()
        else:
            self._end = event

    def _take_batch(self, batch: Batch) -> None:
        reply = BatchReply(len(batch.messages), self._send)
        for index, message in enumerate(batch.messages):
            self._take(message, reply.to(index, getattr(message, "id", None)), in_batch=True)

    def _take(self, message: Message | BadLine, send: SendAnswer, *, in_batch: bool = False) -> None:
        match message:
            case Request():
                self._run(self._begin(message, send, in_batch=in_batch))
            case BadLine(request_id, error):
                send(encoded_error(request_id, error))
            case Notification("notifications/cancelled", {"requestId": request_id}) if is_id(request_id):
                self._in_flight.cancel(request_id)
                self._subscriptions.leave(request_id)
                send(None)
            case Response() | ErrorResponse():
                self._client_requests.take(message)
                send(None)
            case _:  # other notifications need nothing
                send(None)

    def _begin(self, request: Request, send: SendAnswer, *, in_batch: bool = False) -> AdmittedRequest | None:
        """Answer a request, or admit it; return it if it is to be run now."""
        try:
            if request.id in self._in_flight or request.id in self._subscriptions:
                raise InvalidRequest("a request with this id is still being answered")
            admitted = self._answers.admit(request, self._report, in_batch=in_batch)
            if admitted.method.waits and len(self._in_flight) >= IN_FLIGHT_LIMIT:
                raise InternalError(
                    f"{IN_FLIGHT_LIMIT} requests are waiting already: read some answers first"
                )
        except JsonRpcError as error:
            send(encoded_error(request.id, error))
            return None
        if not admitted.method.waits:
            send(self._answers.answer(admitted))
            return None
        self._in_flight.begin(admitted, send)
        if put_off := admitted.method.put_off:
            put_off(admitted.context, lambda: self._inbox.put(Ready(admitted)))
            return None
        return admitted

    def _run(self, admitted: AdmittedRequest | None) -> None:
        if admitted:
            self._workers_for(admitted).run(partial(self._work, admitted))

    def _workers_for(self, admitted: AdmittedRequest) -> Workers:
        return self._quick_workers if admitted.is_quick else self._workers

    def _work(self, admitted: AdmittedRequest) -> None:
        """Run a request's method, and send its answer."""
        if not admitted.states.move("taken"):
            return
        answer = self._answers.answer(admitted)
        with self:
            self._handle_inbox()
            if self._states.state != CLOSED:
                self._in_flight.finish(admitted, answer)
        self._wake_unless_open()

    def _answer_overdue(self) -> None:
        for admitted in self._in_flight.take_overdue(LEAST_ANSWER_SECONDS):
            self._in_flight.answer(admitted, self._answers.answer_busy(admitted))

    def _report(self, call: Call, progress: float, message: str | None, total: float | None) -> None:
        """Accept a progress report, from any thread."""
        self._inbox.put(Report(call, progress, message, total))

    def _send_all(self, lines: Iterable[bytes]) -> None:
        for line in lines:
            self._transport.send(line)

    def _send(self, line: bytes | None) -> None:
        if line is None:
            return
        self._transport.send(line)
        action, self._after_first_answer = self._after_first_answer, None
        if action:
            action()
