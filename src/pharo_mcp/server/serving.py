"""A server of one client: the inbox, the threads and the clock around a `Connection`.

One thread, that of `Server.serve`, takes the events from the inbox and does the actions that they lead to.
A pool of threads runs the methods that wait for the image; the transport has a thread that reads and one that
writes.
"""

from collections.abc import Callable, Mapping
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from time import monotonic

from pharo_mcp.protocol.call import NEVER, AskableClient, Call, InputRequired
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.times import ANSWER_SECONDS, DRAIN_SECONDS, STOP_WORK_SECONDS
from pharo_mcp.wire.jsonrpc import InternalError, JsonRpcError, Notification, Response, encode
from pharo_mcp.wire.transport import ClientGone, EndOfInput, Transport

from .client_requests import ClientRequests, LegacyClient, ModernClient, encode_required
from .connection import (
    Accept,
    AcceptNoMore,
    Action,
    Closing,
    Connection,
    DrainTimeOver,
    Event,
    Finished,
    Overdue,
    ProgressReport,
    Send,
    Start,
    State,
    Stop,
    encoded_error,
)
from .lifecycle import Identity, Lifecycle, RequestContext, or_logged, token_in, who_can_be_asked
from .methods import Features, TaskMethods, table_of_methods
from .subscriptions import ACKNOWLEDGED, EventBus, Subscriptions

HEARTBEAT_SECONDS = 0.25
"""The interval at which a connection looks for signals, which do not end every wait, and at its clock."""

OVERDUE_SECONDS = 5.0
"""How much longer than ANSWER_SECONDS an answer is waited for. Work that does not hang ends before."""

Task = Callable[[], None]
"""Work for a thread of the pool. Must not raise."""


