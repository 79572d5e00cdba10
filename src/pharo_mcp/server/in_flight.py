"""The requests that workers answer."""

from itertools import takewhile
from threading import Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.jsonrpc import Id, JsonRpcError
from pharo_mcp.protocol import Call

from .answers import Asked, refusal
from .progress import Reported, notification
from .replies import Reply

INFINITY = float("inf")


class Running(NamedTuple):
    """A request in flight, and how far it last was."""

    asked: Asked
    reply: Reply
    progress: float = -INFINITY


class InFlight:
    """The requests that were admitted and neither answered nor cancelled yet, by id. One thread uses it."""

    def __init__(self) -> None:
        self._running: dict[Id, Running] = {}

    def __len__(self) -> int:
        return len(self._running)

    def __contains__(self, request_id: Id) -> bool:
        return request_id in self._running

    def begin(self, asked: Asked, reply: Reply) -> None:
        """Keep a request until it is answered or cancelled."""
        self._running[asked.request.id] = Running(asked, reply)

    def take_overdue(self, seconds: float) -> list[Asked]:
        """Take those that nobody has begun and that have less than so many seconds left."""
        oldest_first = self._running.values()
        overdue = takewhile(lambda running: running.asked.question.call.remaining < seconds, oldest_first)
        return [running.asked for running in overdue if running.asked.take()]

    def advance(self, report: Reported) -> bytes | None:
        """Take note of a report; the line to send, if it is one that the sender should hear."""
        running = self._find(report.call)
        # JSON has no infinity, and nothing rises beyond it.
        if running is None or not running.progress < report.progress < INFINITY:
            return None
        self._running[report.call.id] = running._replace(progress=report.progress)
        return notification(running.asked.question, report)

    def finish(self, call: Call, answer: bytes) -> None:
        """Answer a request if it still wants that."""
        running = self._find(call)
        if running:
            del self._running[call.id]
            running.reply(answer)

    def cancel(self, request_id: Id) -> None:
        """Stop the work on a request; it is never answered."""
        running = self._running.pop(request_id, None)
        if running:
            _stop(running.asked.question.call)
            running.reply(None)

    def refuse(self, error: JsonRpcError) -> None:
        """Answer all of them with an error, though their work goes on."""
        for request_id, running in self._running.items():
            running.reply(refusal(request_id, error))

    def stop(self, seconds: float) -> None:
        """Stop the work on all of them, and wait that long for it to be done."""
        threads = [_stop(running.asked.question.call) for running in self._running.values()]
        self._running.clear()
        deadline = monotonic() + seconds
        for thread in threads:
            thread.join(max(0, deadline - monotonic()))

    def _find(self, call: Call) -> Running | None:
        # The request may have been cancelled meanwhile, and its id used again.
        running = self._running.get(call.id)
        return running if running and running.asked.question.call is call else None


def _stop(call: Call) -> Thread:
    """Cancel a call in a thread of its own, since stopping its work may mean asking the image."""
    thread = Thread(target=call.cancel, name="cancel", daemon=True)
    thread.start()
    return thread
