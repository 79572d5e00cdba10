"""What an image offers by itself: tools, resources and prompts that were registered in it."""

from collections.abc import Mapping
from functools import partial

from .errors import OfferFailed, StillRunning
from .evaluating import Evaluating, Outcome, Tell
from .offer_replies import Called, Registered
from .requests import LIMIT, Requests
from .shapes import given, read


class Offering:
    """Lists and uses what is offered. Every method raises ImageError.

    Using something is an evaluation with an id, as `ImageClient.evaluate` has it.
    """

    def __init__(self, requests: Requests, evaluating: Evaluating, limit: float) -> None:
        self._requests = requests
        self._evaluating = evaluating
        self._limit = limit

    def registered(self, wait: float = LIMIT) -> Registered:
        """All that is offered, if the image says so within `wait` seconds."""
        return self._requests.ask("/offers", {}, partial(read, Registered), wait)

    def call(
        self,
        kind: str,
        arguments: Mapping[str, object],
        *,
        name: str | None = None,
        uri: str | None = None,
        uri_template: str | None = None,
        timeout_seconds: float | None = None,
        wait_seconds: float | None = None,
        evaluation: str | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Call a `tool`, fill a `prompt` (by name), read a `resource` (by URI; or of a `resourceTemplate`).

        Raises:
            RequestRefused: If it is not offered any more, or an argument is missing.
            SmalltalkError: If it ended otherwise than with an answer.
        """
        body = given(
            kind=kind,
            name=name,
            uri=uri,
            uri_template=uri_template,
            arguments=arguments,
            evaluation=evaluation,
            timeout_seconds=self._limit if timeout_seconds is None else timeout_seconds,
            wait_seconds=wait_seconds,
        )
        return self._evaluating.run("/offers/call", body, tell)

    def answer(
        self,
        kind: str,
        arguments: Mapping[str, object],
        *,
        name: str | None = None,
        uri: str | None = None,
        uri_template: str | None = None,
        evaluation: str,
    ) -> Called:
        """What `call` leads to, for whoever cannot follow what goes on.

        Raises:
            OfferFailed: If the answer is that it did not work out.
            StillRunning: If there is no answer yet.
        """
        outcome = self.call(
            kind, arguments, name=name, uri=uri, uri_template=uri_template, evaluation=evaluation
        )
        if isinstance(outcome, Called):
            if outcome.is_error:
                raise OfferFailed(block.text for block in outcome.contents if block.text)
            return outcome
        raise StillRunning(evaluation, outcome.elapsed or 0)
