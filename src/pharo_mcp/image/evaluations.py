"""Evaluations from their first request to their end: waited for, reported on, asked, stopped.

Whatever takes time in an image is an evaluation with an id, which its caller chooses: code, tests, loads,
undos, and what an image registers. It can come to a value or an error, go on, pause, or ask its user.
"""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from threading import Lock
from time import monotonic
from typing import Any, Protocol

from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.endpoints import outcome_in
from pharo_mcp.image.errors import (
    AnswerLost,
    ImageBusy,
    ImageError,
    ImageSaving,
    NothingRan,
    RequestRefused,
    SmalltalkError,
)
from pharo_mcp.image.gate import RequestGate, answer
from pharo_mcp.image.http import PendingRequest
from pharo_mcp.image.replies import Asking, Called, ImageEvent, Outcome, Running, Stopped
from pharo_mcp.image.shapes import read
from pharo_mcp.times import (
    GRACE_SECONDS,
    LEAST_START_SECONDS,
    PROGRESS_SECONDS,
    STOPPING_PAUSE_SECONDS,
    STOPPING_SECONDS,
    WAIT_SECONDS,
)

LEFT_LIMIT = 100
"""Evaluations that are remembered after their callers were told that they ask."""


class Asker(Protocol):
    """Passes the questions of an evaluation on to the client. `can_ask` says whom the client can ask."""

    @property
    def can_ask(self) -> Sequence[str]:
        """Some of `person`, `model` and `roots`."""

    @property
    def continues(self) -> bool:
        """Whether the evaluation was begun by an earlier request."""

    def ask(self, asking: Asking, seconds: float) -> bool:
        """Ask the questions and wait up to these seconds for an answer. Return whether one came."""

    def withdraw(self, evaluation: str) -> None:
        """The evaluation asks no more."""


Follow = Callable[[str, float], Outcome]
"""Waits up to these seconds for an evaluation."""


class Questions:
    """Answers the questions of evaluations, and remembers which evaluations were left asking.

    What happens then, and whether the question was still open, is for whoever follows the evaluation.
    """

    def __init__(self, gate: RequestGate) -> None:
        self._gate = gate
        self._left: dict[str, None] = {}

    def answer(self, evaluation: str, question: str, answer: object) -> Outcome | None:
        """Answer a question; what the evaluation does then, None if the image does not take the answer."""
        return self._post(evaluation, {"question": question, "answer": answer})

    def decline(self, evaluation: str, question: str, why: str) -> Outcome | None:
        """Report that nobody answers a question; `why` is `declined`, `cancelled` or `failed`."""
        return self._post(evaluation, {"question": question, "declined": why})

    def have_answered(self, asking: Asking, asker: Asker, end: float, follow: Follow) -> Outcome:
        """Have the questions of an evaluation asked until the time is over; how it goes on.

        The image is asked every second whether the evaluation still waits, since somebody may stop it.
        """
        evaluation = asking.evaluation
        outcome: Outcome = asking
        try:
            while isinstance(outcome, Asking):
                self.leave(evaluation)
                if (rest := end - monotonic()) <= 0:
                    break
                was_answered = asker.ask(outcome, min(rest, PROGRESS_SECONDS))
                outcome = follow(evaluation, max(0.0, end - monotonic()) if was_answered else 0.0)
        except ImageError:
            self._end(evaluation, asker)
            raise
        if not isinstance(outcome, Asking):
            self._end(evaluation, asker)
        return outcome

    def leave(self, evaluation: str) -> None:
        """Remember that an evaluation asks and that nobody waits for it now."""
        self._left[evaluation] = None
        for oldest in list(self._left)[:-LEFT_LIMIT]:
            self.forget(oldest)

    def forget(self, evaluation: str) -> bool:
        """Somebody waits for the evaluation again, or it goes on or has ended; whether it was left asking."""
        was_left = evaluation in self._left
        self._left.pop(evaluation, None)
        return was_left

    def stop_left(self, stop: Callable[[str], object]) -> None:
        """Stop the evaluations that were left asking: nobody will answer them."""
        for evaluation in list(self._left):
            self.forget(evaluation)
            try:
                stop(evaluation)
            except ImageError:
                return  # the others are in the same image

    def _end(self, evaluation: str, asker: Asker) -> None:
        self.forget(evaluation)
        asker.withdraw(evaluation)

    def _post(self, evaluation: str, body: Mapping[str, object]) -> Outcome | None:
        was_left = self.forget(evaluation)  # before it goes on, since it may ask the next question at once
        try:
            outcome = self._gate.ask_at_once("/answer", {"evaluation": evaluation, **body}, outcome_in)
        except ImageError:
            outcome = None
        if was_left and (outcome is None or isinstance(outcome, Asking)):
            self.leave(evaluation)
        return outcome


