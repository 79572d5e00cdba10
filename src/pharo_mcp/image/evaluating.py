"""An evaluation from its first request to its end: waited for, reported on, called back."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any

from .contact import Contact
from .errands import Errand
from .errors import AnswerLost, ImageBusy, NothingRan
from .offer_replies import Called, Event
from .project_replies import Loaded, RanTests
from .refusals import RequestRefused
from .replies import Evaluation, Running
from .requests import GRACE, Requests, answer
from .shapes import read
from .smalltalk_error import SmalltalkError

WAIT = 40
"""Seconds after which an evaluation goes on without its caller, unless told otherwise."""
NO_LIMIT = float("inf")
SLICE = 1.0
"""Seconds between two reports on an evaluation."""
LEAST = 1.0
"""Seconds that an image gets at least to begin an evaluation and say so."""

Outcome = Evaluation | RanTests | Loaded | Called | Running
"""What comes of code, of tests, of a load, of what an image offers by itself; or that it is not over."""
Tell = Callable[[Running], None]
"""Takes how far an evaluation is."""


class Evaluating:
    """The evaluations that callers here wait for, by the ids that they gave them.

    What an image tells on the way comes by another way than the end: `catch_up` waits for it, by its event.
    """

    def __init__(self, requests: Requests, catch_up: Callable[[int], None]) -> None:
        self._requests = requests
        self._catch_up = catch_up
        self._lock = Lock()
        self._errands: dict[str, Errand] = {}
        self._tells: dict[str, Tell] = {}

    def run(self, path: str, body: Mapping[str, Any], tell: Tell | None) -> Outcome:
        """Ask for an evaluation by a request to `path`, and wait for its end as long as the body says.

        It is over soon after its limit: longer than that only a frozen image would be awaited. The later its
        turn comes, the less is waited. With `tell` it is asked for every second how far it is, and that is
        told.
        """
        wait: float = min(body.get("waitSeconds", WAIT), body.get("timeoutSeconds", NO_LIMIT) + GRACE)
        with self._errand(body.get("evaluation"), tell) as errand:

            def go(contact: Contact, last: float) -> Outcome:
                now = monotonic()
                seconds = _most(wait, now, last)
                first = _slice(seconds) if tell else seconds
                asked = {**body, "waitSeconds": first} if first < wait else body
                deadline = min(last, now + first + GRACE)
                outcome = answer(contact, path, asked, outcome_in, deadline, errand)
                while tell and isinstance(outcome, Running) and (rest := now + seconds - monotonic()) > 0:
                    tell(outcome)
                    outcome = _look(contact, outcome, body, _slice(rest), errand)
                return outcome

            try:
                outcome = self._requests.in_turn(go, LEAST)
            except (SmalltalkError, RequestRefused) as error:
                self._hear_all_before(error.failure.event)
                raise
            if isinstance(outcome, Called):
                self._hear_all_before(outcome.event)
            return outcome

    def follow(self, body: Mapping[str, object], wait: float) -> Outcome:
        """Look at an evaluation by its id in the body, and wait at most so many seconds for its end."""

        def go(contact: Contact, last: float) -> Outcome:
            now = monotonic()
            seconds = _most(wait, now, last)
            asked = {**body, "waitSeconds": seconds}
            return answer(contact, "/evaluation", asked, outcome_in, min(last, now + seconds + GRACE))

        if wait:
            return self._requests.in_turn(go, LEAST)
        return self._requests.ask_at_once("/evaluation", body, outcome_in)

    def call_back(self, evaluation: str, stop: Callable[[], object]) -> None:
        """Let nobody wait for an evaluation any more; `stop` ends it in the image, should it be there."""
        with self._lock:
            errand = self._errands.get(evaluation)
        if errand and errand.call_back():
            try:
                stop()
            finally:
                errand.cut()  # the image ends what nobody waits for, had it not heard of it when told to stop

    def report(self, event: Event) -> None:
        """Tell whoever waits for an evaluation how far it says that it is."""
        if event.evaluation is None or event.progress is None:
            return
        with self._lock:
            tell = self._tells.get(event.evaluation)
        if tell:
            progress, total, message = event.progress, event.total, event.message
            tell(Running(event.evaluation, elapsed=0, progress=progress, total=total, message=message))

    def _hear_all_before(self, event: int | None) -> None:
        if event is not None:
            self._catch_up(event)

    @contextmanager
    def _errand(self, evaluation: object, tell: Tell | None) -> Iterator[Errand]:
        errand = Errand()
        if not isinstance(evaluation, str):
            yield errand
            return
        with self._lock:
            self._errands[evaluation] = errand
            if tell:
                self._tells[evaluation] = tell
        try:
            yield errand
        finally:
            with self._lock:
                del self._errands[evaluation]
                self._tells.pop(evaluation, None)


def outcome_in(value: object) -> Outcome:
    """What the value of a reply says of an evaluation."""
    match value:
        case {"running": True}:
            return read(Running, value)
        case {"contents": list()} | {"messages": list()}:
            return read(Called, value)
        case {"tests": list()}:
            return read(RanTests, value)
        case {"loaded": list()}:
            return read(Loaded, value)
        case _:
            return read(Evaluation, value)


def _look(
    contact: Contact, running: Running, body: Mapping[str, object], seconds: float, errand: Errand
) -> Outcome:
    """Wait a little longer for what runs."""
    asked = {"evaluation": running.evaluation, "waitSeconds": seconds}
    asked |= {key: body[key] for key in ("maxCharacters",) if key in body}
    try:
        return answer(contact, "/evaluation", asked, outcome_in, monotonic() + seconds + GRACE, errand)
    except ImageBusy:
        return running
    except NothingRan as error:  # true of this look, but not of what we look at
        raise AnswerLost(contact.address, error.message.partition("\n")[0]) from error


def _most(wait: float, now: float, last: float) -> float:
    """How long of `wait` to wait, when all must be over at `last`."""
    return max(0.0, min(wait, last - GRACE - now))


def _slice(seconds: float) -> float:
    return min(seconds, SLICE)
