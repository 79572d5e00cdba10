"""The tools, resources and prompts that are registered in an image."""

from collections.abc import Mapping
from functools import partial

from pharo_mcp.image.errors import RegistrationFailed, StillRunning
from pharo_mcp.image.evaluations import Asker, Evaluations, ProgressListener
from pharo_mcp.image.gate import RequestGate
from pharo_mcp.image.outcomes import Outcome
from pharo_mcp.image.replies.system import Called, RegisteredItems
from pharo_mcp.image.shapes import read, request_body
from pharo_mcp.times import REQUEST_SECONDS


class Registrations:
    """Lists and uses registrations. Every method raises ImageError.

    Using one is an evaluation with an id, as in `ImageClient.evaluate`.
    """

    def __init__(self, gate: RequestGate, evaluations: Evaluations, limit: float) -> None:
        self._gate = gate
        self._evaluations = evaluations
        self._limit = limit

    def registered(self, wait: float = REQUEST_SECONDS) -> RegisteredItems:
        """All registrations, if the image lists them within `wait` seconds."""
        return self._gate.ask("/registrations", {}, partial(read, RegisteredItems), wait)

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
        on_error: str | None = None,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Use a `tool` or `prompt` by name, or a `resource` or `resourceTemplate` by URI.

        Raises:
            RequestRefused: If it is not registered any more, or an argument is missing.
            SmalltalkError: If it ended without a result.
        """
        body = request_body(
            kind=kind,
            name=name,
            uri=uri,
            uri_template=uri_template,
            arguments=arguments,
            evaluation=evaluation_id,
            timeout_seconds=self._limit if timeout_seconds is None else timeout_seconds,
            wait_seconds=wait_seconds,
            on_error=on_error,
        )
        return self._evaluations.run("/registrations/call", body, on_progress, asker)

    def answer(
        self,
        kind: str,
        arguments: Mapping[str, object],
        *,
        name: str | None = None,
        uri: str | None = None,
        uri_template: str | None = None,
        evaluation_id: str,
        asker: Asker | None = None,
    ) -> Called:
        """The result of `call`, for a caller that cannot follow an evaluation.

        Raises:
            RegistrationFailed: If the result is an error.
            StillRunning: If there is no result yet.
        """
        outcome = self.call(
            kind,
            arguments,
            name=name,
            uri=uri,
            uri_template=uri_template,
            evaluation_id=evaluation_id,
            asker=asker,
        )
        if isinstance(outcome, Called):
            if outcome.is_error:
                raise RegistrationFailed(block.text for block in outcome.contents if block.text)
            return outcome
        raise StillRunning(evaluation_id, outcome.elapsed or 0)
