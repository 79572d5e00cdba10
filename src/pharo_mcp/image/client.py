"""The client of an image: what tools, resources and prompts ask it.

Whatever takes time in an image is an evaluation with an id, which its caller may choose: code, tests, loads,
undos, and what an image registers. It can come to a value or an error, go on, pause, or ask its user.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep
from typing import Any, NamedTuple, TypeVar

from pharo_mcp.image.connection import (
    CompanionConnection,
    Endpoint,
    Outcome,
    PendingRequest,
    ProgressListener,
    Reply,
    repeat_unsent,
    until,
)
from pharo_mcp.image.endpoints import EVALUATE, EVALUATION, REGISTERED, STEP, STOP
from pharo_mcp.image.errors import (
    AnswerLost,
    CompanionFault,
    ImageBusy,
    ImageError,
    ImageSaving,
    ImageSilent,
    NothingRan,
    RequestRefused,
    SmalltalkError,
    StrangerOnPort,
)
from pharo_mcp.image.hints import usable
from pharo_mcp.image.images import CurrentConnection, Images, LiveImage
from pharo_mcp.image.questions import Asker, Questions
from pharo_mcp.image.replies.code import EditedCode, Impact, Place, Refactoring
from pharo_mcp.image.replies.evaluations import Asking, Running, Stopped
from pharo_mcp.image.replies.image import Events, ImageEvent, LastSave, Status
from pharo_mcp.image.replies.registrations import Called
from pharo_mcp.strict_json import request_body
from pharo_mcp.times import (
    EVALUATION_SECONDS,
    GRACE_SECONDS,
    IMAGE_REQUESTS_SECONDS,
    MAX_WAIT_SECONDS,
    PROGRESS_SECONDS,
    QUICK_REQUEST_SECONDS,
    REQUEST_SECONDS,
    SAVING_PAUSE_SECONDS,
    WAIT_SECONDS,
)

from .watch import ImageUpdate, Listener, Watch

LEAST_START_SECONDS = 1.0
"""What an image gets at least to start an evaluation and report that it runs."""
STOPPING_SECONDS = 2.0
"""How long a request may take to reach the image after it was cancelled, so that it is stopped there."""
STOPPING_PAUSE_SECONDS = 0.05
"""The pause between two attempts to stop it."""
SAVED_SECONDS = 25.0
"""The wait of save_image for the result. Then it answers that the image is still being saved."""

AT_ONCE = 8
"""Requests that an image handles at the same time."""
RESERVED = 1
"""Further requests, for those that must not wait: status, stop, the state of an evaluation."""
NO_LIMIT = float("inf")
Result = TypeVar("Result")


def new_evaluation_id() -> str:
    """Return an id for an evaluation: chosen here, so that it can be stopped before it is answered."""
    return f"e-{os.urandom(6).hex()}"


class Caller(NamedTuple):
    """Who waits for an evaluation.

    A caller that chooses the `evaluation_id` can `cancel` it; `on_progress` is called about every second, and
    the `asker` passes on what the code asks the user. `wait_seconds` goes before what a request says.
    """

    evaluation_id: str | None = None
    on_progress: ProgressListener | None = None
    asker: Asker | None = None
    wait_seconds: float | None = None


NOBODY = Caller()


class LastChange:
    """Remembers the last change of code, and names it in the first error that it may have caused."""

    def __init__(self) -> None:
        self._what: str | None = None

    def note(self, class_name: str, selector: object = None, side: object = None) -> None:
        """Remember a change of a class; one that names the method is more precise."""
        known = self._what
        if selector is not None:
            self._what = f"{class_name}{' class' if side == 'class' else ''} >> {selector}"
        elif known is None or known.partition(" ")[0] != class_name:
            self._what = class_name

    def note_reply(self, reply: object, arguments: Mapping[str, object]) -> None:
        """Remember what the reply to a request with these arguments says was changed."""
        match reply:
            case EditedCode(changes=(_, *_)) if parts := (*reply.methods, *reply.classes):
                self.note(parts[0].class_name, parts[0].selector, parts[0].side)
            case Refactoring(changes=(_, *_)) if "class_name" in arguments:
                self.note(str(arguments["class_name"]), arguments.get("selector"), arguments.get("side"))
            case Refactoring(changes=(_, *_), impact=Impact(items=(Place(str(name), side, selector), *_))):
                self.note(name, selector, side)

    def forget(self) -> None:
        """Forget the change: another image is in use."""
        self._what = None

    def explain(self, error: AnswerLost | CompanionFault | ImageSilent | StrangerOnPort) -> None:
        """Append the change to an error, once."""
        what, self._what = self._what, None
        if what:
            error.add(
                f"The last change of code in the image was of {what}. If that is why, end the image and "
                "start it again without that change, which is in its Epicea log."
            )


class ImageClient:
    """Sends requests to one image at a time, from any thread.

    `ask` and `run` send one to any endpoint; the other methods are those that need more than a request. All
    raise ImageError. A request that may have run is never repeated. `limit` is the default time limit of
    evaluations in seconds; `questions` answers what they ask.
    """

    def __init__(self, images: Images, limit: float = EVALUATION_SECONDS) -> None:
        self.limit = limit
        self._images = images
        self._current_connection = CurrentConnection(images, self._begin_to_watch)
        self._watch: Watch | None = None
        self._turns = BoundedSemaphore(AT_ONCE)
        self._reserved = BoundedSemaphore(RESERVED)
        self._last_change = LastChange()
        self.questions = Questions(self._ask_at_once)
        self._lock = Lock()  # guards what callers wait for, by the ids that they chose
        self._pending: dict[str, PendingRequest] = {}

    def status(self) -> Status:
        """Return the image's identity and state, also while it handles as many requests as it can."""
        last = until(GRACE_SECONDS)

        def go(connection: CompanionConnection) -> Status:
            status = connection.refresh(last)
            self._current_connection.recognise(connection)
            return status

        return self._attempt(self._reserved, last, go)

    def result_of_save(self, number: int) -> LastSave | None:
        """Return the result of a save, for which the companion closes; None if it takes too long."""
        end = monotonic() + SAVED_SECONDS
        while monotonic() < end:
            with suppress(ImageError):
                last = self.status().last_save
                if last and last.number is not None and last.number >= number:
                    return last
            sleep(SAVING_PAUSE_SECONDS)
        return None

    def ask(self, endpoint: Endpoint[Reply], **arguments: object) -> Reply:
        """Send a request to an endpoint, in its turn; return the reply."""
        body = request_body(**arguments)

        def go(connection: CompanionConnection, last: float) -> Reply:
            return connection.ask(endpoint, body, min(last, monotonic() + endpoint.seconds + GRACE_SECONDS))

        reply = self._in_turn(go, endpoint.seconds)
        self._last_change.note_reply(reply, arguments)
        return reply

    def run(self, endpoint: Endpoint[Outcome], caller: Caller = NOBODY, **arguments: object) -> Outcome:
        """Start an evaluation by a request to an endpoint, and wait as long as the arguments say.

        One that an earlier request of the caller began is not started again, but waited for; while it asks,
        its time limit rests. The wait ends soon after the time limit: only a frozen image takes longer. Time
        spent waiting for a turn is subtracted.

        Raises:
            SmalltalkError: If it ended without a value.
        """
        evaluation_id, on_progress, asker, wait_seconds = caller
        body: dict[str, Any] = request_body(**arguments, evaluation=evaluation_id)
        if wait_seconds is not None:
            body["waitSeconds"] = wait_seconds
        if asker and asker.can_ask:
            body["canAsk"] = list(asker.can_ask)
        longest: float = min(body.get("waitSeconds", WAIT_SECONDS), MAX_WAIT_SECONDS)
        if "waitSeconds" in body:
            body["waitSeconds"] = longest
        wait: float = min(longest, body.get("timeoutSeconds", NO_LIMIT) + GRACE_SECONDS)
        end = monotonic() + longest

        def go(connection: CompanionConnection, last: float) -> Outcome:
            now = monotonic()
            seconds = _most(wait, now, last)
            first = min(seconds, PROGRESS_SECONDS) if on_progress else seconds
            if evaluation_id and asker and asker.continues:
                begun = Running(evaluation_id, elapsed=0)
                outcome = _wait_longer(connection, begun, body, first, pending)
            else:
                asked = {**body, "waitSeconds": first} if first < wait else body
                outcome = _start(connection, endpoint, asked, first, now + seconds, last, pending)
            while on_progress and isinstance(outcome, Running):
                if (rest := now + seconds - monotonic()) <= 0:
                    break
                on_progress(outcome)
                outcome = _wait_longer(connection, outcome, body, min(rest, PROGRESS_SECONDS), pending)
            return outcome

        with self._awaited(evaluation_id, on_progress) as pending:
            try:
                outcome = self._have_asked(self._in_turn(go, LEAST_START_SECONDS), body, end, asker)
            except (SmalltalkError, RequestRefused) as error:
                self._await_events_before(error.failure.event)
                raise
            if isinstance(outcome, Called):
                self._await_events_before(outcome.event)
            return outcome

    def evaluate(
        self,
        expression: str,
        timeout_seconds: float | None = None,
        caller: Caller = NOBODY,
        **arguments: object,
    ) -> Outcome:
        """Evaluate Smalltalk and return the value of the last statement. See `run`."""
        limit = self.limit if timeout_seconds is None else timeout_seconds
        return self.run(EVALUATE, caller, expression=expression, timeout_seconds=limit, **arguments)

    def call_registered(
        self, kind: str, arguments: Mapping[str, object], caller: Caller = NOBODY, **others: object
    ) -> Outcome:
        """Use a `tool` or `prompt` by its `name`, or a `resource` or `resourceTemplate` by its `uri`.

        Raises:
            RequestRefused: If it is not registered any more, or an argument is missing.
            SmalltalkError: If it ended without a result.
        """
        asked = {"timeout_seconds": self.limit, **others}
        return self.run(REGISTERED, caller, kind=kind, arguments=arguments, **asked)

    def read_registered(
        self, kind: str, arguments: Mapping[str, object], caller: Caller, **others: object
    ) -> Called:
        """Return the result of `call_registered`, for a caller that cannot follow an evaluation.

        Raises:
            ImageError: If the result is an error, or there is no result yet.
        """
        outcome = self.call_registered(kind, arguments, caller, **others)
        if not isinstance(outcome, Called):
            raise ImageError(
                usable(
                    f"Still running in the image after {outcome.elapsed or 0:.0f} seconds. get_evaluation "
                    f"with evaluation_id {caller.evaluation_id} waits for it; stop_evaluation ends it."
                ),
                "running",
            )
        if outcome.is_error:
            said = "\n".join(block.text for block in outcome.contents if block.text)
            raise ImageError(said or "It failed without a message.", "registrationFailed")
        return outcome

    def step(
        self,
        evaluation_id: str,
        action: str,
        *,
        wait_seconds: float = WAIT_SECONDS,
        asker: Asker | None = None,
        **arguments: object,
    ) -> Outcome:
        """Move a paused evaluation on, and return where it is then, or how it ended.

        Raises:
            RequestRefused: If it is not paused, or cannot do this.
            SmalltalkError: If it ended without a value, or if an expression that was given has none.
        """
        body = request_body(evaluation=evaluation_id, action=action, **arguments)
        return self._follow(STEP, body, wait_seconds, asker)

    def follow(
        self,
        evaluation_id: str,
        wait_seconds: float | None = None,
        offset: int | None = None,
        max_characters: int | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Return the state of an evaluation, or its outcome as long as the image keeps it.

        Raises:
            RequestRefused: If the image does not have it, or no longer.
            SmalltalkError: If it ended without a value.
        """
        body = request_body(
            evaluation=evaluation_id, wait_seconds=wait_seconds, offset=offset, max_characters=max_characters
        )
        return self._follow(EVALUATION, body, wait_seconds or 0, asker)

    def _follow(
        self, endpoint: Endpoint[Outcome], body: Mapping[str, object], wait: float, asker: Asker | None
    ) -> Outcome:
        wait = min(wait, MAX_WAIT_SECONDS)
        end = monotonic() + wait
        return self._have_asked(self._state(endpoint, body, wait), body, end, asker)

    def _have_asked(
        self, outcome: Outcome, body: Mapping[str, object], end: float, asker: Asker | None
    ) -> Outcome:
        """Have the questions of an evaluation asked, if it asks any and somebody can pass them on."""
        if asker is None or not isinstance(outcome, Asking):
            return outcome
        shown = {key: body[key] for key in ("maxCharacters", "offset") if key in body}

        def follow(evaluation: str, wait: float) -> Outcome:
            return self._state(EVALUATION, {"evaluation": evaluation, **shown}, wait)

        return self.questions.have_answered(outcome, asker, end, follow)

    def _state(self, endpoint: Endpoint[Outcome], body: Mapping[str, object], wait: float) -> Outcome:
        """Return the state of an evaluation as soon as it ends, pauses or asks, or after `wait` seconds."""
        if not wait:
            return self._ask_at_once(endpoint, body)

        def go(connection: CompanionConnection, last: float) -> Outcome:
            now = monotonic()
            seconds = _most(wait, now, last)
            asked = {**body, "waitSeconds": seconds}
            return connection.ask(endpoint, asked, min(last, now + seconds + GRACE_SECONDS))

        return self._in_turn(go, LEAST_START_SECONDS)

    def stop(self, evaluation_id: str | None = None) -> Stopped:
        """End an evaluation, or all of them. Ending one that is over changes nothing."""
        body = {"all": True} if evaluation_id is None else {"evaluation": evaluation_id}
        return self._ask_at_once(STOP, body)

    def interrupt(self) -> Stopped:
        """Suspend the process that keeps evaluations from running, unless it works for one of them."""
        return self._ask_at_once(STOP, {"interrupt": True})

    def cancel(self, evaluation_id: str) -> None:
        """End an evaluation whose caller has gone: before its request is sent, or in the image."""
        with self._lock:
            pending = self._pending.get(evaluation_id)
        if not pending or not pending.cancel():
            return
        end = monotonic() + STOPPING_SECONDS
        # The request may be on its way: then the image does not know the evaluation yet.
        while not any(self.stop(evaluation_id)) and monotonic() < end:
            if pending.done.wait(STOPPING_PAUSE_SECONDS):
                return

    @contextmanager
    def _awaited(
        self, evaluation_id: str | None, on_progress: ProgressListener | None
    ) -> Iterator[PendingRequest]:
        """Know, in a block, that a caller waits for an evaluation, and whom its progress concerns."""
        pending = PendingRequest(on_progress)
        if evaluation_id is not None:
            with self._lock:
                self._pending[evaluation_id] = pending
        try:
            yield pending
        finally:
            pending.done.set()
            if evaluation_id is not None:
                with self._lock:
                    if self._pending.get(evaluation_id) is pending:  # else another call continues it
                        del self._pending[evaluation_id]

    def _report(self, event: ImageEvent) -> None:
        """Pass a progress event to the caller that waits for its evaluation."""
        if event.evaluation is None or event.progress is None:
            return
        with self._lock:
            pending = self._pending.get(event.evaluation)
        if pending and pending.on_progress:
            progress, total, message = event.progress, event.total, event.message
            pending.on_progress(
                Running(event.evaluation, elapsed=0, progress=progress, total=total, message=message)
            )

    def _await_events_before(self, event: int | None) -> None:
        """Wait until the progress before a result has arrived: it comes over another connection."""
        if self._watch and event is not None:
            self._watch.catch_up(event)

    def live_images(self) -> tuple[LiveImage, ...]:
        """Return all live images."""
        return self._images.live(until(REQUEST_SECONDS))

    def choose(self, wanted: str) -> LiveImage:
        """Use the live image of that name, URL or image file from now on."""
        chosen = self._images.choose(wanted, until(REQUEST_SECONDS))
        self._current_connection.leave()
        self._last_change.forget()
        if self._watch:
            self._watch.look_again()
        return chosen

    def has_alternatives(self) -> bool:
        """Return whether there were several images to choose from when they were last looked for."""
        return self._images.has_alternatives()

    def are_several(self) -> bool:
        """Return whether several images are live, so that answers should name the image."""
        return self._images.are_several(until(GRACE_SECONDS))

    @property
    def current_image(self) -> str | None:
        """The name, URL and file of the image in use, or None before the first connection."""
        return self._current_connection.current_image

    def take_notice(self) -> str | None:
        """Return a notice that the image has changed or was restarted; returned once."""
        return self._current_connection.take_notice()

    def watch(self, listener: Listener) -> None:
        """Pass updates of the image in use to a listener from now on: registrations and events.

        The progress that evaluations report is then passed on at once. Called once.
        """
        self.prepare_to_watch(listener)
        self.start_to_watch()

    def prepare_to_watch(self, listener: Listener) -> None:
        """Let an image keep its events from the first request on, until `start_to_watch`."""

        def deliver(update: ImageUpdate) -> None:
            if isinstance(update, Events):
                for event in update.events:
                    self._report(event)
                    if event.kind == "class" and event.class_name:
                        self._last_change.note(event.class_name)
            listener(update)

        self._watch = Watch(self._images, deliver)

    def start_to_watch(self) -> None:
        """Start to watch the image, if `prepare_to_watch` was called. Called once."""
        if self._watch:
            self._watch.start()

    def close(self) -> None:
        """Stop evaluations that ask nobody, and close the connections; those in use, after their answers."""
        self.questions.stop_unanswered(self.stop)
        if self._watch:
            self._watch.stop()
        self._current_connection.leave()

    def _ask_at_once(self, endpoint: Endpoint[Reply], body: Mapping[str, object]) -> Reply:
        """Send a request that the image answers at once, without waiting for a turn."""
        last = until(QUICK_REQUEST_SECONDS)
        return self._attempt(self._reserved, last, lambda connection: connection.ask(endpoint, body, last))

    def _in_turn(self, go: Callable[[CompanionConnection, float], Result], wait: float) -> Result:
        """Call `go` with a connection and its deadline, `wait` seconds of which are for the image.

        The time spent waiting for a turn and connecting is not subtracted from these, or from the first
        REQUEST_SECONDS if they are more: an image may be starting, and seldom needs all of them.
        """
        last = until(IMAGE_REQUESTS_SECONDS)
        ready_by = last - min(wait, REQUEST_SECONDS) - 1
        return self._attempt(self._turns, ready_by, lambda connection: go(connection, last))

    def _attempt(
        self, turns: BoundedSemaphore, ready_by: float, go: Callable[[CompanionConnection], Result]
    ) -> Result:
        if not turns.acquire(timeout=max(0.0, ready_by - monotonic())):
            raise ImageBusy(f"The image is busy: {AT_ONCE} requests are running in it")
        try:
            return repeat_unsent(lambda: self._current_connection.use(ready_by, go), ready_by)
        except (AnswerLost, CompanionFault, ImageSilent, StrangerOnPort) as error:
            self._last_change.explain(error)
            raise
        finally:
            turns.release()

    def _begin_to_watch(self, connection: CompanionConnection) -> None:
        if self._watch:
            self._watch.begin(connection)


def _start(
    connection: CompanionConnection,
    endpoint: Endpoint[Outcome],
    body: Mapping[str, object],
    wait: float,
    end: float,
    last: float,
    pending: PendingRequest,
) -> Outcome:
    """Start an evaluation. A busy image is asked again while there is time to wait."""
    while True:
        now = monotonic()
        try:
            return connection.ask(endpoint, body, min(last, now + wait + GRACE_SECONDS), pending)
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
        return connection.ask(EVALUATION, asked, monotonic() + seconds + GRACE_SECONDS, pending)
    except ImageBusy:
        return running
    except ImageSaving as error:
        raise AnswerLost(connection.address.url, "the image is being saved") from error
    except NothingRan as error:  # true of this request, but the evaluation may have run
        raise AnswerLost(connection.address.url, error.message.partition("\n")[0]) from error


def _most(wait: float, now: float, last: float) -> float:
    """Return how much of `wait` is left when everything must be over at `last`."""
    return max(0.0, min(wait, last - GRACE_SECONDS - now))
