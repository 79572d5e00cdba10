"""Requests about paused evaluations."""

from functools import partial

from pharo_mcp.image.evaluations import Asker, Evaluations
from pharo_mcp.image.gate import RequestGate
from pharo_mcp.image.outcomes import Outcome, outcome_in
from pharo_mcp.image.replies.evaluations import Breakpoints, PausedFrame
from pharo_mcp.image.shapes import read, request_body
from pharo_mcp.times import WAIT_SECONDS


class Debugging:
    """Looks at paused evaluations and moves them on. Every method raises ImageError."""

    def __init__(self, gate: RequestGate, evaluations: Evaluations) -> None:
        self._gate = gate
        self._evaluations = evaluations

    def stack(self, evaluation_id: str) -> Outcome:
        """Why and where an evaluation is paused.

        Raises:
            UnknownEvaluation: If the image does not have it, or no longer.
            RequestRefused: If it is not paused.
        """
        return self._gate.ask("/debug", request_body(evaluation=evaluation_id), outcome_in)

    def frame(self, evaluation_id: str, frame: int) -> PausedFrame:
        """A frame of a paused evaluation, counted from 1, the innermost."""
        body = request_body(evaluation=evaluation_id, frame=frame)
        return self._gate.ask("/debug", body, partial(read, PausedFrame))

    def step(
        self,
        evaluation_id: str,
        action: str,
        *,
        frame: int | None = None,
        line: int | None = None,
        value: str | None = None,
        wait_seconds: float = WAIT_SECONDS,
        asker: Asker | None = None,
    ) -> Outcome:
        """Move a paused evaluation on; the outcome is where it is then, or how it ended.

        `value` is an expression, evaluated in the frame: what `return` and `proceed` give.

        Raises:
            RequestRefused: If it is not paused, or cannot do this.
            SmalltalkError: If it ended without a value, or if the expression has none.
        """
        body = request_body(evaluation=evaluation_id, action=action, frame=frame, line=line, value=value)
        return self._evaluations.follow(body, wait_seconds, "/debug/step", asker)

    def breakpoints(
        self,
        class_name: str | None = None,
        selector: str | None = None,
        line: int | None = None,
        condition: str | None = None,
        *,
        side: str | None = None,
        remove: bool | None = None,
    ) -> Breakpoints:
        """Set the breakpoint of a method, or remove it; without a class, list all or remove all.

        Raises:
            UnknownClass: If there is no such class.
            UnknownMethod: If the class does not define the method.
            RequestRefused: If the method cannot have a breakpoint there.
            SmalltalkError: If the condition cannot be compiled.
        """
        body = request_body(
            class_name=class_name,
            side=side,
            selector=selector,
            line=line,
            condition=condition,
            remove=remove,
        )
        return self._gate.ask("/breakpoints", body, partial(read, Breakpoints))