NO_LIMIT = float("inf")
ProgressListener = Callable[[Running], None]
"""Is called with how far an evaluation is."""


def new_evaluation_id() -> str:
    """An id for an evaluation: chosen here, so that it can be stopped before the image has answered."""
    return f"e-{os.urandom(6).hex()}"


class Evaluations:
    """The evaluations that callers wait for, by the ids that the callers chose.

    Progress events arrive on another connection than the result: `catch_up` waits until those before the
    result, by its event number, have arrived.
    """

    def __init__(self, gate: RequestGate, catch_up: Callable[[int], None]) -> None:
        self.questions = Questions(gate)
        self._gate = gate
        self._catch_up = catch_up
        self._lock = Lock()
        self._pending: dict[str, PendingRequest] = {}
        self._listeners: dict[str, ProgressListener] = {}

    def run(
        self,
        path: str,
        body: Mapping[str, Any],
        on_progress: ProgressListener | None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Start an evaluation by a request to `path`, and wait for its end as long as the body says.

        One that an earlier request began is not started again, but waited for. An `asker` passes on its
        questions; while it asks, its time limit rests.

        The wait ends soon after the evaluation's time limit: only a frozen image takes longer. Time spent
        waiting for a turn is subtracted. With `on_progress`, the image is asked every second.
        """
        wait: float = min(
            body.get("waitSeconds", WAIT_SECONDS), body.get("timeoutSeconds", NO_LIMIT) + GRACE_SECONDS
        )
        end = monotonic() + body.get("waitSeconds", WAIT_SECONDS)
        continues = asker is not None and asker.continues
        if asker and asker.can_ask:
            body = {**body, "canAsk": list(asker.can_ask)}
        evaluation_id = body.get("evaluation")
        pending = self._begin(evaluation_id, on_progress)

        def go(connection: CompanionConnection, last: float) -> Outcome:
            now = monotonic()
            seconds = _most(wait, now, last)
            first = _slice(seconds) if on_progress else seconds
            asked = {**body, "waitSeconds": first} if first < wait else body
            if continues:
                begun = Running(body["evaluation"], elapsed=0)
                outcome = _wait_longer(connection, begun, body, first, pending)
            else:
                outcome = _start(connection, path, asked, first, now + seconds, last, pending)
            while on_progress and isinstance(outcome, Running):
                rest = now + seconds - monotonic()
                if rest <= 0:
                    break
                on_progress(outcome)
                outcome = _wait_longer(connection, outcome, body, _slice(rest), pending)
            return outcome

        try:
            outcome = self._gate.in_turn(go, LEAST_START_SECONDS)
            if asker and isinstance(outcome, Asking):
                outcome = self.questions.have_answered(outcome, asker, end, partial(self._follow_shown, body))
            if isinstance(outcome, Called):
                self._await_events_before(outcome.event)
            return outcome
        except (SmalltalkError, RequestRefused) as error:
            self._await_events_before(error.failure.event)
            raise
        finally:
            self._end(evaluation_id, pending)

    def follow(
        self,
        body: Mapping[str, object],
        wait: float,
        path: str = "/evaluation",
        asker: Asker | None = None,
    ) -> Outcome:
        """Ask for the evaluation with the id in the body; wait `wait` seconds until it ends, pauses or asks.

        A request to another path moves it on before. An `asker` passes on its questions.
        """
        end = monotonic() + wait
        outcome = self._follow(body, wait, path)
        if asker and isinstance(outcome, Asking):
            return self.questions.have_answered(outcome, asker, end, partial(self._follow_shown, body))
        return outcome

    def _follow(self, body: Mapping[str, object], wait: float, path: str = "/evaluation") -> Outcome:

        def go(connection: CompanionConnection, last: float) -> Outcome:
            now = monotonic()
            seconds = _most(wait, now, last)
            asked = {**body, "waitSeconds": seconds}
            return answer(connection, path, asked, outcome_in, min(last, now + seconds + GRACE_SECONDS))

        if wait:
            return self._gate.in_turn(go, LEAST_START_SECONDS)
        return self._gate.ask_at_once(path, body, outcome_in)

    def _follow_shown(self, body: Mapping[str, object], evaluation: str, wait: float) -> Outcome:
        shown = {key: body[key] for key in ("maxCharacters", "offset") if key in body}
        return self._follow({"evaluation": evaluation, **shown}, wait)

    def stop(self, evaluation_id: str | None) -> Stopped:
        """End an evaluation in the image, or all of them."""
        body = {"all": True} if evaluation_id is None else {"evaluation": evaluation_id}
        return self._gate.ask_at_once("/stop", body, partial(read, Stopped))

    def interrupt(self) -> Stopped:
        """Suspend the process that keeps evaluations from running, unless it works for one of them."""
        return self._gate.ask_at_once("/stop", {"interrupt": True}, partial(read, Stopped))

    def cancel(self, evaluation_id: str) -> None:
        """End an evaluation whose caller has gone: before its request is sent, or in the image."""
        with self._lock:
            pending = self._pending.get(evaluation_id)
        if not pending or not pending.cancel():
            return
        end = monotonic() + STOPPING_SECONDS
        try:
            # The request may be on its way: then the image does not know the evaluation yet.
            while not any(self.stop(evaluation_id)) and monotonic() < end:
                if pending.done.wait(STOPPING_PAUSE_SECONDS):
                    return
        finally:
            pending.give_up()

    def is_pending(self, evaluation_id: str) -> bool:
        """Whether a caller waits for an evaluation with that id."""
        with self._lock:
            return evaluation_id in self._pending

    def report(self, event: ImageEvent) -> None:
        """Pass a progress event to the caller that waits for its evaluation."""
        if event.evaluation is None or event.progress is None:
            return
        with self._lock:
            on_progress = self._listeners.get(event.evaluation)
        if on_progress:
            progress, total, message = event.progress, event.total, event.message
            on_progress(Running(event.evaluation, elapsed=0, progress=progress, total=total, message=message))

    def _await_events_before(self, event: int | None) -> None:
        if event is not None:
            self._catch_up(event)

    def _begin(self, evaluation_id: str | None, on_progress: ProgressListener | None) -> PendingRequest:
        pending = PendingRequest()
        if evaluation_id is not None:
            with self._lock:
                self._pending[evaluation_id] = pending
                if on_progress:
                    self._listeners[evaluation_id] = on_progress
        return pending

    def _end(self, evaluation_id: str | None, pending: PendingRequest) -> None:
        pending.done.set()
        if evaluation_id is not None:
            with self._lock:
                if self._pending.get(evaluation_id) is pending:  # else another call continues it
                    del self._pending[evaluation_id]
                self._listeners.pop(evaluation_id, None)


def _start(
    connection: CompanionConnection,
    path: str,
    body: Mapping[str, object],
    wait: float,
    end: float,
    last: float,
    pending: PendingRequest,
) -> Outcome:
    """Start an evaluation; a busy image is asked again while there is time to wait."""
    while True:
        now = monotonic()
        try:
            return answer(connection, path, body, outcome_in, min(last, now + wait + GRACE_SECONDS), pending)
        except ImageBusy:
            if not now + wait <= monotonic() < end:
                raise


def _wait_longer(
    connection: CompanionConnection,
    running: Running,
    body: Mapping[str, object],
    seconds: float,
    pending: PendingRequest,
) -> Outcome:
    asked = {"evaluation": running.evaluation, "waitSeconds": seconds}
    asked |= {key: body[key] for key in ("maxCharacters",) if key in body}
    try:
        return answer(
            connection, "/evaluation", asked, outcome_in, monotonic() + seconds + GRACE_SECONDS, pending
        )
    except ImageBusy:
        return running
    except ImageSaving as error:
        raise AnswerLost(connection.address.url, "the image is being saved") from error
    except NothingRan as error:  # true of this request, but the evaluation may have run
        raise AnswerLost(connection.address.url, error.message.partition("\n")[0]) from error


def _most(wait: float, now: float, last: float) -> float:
    """How much of `wait` is left when everything must be over at `last`."""
    return max(0.0, min(wait, last - GRACE_SECONDS - now))


def _slice(seconds: float) -> float:
    return min(seconds, PROGRESS_SECONDS)
