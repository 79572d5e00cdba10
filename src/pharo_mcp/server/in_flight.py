"""The requests that wait for the image, from their admission to their answer."""

from itertools import takewhile
from threading import Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.protocol.call import Call
from pharo_mcp.wire.jsonrpc import Id, JsonRpcError

from .answers import AdmittedRequest, encoded_error
from .batch import SendAnswer
from .progress import Report, notification

INFINITY = float("inf")


class InFlightRequest(NamedTuple):
    """A request in flight, where its answer goes, and its last reported progress."""

    admitted: AdmittedRequest
    send: SendAnswer
    progress: float = -INFINITY


class Ready(NamedTuple):
    """A request that was put off, and that is to be run now."""

    admitted: AdmittedRequest


class InFlight:
    """The requests that are waiting or running (see `states.py`), by id. One thread at a time uses it."""

    def __init__(self) -> None:
        self._requests: dict[Id, InFlightRequest] = {}

    def __len__(self) -> int:
        return len(self._requests)

    def __contains__(self, request_id: Id) -> bool:
        return request_id in self._requests

    def begin(self, admitted: AdmittedRequest, send: SendAnswer) -> None:
        """Keep a request until it is answered or dropped."""
        self._requests[admitted.request.id] = InFlightRequest(admitted, send)

    def take_overdue(self, seconds: float) -> list[AdmittedRequest]:
        """End the wait of requests that have less than `seconds` left; each is to be answered as busy."""
        requests = self._requests.values()
        oldest_first = (each.admitted for each in requests if not each.admitted.method.put_off)
        overdue = takewhile(lambda admitted: admitted.call.remaining < seconds, oldest_first)
        return [admitted for admitted in overdue if admitted.states.move("overdue")]

    def advance(self, report: Report) -> bytes | None:
        """The notification for a report; None if its request has ended or the progress did not increase."""
        found = self._requests.get(report.call.id)
        if found is None or found.admitted.call is not report.call:
            return None
        if not found.progress < report.progress < INFINITY:  # JSON has no infinity
            return None
        self._requests[report.call.id] = found._replace(progress=report.progress)
        return notification(found.admitted.context, report)

    def answer(self, admitted: AdmittedRequest, answer: bytes) -> None:
        """Send the answer to a request that has moved to *answered*."""
        self._requests.pop(admitted.request.id).send(answer)

    def finish(self, admitted: AdmittedRequest, answer: bytes) -> None:
        """Send the answer of a method that returned, unless the request was dropped meanwhile."""
        if admitted.states.move("finished"):
            self.answer(admitted, answer)

    def cancel(self, request_id: Id) -> None:
        """Drop a request and stop its work; nothing happens if none of that id is in flight."""
        found = self._requests.get(request_id)
        if found and found.admitted.states.move("cancelled"):
            del self._requests[request_id]
            _stop(found.admitted.call)
            found.send(None)

    def refuse(self, error: JsonRpcError) -> None:
        """Answer all requests with an error; their work goes on until `stop`."""
        for each in self._requests.values():
            if each.admitted.states.move("refused"):
                each.send(encoded_error(each.admitted.request.id, error))

    def stop(self, seconds: float) -> None:
        """Drop the requests that are not answered, and stop the work of all within `seconds`."""
        for each in self._requests.values():
            each.admitted.states.move("cancelled")
        threads = [_stop(each.admitted.call) for each in self._requests.values()]
        self._requests.clear()
        deadline = monotonic() + seconds
        for thread in threads:
            thread.join(max(0, deadline - monotonic()))


def _stop(call: Call) -> Thread:
    """Cancel a call in a thread of its own: stopping its work may mean asking the image."""
    thread = Thread(target=call.cancel, name="cancel", daemon=True)
    thread.start()
    return thread
