"""The states of a connection and of a request, and the events that move them from one to the next.

A connection, moved by whichever thread handles the event (`conversation.py`):

    state      event           next       what happens
    open       end of input    draining   no more requests come; those in flight are still answered
    open       client gone     closed     requests in flight are stopped and not answered
    open       close           closed     the same, by a signal or by `Connection.close`
    draining   drained         closed     every request was answered, or the time for that is over;
                                          then the rest is answered with an error and stopped
    draining   client gone     closed
    draining   close           closed

A request whose method waits for the image, from its admission on (`in_flight.py`). Any other request is
answered at once and has no states:

    state      event           next       what happens
    waiting    taken           running    a thread runs its method
    waiting    overdue         answered   its turn did not come in time; the answer says that nothing ran
    running    finished        answered   the answer is sent
    waiting    cancelled       dropped    no answer is ever sent; the work in the image is stopped
    running    cancelled       dropped
    waiting    refused         answered   the connection has drained; the answer is an error
    running    refused         answered

All but `taken` happen one after the other; that one happens at any time, in the thread that runs the
method: whichever of `taken` and `overdue` comes first excludes the other. An event that the table does not
list for a state changes nothing: an answer that arrives after `cancelled`, for example, is not sent.
"""

from collections.abc import Mapping
from threading import Lock

OPEN, DRAINING, CLOSED = "open", "draining", "closed"
WAITING, RUNNING, ANSWERED, DROPPED = "waiting", "running", "answered", "dropped"

Moves = Mapping[tuple[str, str], str]
"""The next state, by the current one and the event."""

CONNECTION: Moves = {
    (OPEN, "end of input"): DRAINING,
    (OPEN, "client gone"): CLOSED,
    (OPEN, "close"): CLOSED,
    (DRAINING, "drained"): CLOSED,
    (DRAINING, "client gone"): CLOSED,
    (DRAINING, "close"): CLOSED,
}
REQUEST: Moves = {
    (WAITING, "taken"): RUNNING,
    (WAITING, "overdue"): ANSWERED,
    (RUNNING, "finished"): ANSWERED,
    (WAITING, "cancelled"): DROPPED,
    (RUNNING, "cancelled"): DROPPED,
    (WAITING, "refused"): ANSWERED,
    (RUNNING, "refused"): ANSWERED,
}


class StateMachine:
    """A state that events move as a table says. Any thread may move it."""

    def __init__(self, moves: Moves, state: str) -> None:
        self.state = state
        self._moves = moves
        self._lock = Lock()

    def move(self, event: str) -> bool:
        """Move to the next state; whether the event moves this state at all."""
        with self._lock:
            following = self._moves.get((self.state, event))
            if following is None:
                return False
            self.state = following
            return True
