"""What a handler knows about the request it answers."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from time import monotonic

NEVER = float("inf")


class Call:
    """A running request: its id, and what its sender wants to hear of it.

    The connection cancels it from another thread; the handler asks, or leaves word what to do then.
    `tell` takes the handler's reports on this call; without it the sender does not want any.
    `deadline` is when it must be answered, in the seconds of `clock`. `uri` is what is to be read.
    """

    def __init__(
        self,
        request_id: str | int = 0,
        tell: Callable[[Call, float, str | None, float | None], None] | None = None,
        *,
        deadline: float = NEVER,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.id = request_id
        self.uri = ""
        self._tell = tell
        self._deadline = deadline
        self._clock = clock
        self._cancelled = False
        self._actions: list[Callable[[], None]] = []
        self._lock = Lock()

    @property
    def cancelled(self) -> bool:
        """Whether nobody waits for the answer any more."""
        return self._cancelled

    @property
    def remaining(self) -> float:
        """Seconds that are left for the answer; what waited before its handler began has fewer."""
        return max(0.0, self._deadline - self._clock())

    @property
    def wants_progress(self) -> bool:
        """Whether `report` reaches anybody."""
        return self._tell is not None

    def report(self, progress: float, message: str | None = None, total: float | None = None) -> None:
        """Tell the sender how far this is, in a measure of the handler's own, of how much, and in words.

        Progress must rise: a report that does not is dropped, and so is one after a cancel or the answer.
        """
        if self._tell:
            self._tell(self, progress, message, total)

    def on_cancel(self, action: Callable[[], None]) -> None:
        """Run `action` when this call is cancelled; at once if it already is.

        It runs in a thread of its own and may take a moment, such as asking the image to stop.
        If it raises, that is logged and keeps no other action from being run.
        """
        with self._lock:
            if not self._cancelled:
                self._actions.append(action)
                return
        self._run(action)

    def cancel(self) -> None:
        """Say that nobody waits any more. A second time changes nothing."""
        with self._lock:
            self._cancelled = True
            actions, self._actions = self._actions, []
        for action in actions:
            self._run(action)

    def _run(self, action: Callable[[], None]) -> None:
        try:
            action()
        except Exception:  # the other actions stop other work
            import logging  # slow, and hardly ever needed

            logging.getLogger(__name__).exception("Stopping the work of request %r failed", self.id)
