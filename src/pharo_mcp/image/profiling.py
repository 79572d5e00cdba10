"""Requests that find out where time goes."""

from pharo_mcp.image.evaluations import Asker, Evaluations, ProgressListener
from pharo_mcp.image.outcomes import Outcome
from pharo_mcp.image.shapes import request_body


class Profiling:
    """Profiles of expressions and tests.

    Arguments that are None are left to the image. A profile is an evaluation with an id, as in
    `ImageClient.evaluate`: it can be followed and cancelled.
    """

    def __init__(self, evaluations: Evaluations) -> None:
        self._evaluations = evaluations

    def profile(
        self,
        expression: str | None = None,
        class_name: str | None = None,
        selector: str | None = None,
        *,
        timeout_seconds: float | None = None,
        wait_seconds: float | None = None,
        process: str | None = None,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Evaluate an expression, or run the tests of a class; the outcome has their `profile`.

        Raises:
            SmalltalkError: If they ended without a value; its failure has the profile so far.
        """
        body = request_body(
            expression=expression,
            class_name=class_name,
            selector=selector,
            timeout_seconds=timeout_seconds,
            wait_seconds=wait_seconds,
            process=process,
            evaluation=evaluation_id,
        )
        return self._evaluations.run("/profile", body, on_progress, asker)