class Pool:
    """Runs each task in a thread, which is started if none is idle, and kept for later tasks.

    The threads are daemons, unlike those of `concurrent.futures`: a task that hangs must not keep the process
    from ending. If no thread can be started, the task waits for one that is at work.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = Lock()
        self._size = 0
        self._idle = 0  # without a task; less than 0 if tasks wait for a thread

    def run(self, task: Task) -> None:
        """Run a task in a thread of the pool."""
        with self._lock:
            if self._idle > 0 or not self._start_thread():
                self._idle -= 1
        self._tasks.put(task)

    def close(self) -> None:
        """End the threads after their tasks. No task may follow."""
        with self._lock:
            for _ in range(self._size):
                self._tasks.put(None)

    def _start_thread(self) -> bool:
        thread = Thread(target=self._run_tasks, name=f"worker {self._size + 1}", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads for us
            if not self._size:
                raise
            return False
        self._size += 1
        return True

    def _run_tasks(self) -> None:
        while task := self._tasks.get():
            task()
            with self._lock:
                self._idle += 1


class Server:
    """Answers one client over one transport.

    `catalog` is called when a list or a call first needs it, possibly in several threads at once. `event_bus`
    brings what happens without a request while `serve` runs. `after_first_answer` is called when the
    answer to the first request that was not refused has been given to the transport.
    """

    def __init__(
        self,
        transport: Transport,
        catalog: Callable[[], Catalog],
        identity: Identity,
        *,
        event_bus: EventBus | None = None,
        after_first_answer: Callable[[], None] | None = None,
        drain_seconds: float = DRAIN_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._transport = transport
        self._event_bus = event_bus or EventBus()
        self._after_first_answer = after_first_answer
        self._drain_seconds = drain_seconds
        self._drain_ends = NEVER
        self._next_heartbeat = clock()
        self._clock = clock
        # Of the queues, only this one can be put into by a signal handler that interrupts its own methods.
        self._inbox: SimpleQueue[Event] = SimpleQueue()
        self._pool = Pool()
        self._calls: dict[int, Call] = {}
        self._stopping: list[Thread] = []
        self._end: Event | None = None
        self._client_requests = ClientRequests(self._inbox.put, clock)
        self._lifecycle = Lifecycle(identity)
        tasks = TaskMethods(self._event_bus.tasks, catalog, self._lifecycle)
        subscriptions = Subscriptions(self._lifecycle, self._event_bus.tasks)
        methods = table_of_methods(self._lifecycle, Features(catalog, tasks), subscriptions, tasks)
        self._connection = Connection(self._lifecycle, methods, subscriptions, drain_seconds)

    def serve(self) -> str | None:
        """Answer until the connection is closed.

        Returns:
            Why some answers were not delivered; None if all were.

        Raises:
            Exception: A bug in handling an event.
        """
        undelivered = None
        self._transport.start(self._inbox.put)
        self._event_bus.join(self._inbox.put)
        try:
            while self._connection.state is not State.CLOSED:
                self._wait_for_event()
                self._look_at_clock()
        except Exception:
            self._handle(Closing())  # also after a bug, what runs in the image is stopped
            raise
        finally:
            self._event_bus.leave(self._inbox.put)
            undelivered = self._stop_all()
        return self._end.reason if isinstance(self._end, ClientGone) else undelivered

    def close(self) -> None:
        """End `serve` now; requests in flight are stopped and not answered. Signal handlers may call it."""
        self._inbox.put(Closing())

    def _wait_for_event(self) -> None:
        """Handle the next event, if one comes soon: signals do not end a wait everywhere."""
        try:
            event = self._inbox.get(timeout=HEARTBEAT_SECONDS)
        except Empty:
            return
        self._handle(event)

    def _look_at_clock(self) -> None:
        now = self._clock()
        if now >= self._drain_ends:
            self._handle(DrainTimeOver())
        elif now >= self._next_heartbeat:
            self._next_heartbeat = now + HEARTBEAT_SECONDS
            self._client_requests.expire()
            self._give_up_overdue(now)

    def _give_up_overdue(self, now: float) -> None:
        latest = now - OVERDUE_SECONDS
        for number in [number for number, call in self._calls.items() if call.deadline < latest]:
            self._handle(Overdue(number))

    def _handle(self, event: Event) -> None:
        if isinstance(event, EndOfInput):
            self._drain_ends = self._clock() + self._drain_seconds
        if isinstance(event, Finished):
            del self._calls[event.number]
        for action in self._connection.handle(event):
            self._do(action)
        if isinstance(event, Finished) and self._after_first_answer:
            then, self._after_first_answer = self._after_first_answer, None
            then()
        if self._connection.state is State.CLOSED and self._end is None:
            self._end = event

    def _do(self, action: Action) -> None:
        match action:
            case Send(line, related):
                self._transport.send(line, related)
            case Start():
                self._start(action)
            case Stop(number):
                self._stop(self._calls[number])
            case Accept(response):
                self._client_requests.take(response)
            case AcceptNoMore():
                self._client_requests.close()

    def _start(self, start: Start) -> None:
        number, request, method = start.number, start.request, start.method

        def report(progress: float, message: str | None, total: float | None) -> None:
            self._inbox.put(ProgressReport(number, progress, message, total))

        on_progress = report if token_in(request.params) is not None else None
        deadline = self._clock() + ANSWER_SECONDS if method.has_deadline else NEVER
        call = self._calls[number] = Call(request.id, on_progress, deadline=deadline, clock=self._clock)
        if method.waits:
            self._pool.run(lambda: self._inbox.put(self._run(start, call)))
        else:
            self._handle(self._run(start, call))

    def _run(self, start: Start, call: Call) -> Finished:
        """Run the method of a request; return its end, with the result or the error encoded."""
        request = start.request

        def work() -> bytes:
            try:
                return self._answer(start, call)
            except JsonRpcError as error:
                return encoded_error(request.id, error)

        return Finished(
            start.number,
            or_logged(
                f"answer {request.method}",
                work,
                lambda sentence: encoded_error(request.id, InternalError(sentence)),
            ),
        )

    def _answer(self, start: Start, call: Call) -> bytes:
        _, request, revision, method = start
        capabilities = self._lifecycle.capabilities_of(request.params, revision)
        call.client = self._client_of(start, capabilities) if method.may_ask else None
        try:
            result = method.answer(RequestContext(request.params, revision, call, capabilities))
        except InputRequired as required:
            result = encode_required(required, request.method, request.params)
        if method.stays_open:
            return encode(Notification(ACKNOWLEDGED, result))
        return encode(
            Response(request.id, self._lifecycle.complete(result, method.fresh_milliseconds, revision))
        )

    def _client_of(self, start: Start, capabilities: Mapping[str, object]) -> AskableClient | None:
        """Return what a request can ask its client; None if it can ask nothing."""
        request, can_ask = start.request, who_can_be_asked(capabilities, start.revision)
        if not start.revision.modern:
            return LegacyClient(self._client_requests, request.id, can_ask) if can_ask else None
        if can_ask or request.params.keys() & {"inputResponses", "requestState"}:
            return ModernClient(request.method, request.params, can_ask)
        return None

    def _stop(self, call: Call) -> None:
        """Cancel a call in a thread of its own: stopping its work may mean asking the image."""
        cancel = partial(or_logged, "stop the work of a request", call.cancel, lambda sentence: None)
        thread = Thread(target=cancel, name="cancel", daemon=True)
        thread.start()
        self._stopping = [*(each for each in self._stopping if each.is_alive()), thread]

    def _stop_all(self) -> str | None:
        """Stop all work within STOP_WORK_SECONDS, and close the transport."""
        self._client_requests.close()
        deadline = monotonic() + STOP_WORK_SECONDS
        for thread in self._stopping:
            thread.join(max(0, deadline - monotonic()))
        self._pool.close()
        was_drained = not isinstance(self._end, ClientGone | Closing | None)
        return self._transport.close(self._drain_seconds if was_drained else STOP_WORK_SECONDS)
