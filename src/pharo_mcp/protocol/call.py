"""A running request as its handler sees it: its deadline, its cancellation, its progress, and its client."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from threading import Lock
from time import monotonic
from typing import NamedTuple, Protocol

Result = Mapping[str, object]
"""The result of a request to a client."""


class ClientRequest(NamedTuple):
    """A request to a client, with its name among those of its call; `fits` says whether a result is valid."""

    name: str
    method: str
    params: Mapping[str, object]
    fits: Callable[[object], bool]

    def encode(self) -> dict[str, object]:
        """Return the wire form, without an id."""
        return {"method": self.method, "params": self.params}


class InputRequired(Exception):
    """A modern client must send the results of these requests, and repeat its own request with them.

    `evaluation` is the evaluation that waits for them; None if nothing has begun.
    """

    def __init__(self, requests: Sequence[ClientRequest], evaluation: str | None) -> None:
        super().__init__(", ".join(request.name for request in requests))
        self.requests = requests
        self.evaluation = evaluation


OnResult = Callable[[ClientRequest, "Result | None"], None]
"""Is called with a request and its result, or with None if the client has none."""


class AskableClient(Protocol):
    """What a call can ask its client. `can_ask` are some of `person`, `model` and `roots`.

    `evaluation` is the evaluation that an earlier request began and this one continues; None for a new one.
    """

    can_ask: Sequence[str]
    evaluation: str | None

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, on_result: OnResult, seconds: float
    ) -> bool:
        """Send the requests, unless that has been done, and wait until one has a result; return whether.

        `on_result` may be called in another thread, and after this returned.

        Raises:
            InputRequired: If the answers can only come with another request of the client.
        """

    def withdraw(self, evaluation: str | None) -> None:
        """Take back the questions of an evaluation, or of the call: nobody waits for their answers."""


NEVER = float("inf")


class Call:
    """A running request: its id, its deadline, its cancellation and its progress.

    The connection cancels it from another thread; the handler may check `cancelled` or use `on_cancel`.
    `on_progress` is called with progress reports; it is None if the sender did not ask for them. `deadline`
    is when it must be answered, by `clock`. `client` can be asked something; None if none can. `uri` is the
    URI to read, for resources. The work of a call that may become a task has the `work_id`, and the call
    waits at most `work_seconds` for its end.
    """

    def __init__(
        self,
        request_id: str | int = 0,
        on_progress: Callable[["Call", float, str | None, float | None], None] | None = None,
        *,
        deadline: float = NEVER,
        clock: Callable[[], float] = monotonic,
        client: AskableClient | None = None,
    ) -> None:
        self.client = client
        self.id = request_id
        self.uri = ""
        self.work_id: str | None = None
        self.work_seconds: float | None = None
        self._on_progress = on_progress
        self.deadline = deadline
        self._clock = clock
        self._cancelled = False
        self._actions: list[Callable[[], None]] = []
        self._lock = Lock()

    @property
    def cancelled(self) -> bool:
        """Whether the sender has cancelled the request."""
        return self._cancelled

    @property
    def evaluation(self) -> str | None:
        """The evaluation that an earlier request began and this one continues; None for a new one."""
        return self.client.evaluation if self.client else None

    @property
    def remaining(self) -> float:
        """Seconds until the deadline; time spent waiting for a worker counts."""
        return max(0.0, self.deadline - self._clock())

    @property
    def wants_progress(self) -> bool:
        """Whether the sender asked for progress reports."""
        return self._on_progress is not None

    def report(self, progress: float, message: str | None = None, total: float | None = None) -> None:
        """Report progress to the sender: a number in any unit, a message, and the number at which it is done.

        Progress must increase: other reports are dropped, as are those after a cancellation or the answer.
        """
        if self._on_progress:
            self._on_progress(self, progress, message, total)

    def on_cancel(self, action: Callable[[], None]) -> None:
        """Run `action` when this call is cancelled; at once if it already is.

        It runs in a thread of its own and may block, for example to ask the image to stop.
        If it raises, the other actions run before that exception goes on.
        """
        with self._lock:
            if not self._cancelled:
                self._actions.append(action)
                return
        action()

    def cancel(self) -> None:
        """Cancel the call. A second call changes nothing."""
        with self._lock:
            self._cancelled = True
            actions, self._actions = self._actions, []
        with ExitStack() as stack:
            for action in reversed(actions):
                stack.callback(action)
