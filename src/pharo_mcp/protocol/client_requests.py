"""Requests to the client of a call: what a call can ask it."""

from collections.abc import Callable, Mapping, Sequence
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
        """The wire form, without an id."""
        return {"method": self.method, "params": self.params}


class InputRequired(Exception):
    """A modern client must send the results of these requests, and repeat its own request with them.

    `evaluation` is the evaluation that waits for them; None if nothing has begun.
    """

    def __init__(self, requests: Sequence[ClientRequest], evaluation: str | None) -> None:
        super().__init__(", ".join(request.name for request in requests))
        self.requests = requests
        self.evaluation = evaluation


Settle = Callable[[ClientRequest, "Result | None"], None]
"""Is called with a request and its result, or with None if the client has none."""


class Client(Protocol):
    """What a call can ask its client. `abilities` are some of `person`, `model` and `roots`.

    `evaluation` is the evaluation that an earlier request began and this one continues; None for a new one.
    """

    abilities: Sequence[str]
    evaluation: str | None

    def ask(
        self, requests: Sequence[ClientRequest], evaluation: str | None, settle: Settle, seconds: float
    ) -> bool:
        """Send the requests, unless that has been done, and wait until one is settled; whether one was.

        `settle` may be called in another thread, and after this returned.

        Raises:
            InputRequired: If the answers can only come with another request of the client.
        """

    def withdraw(self, evaluation: str | None) -> None:
        """Nobody waits for the answers to the questions of an evaluation, or of the call, any more."""
