"""A connection to one client as a state machine: events go in, actions come out, and nothing else happens.

As in h11, `Connection.handle` takes an event and returns what is to be done about it, in order. It touches
no thread, clock or callback, so a test is a list of events and the list of actions that it expects. Around it
is a `Server` (`serving.py`): it takes events from one inbox, one after the other, and does the actions.

    thread that reads ─┐                                     ┌─ Send ──> thread that writes
    pool of threads   ─┼─> inbox ──> Connection.handle ──────┼─ Start ─> pool of threads
    signals, events   ─┘            (in one thread)          └─ Stop ──> a thread of its own

What other threads have to say is an event, too: the end of a request's work (`Finished`), its progress, a
request to the client. That there is one order of events has these consequences, which nothing else ensures:

- A cancelled request is never answered: when its work ends, it has been dropped.
- No progress comes after the answer, and none before it is lost: the thread that works puts both in order.
- `initialize` is in effect for the next message, even if both arrive together: a method that does not wait is
  run by the server at once, before it takes the next event.

A method that waits for the image (`Method.waits`) is run in a thread of the pool. Its request then is in one
of these states; any other request is answered before the next event.

    state    event            next      what happens
    running  Finished         answered  its answer is sent
    running  Overdue          answered  an error is sent; the work is stopped
    running  DrainTimeOver    answered  the same
    running  CancelRequested  dropped   no answer is ever sent; the work in the image is stopped

A request that was dropped or answered keeps its thread until its work ends, and counts as in flight until
then, so a client cannot fill the memory by requests that it cancels. The connection has three states:

    state     event          next      what happens
    open      EndOfInput     draining  no more requests come; those that run are still answered
    open      ClientGone     closed    the work of requests is stopped, none is answered
    open      Closing        closed    the same, by a signal or by `Server.close`
    draining  Drained        closed    all were answered; the last lines are sent
    draining  DrainTimeOver  closed    the rest is answered with an error, and its work is stopped
    draining  ClientGone     closed    as above
    draining  Closing        closed    as above

An event that the tables do not list for a state changes nothing.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from itertools import chain, count
from typing import NamedTuple

from pharo_mcp.protocol.catalog import ServerEvent
from pharo_mcp.protocol.revisions import NEWEST_LEGACY, Revision
from pharo_mcp.times import DRAIN_SECONDS
from pharo_mcp.wire.jsonrpc import (
    BadLine,
    Batch,
    ErrorResponse,
    Id,
    InternalError,
    InvalidRequest,
    JsonRpcError,
    Message,
    Notification,
    Request,
    Response,
    encode,
    is_id,
    join,
)
from pharo_mcp.wire.transport import ClientGone, EndOfInput, TransportEvent

from .client_requests import ToClient
from .lifecycle import Lifecycle, token_in
from .methods import Method, find_method
from .subscriptions import Subscriptions
from .tasks import TaskEvent

IN_FLIGHT_LIMIT = 1000
"""Requests that may be in flight; further ones are refused, since each has a thread."""
BATCH_BYTES = 16 * 1024 * 1024
"""Largest size of the answers to one batch, which are kept until all are there."""

UNFINISHED = (
    "pharo-mcp ended before this was done, {seconds:g} seconds after the end of its input. "
    "It may have run, and may still be running in the image: look there before you repeat it."
)
NO_ANSWER = (
    "No answer came in time. The request may have run, and may still be running in the image: look there "
    "before you repeat it."
)
TOO_MANY = f"{IN_FLIGHT_LIMIT} requests are waiting already: read some answers first"
TOO_LONG = InternalError(
    f"The answers to this batch exceed {BATCH_BYTES} bytes. "
    "The request may have run; its answer is omitted. Send such requests one by one."
)


# Events.


class Finished(NamedTuple):
    """The work of a request has ended with this answer, encoded."""

    number: int
    answer: bytes


class Overdue(NamedTuple):
    """The work of a request goes on after the time in which it was to be answered."""

    number: int


class ProgressReport(NamedTuple):
    """How far the work of a request is."""

    number: int
    progress: float
    message: str | None
    total: float | None


class CancelRequested(NamedTuple):
    """The client has cancelled a request: no event of its own, but a message."""


class Drained(NamedTuple):
    """Every request was answered after the end of input."""


class DrainTimeOver(NamedTuple):
    """The time to answer requests after the end of input is over."""


class Closing(NamedTuple):
    """The connection is to be closed at once."""


Event = (
    TransportEvent
    | ServerEvent
    | TaskEvent
    | Finished
    | Overdue
    | ProgressReport
    | ToClient
    | DrainTimeOver
    | Closing
)


# Actions.


class Send(NamedTuple):
    """Send a line. One that is no answer may be `related` to a request, by its id."""

    line: bytes
    related: Id | None = None


class Start(NamedTuple):
    """Run the method of a request: in a thread of the pool if it waits, else at once; then put `Finished`."""

    number: int
    request: Request
    revision: Revision
    method: Method


class Stop(NamedTuple):
    """Stop the work of a request. It may go on for a while; its end is an event, too."""

    number: int


class Accept(NamedTuple):
    """Pass a response of the client on to the work that waits for it."""

    response: Response | ErrorResponse


class AcceptNoMore(NamedTuple):
    """End the waits for responses of the client: none comes any more."""


Action = Send | Start | Stop | Accept | AcceptNoMore


# States.


class State(Enum):
    """The states of a connection."""

    OPEN = "open"
    DRAINING = "draining"
    CLOSED = "closed"


class RequestState(Enum):
    """The states of a request whose method waits."""

    RUNNING = "running"
    ANSWERED = "answered"
    DROPPED = "dropped"


TRANSITIONS: Mapping[tuple[State, type], State] = {
    (State.OPEN, EndOfInput): State.DRAINING,
    (State.OPEN, ClientGone): State.CLOSED,
    (State.OPEN, Closing): State.CLOSED,
    (State.DRAINING, Drained): State.CLOSED,
    (State.DRAINING, DrainTimeOver): State.CLOSED,
    (State.DRAINING, ClientGone): State.CLOSED,
    (State.DRAINING, Closing): State.CLOSED,
}
REQUEST_TRANSITIONS: Mapping[tuple[RequestState, type], RequestState] = {
    (RequestState.RUNNING, Finished): RequestState.ANSWERED,
    (RequestState.RUNNING, Overdue): RequestState.ANSWERED,
    (RequestState.RUNNING, DrainTimeOver): RequestState.ANSWERED,
    (RequestState.RUNNING, CancelRequested): RequestState.DROPPED,
}


class BatchReply:
    """The answers to a batch in the order of its messages, until all are there."""

    def __init__(self, size: int) -> None:
        self._answers: list[bytes | None] = [None] * size
        self._missing = size
        self._bytes = 0

    def add(self, index: int, answer: bytes | None, request_id: Id | None) -> list[Action]:
        """Take the answer to one message, or None for no answer; return the sending of all after the last."""
        if answer and self._bytes + len(answer) > BATCH_BYTES:
            answer = encoded_error(request_id, TOO_LONG)
        self._answers[index] = answer
        self._bytes += len(answer or b"")
        self._missing -= 1
        if self._missing or not any(self._answers):
            return []
        return [Send(join(filter(None, self._answers)))]


class Destination(NamedTuple):
    """Where the answer to a message goes: to the client at once, or into the reply to a batch."""

    batch: BatchReply | None = None
    number: int = 0

    def answer(self, answer: bytes | None, request_id: Id | None) -> list[Action]:
        """Return what is to be done with an answer; None is no answer."""
        if self.batch:
            return self.batch.add(self.number, answer, request_id)
        return [] if answer is None else [Send(answer)]


class InFlight:
    """A request in flight, where its answer goes, and its last reported progress."""

    def __init__(self, start: Start, destination: Destination) -> None:
        self.start = start
        self.destination = destination
        self.state = RequestState.RUNNING
        self.progress = float("-inf")

    def move(self, event: type) -> bool:
        """Move to the next state; return whether the event moves this state at all."""
        following = REQUEST_TRANSITIONS.get((self.state, event))
        self.state = following or self.state
        return following is not None

    def answer(self, answer: bytes | None) -> list[Action]:
        """Return what is to be done with its answer."""
        return self.destination.answer(answer, self.start.request.id)


class Connection:
    """What happens on a connection to one client. One thread uses it."""

    def __init__(
        self,
        lifecycle: Lifecycle,
        methods: Mapping[str, Method],
        subscriptions: Subscriptions,
        drain_seconds: float = DRAIN_SECONDS,
    ) -> None:
        self.state = State.OPEN
        self._lifecycle = lifecycle
        self._methods = methods
        self._subscriptions = subscriptions
        self._drain_seconds = drain_seconds
        self._numbers = count(1)  # a client may use an id again while the work of a dropped request goes on
        self._in_flight: dict[int, InFlight] = {}
        self._running: dict[Id, InFlight] = {}

    def handle(self, event: Event) -> list[Action]:
        """Return what is to be done about an event; nothing once the connection is closed."""
        if self.state is State.CLOSED:
            return []
        actions = self._handle(event)
        if self.state is State.DRAINING and not self._running:
            actions += self._move(Drained)
        return actions

    def _handle(self, event: Event) -> list[Action]:
        match event:
            case EndOfInput() | ClientGone() | Closing() | DrainTimeOver():
                return self._move(type(event))
            case Finished(number, answer):
                return self._finish(self._in_flight.pop(number), answer)
            case Overdue(number):
                return self._give_up(self._in_flight[number])
            case ProgressReport():
                return self._advance(event)
            case ToClient(line, related):
                return [Send(line, related)]
            case ServerEvent():
                return _sent(self._subscriptions.lines(event))
            case TaskEvent():
                return _sent(self._subscriptions.lines_about_task(event))
            case Batch(messages):
                reply = BatchReply(len(messages))
                actions = (self._take(each, Destination(reply, n)) for n, each in enumerate(messages))
                return list(chain.from_iterable(actions))
        return self._take(event, Destination())

    def _move(self, event: type) -> list[Action]:
        following = TRANSITIONS.get((self.state, event))
        if following is None:
            return []
        self.state = following
        if following is State.DRAINING:
            return [AcceptNoMore()]
        unfinished = self._refuse_all() if event is DrainTimeOver else []
        last = _sent(self._subscriptions.closing_lines()) if event in (Drained, DrainTimeOver) else []
        return unfinished + last + [Stop(number) for number in self._in_flight]

    def _refuse_all(self) -> list[Action]:
        error = InternalError(UNFINISHED.format(seconds=self._drain_seconds))
        return [
            action
            for each in self._running.values()
            if each.move(DrainTimeOver)
            for action in each.answer(encoded_error(each.start.request.id, error))
        ]

    def _take(self, message: Message | BadLine, destination: Destination) -> list[Action]:
        match message:
            case Request():
                try:
                    return self._start(message, destination)
                except JsonRpcError as error:
                    return destination.answer(encoded_error(message.id, error), message.id)
            case BadLine(request_id, error):
                return destination.answer(encoded_error(request_id, error), request_id)
            case Notification("notifications/cancelled", {"requestId": request_id}) if is_id(request_id):
                self._subscriptions.leave(request_id)
                return self._cancel(request_id) + destination.answer(None, None)
            case Response() | ErrorResponse():
                return [Accept(message), *destination.answer(None, None)]
        return destination.answer(None, None)  # other notifications need nothing

    def _start(self, request: Request, destination: Destination) -> list[Action]:
        """Admit a request: its work is to be started. Raises JsonRpcError if it is refused."""
        if request.id in self._running or request.id in self._subscriptions.open_requests:
            raise InvalidRequest("a request with this id is still being answered")
        revision = self._lifecycle.revision_of(request.params)
        method = find_method(self._methods, request.method, revision)
        in_batch = destination.batch is not None
        if in_batch and (request.method == "initialize" or (revision and revision.modern)):
            raise InvalidRequest(f"{request.method} must not be in a batch")
        if method.waits and len(self._in_flight) >= IN_FLIGHT_LIMIT:
            raise InternalError(TOO_MANY)
        start = Start(next(self._numbers), request, revision or NEWEST_LEGACY, method)
        entry = self._in_flight[start.number] = InFlight(start, destination)
        if method.waits:
            self._running[request.id] = entry
        return [start]

    def _finish(self, entry: InFlight, answer: bytes) -> list[Action]:
        if not entry.move(Finished):
            return []
        if entry.start.method.waits:
            del self._running[entry.start.request.id]
        return entry.answer(answer)

    def _give_up(self, entry: InFlight) -> list[Action]:
        """Answer a request whose work hangs; nothing happens if it was dropped or answered."""
        request_id = entry.start.request.id
        if not entry.move(Overdue):
            return []
        del self._running[request_id]
        answer = encoded_error(request_id, InternalError(NO_ANSWER))
        return [Stop(entry.start.number), *entry.answer(answer)]

    def _cancel(self, request_id: Id) -> list[Action]:
        """Drop a request; nothing happens if none of that id runs."""
        entry = self._running.pop(request_id, None)
        if entry is None or not entry.move(CancelRequested):
            return []
        return [Stop(entry.start.number), *entry.answer(None)]

    def _advance(self, event: ProgressReport) -> list[Action]:
        """Notify of progress, unless the request was dropped or the progress did not increase."""
        entry = self._in_flight.get(event.number)
        if entry is None or entry.state is not RequestState.RUNNING or event.progress <= entry.progress:
            return []
        entry.progress = event.progress
        params = {"progressToken": token_in(entry.start.request.params), "progress": event.progress}
        if event.total is not None:
            params["total"] = event.total
        if event.message is not None and entry.start.revision.progress_messages:
            params["message"] = event.message
        return [Send(encode(Notification("notifications/progress", params)), entry.start.request.id)]


def encoded_error(request_id: Id | None, error: JsonRpcError) -> bytes:
    """Return an error response, encoded."""
    return encode(ErrorResponse.of(request_id, error))


def _sent(lines: Iterable[bytes]) -> list[Action]:
    return [Send(line) for line in lines]
