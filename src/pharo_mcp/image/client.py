"""An image, as one method per endpoint of its companion."""

import os
from collections.abc import Callable, Sequence
from functools import partial

from .changes import Changes
from .code import Code
from .contact import Contact
from .contacts import Contacts
from .evaluating import Evaluating, Outcome, Tell
from .images import Images, LiveImage
from .offer_replies import Events
from .offering import Offering
from .projects import Projects
from .replies import Inspection, Status, Stopped, Version, Workspace
from .requests import GRACE, LIMIT, Requests, until
from .shapes import given, read
from .watch import Hear, Heard, Watch

LONGEST_LIMIT = 3600
LONGEST_WAIT = 45


class ImageClient:
    """Asks one image at a time, from any thread: it itself, its `code`, `changes`, `projects` and `offering`.

    Every method raises ImageError. What may have run is never sent twice. Arguments that are None are
    left to the image. `limit` is how many seconds an evaluation may take unless its caller says so.
    """

    def __init__(self, images: Images, limit: float = LIMIT) -> None:
        self.limit = limit
        self._images = images
        self._contacts = Contacts(images, self._begin_to_watch)
        self._watch: Watch | None = None
        self._requests = Requests(self._contacts)
        self._evaluating = Evaluating(self._requests, self._catch_up)
        self.code = Code(self._requests)
        self.changes = Changes(self._requests)
        self.projects = Projects(self._requests, self._evaluating)
        self.offering = Offering(self._requests, self._evaluating, limit)

    def status(self) -> Status:
        """Who is there, and how it is. Answers while the image works as much as it can."""
        return self._requests.status()

    def version(self) -> Version:
        """What runs there."""
        return self._requests.ask("/version", {}, partial(read, Version))

    def inspect(
        self,
        object_id: str,
        path: Sequence[str | int] | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> Inspection:
        """A page of the parts of an object that an evaluation answered, or of one that it leads to."""
        body = given(object_id=object_id, path=path, offset=offset, limit=limit)
        return self._requests.ask("/inspect", body, partial(read, Inspection))

    def reset_workspace(self, workspace: str | None = None) -> Workspace:
        """Forget the variables of a workspace."""
        body = given(workspace=workspace, reset=True)
        return self._requests.ask("/workspace", body, partial(read, Workspace))

    def evaluate(
        self,
        expression: str,
        timeout_seconds: float | None = None,
        *,
        evaluation: str | None = None,
        wait_seconds: float | None = None,
        max_characters: int | None = None,
        workspace: str | None = None,
        receiver: str | None = None,
        process: str | None = None,
        on_error: str | None = None,
        tell: Tell | None = None,
    ) -> Outcome:
        """Evaluate Smalltalk; the value of the last statement counts.

        Whoever gives an id (`evaluation`) may `cancel` by it; `tell` is told every second how far it is.

        Raises:
            SmalltalkError: If it ended otherwise than with a value.
        """
        body = given(
            expression=expression,
            evaluation=evaluation,
            timeout_seconds=self.limit if timeout_seconds is None else timeout_seconds,
            wait_seconds=wait_seconds,
            max_characters=max_characters,
            workspace=workspace,
            receiver=receiver,
            process=process,
            on_error=on_error,
        )
        return self._evaluating.run("/evaluate", body, tell)

    def follow(
        self,
        evaluation: str,
        wait_seconds: float | None = None,
        offset: int | None = None,
        max_characters: int | None = None,
    ) -> Outcome:
        """See how far an evaluation is, or what came of it while the image keeps that.

        Raises:
            UnknownEvaluation: If it is not there, or not any more.
            SmalltalkError: If it ended otherwise than with a value.
        """
        body = given(
            evaluation=evaluation, wait_seconds=wait_seconds, offset=offset, max_characters=max_characters
        )
        return self._evaluating.follow(body, wait_seconds or 0)

    def stop(self, evaluation: str | None = None) -> Stopped:
        """End an evaluation, or all of them. Stopping what is over changes nothing."""
        body = {"all": True} if evaluation is None else {"evaluation": evaluation}
        return self._requests.ask_at_once("/stop", body, partial(read, Stopped))

    def new_evaluation(self, on_cancel: Callable[[Callable[[], None]], None]) -> str:
        """The id of an evaluation to be, which ends when what `on_cancel` gets is run.

        We choose it, so that it can be ended before the image has answered.
        """
        evaluation = f"e-{os.urandom(6).hex()}"
        on_cancel(lambda: self.cancel(evaluation))
        return evaluation

    def cancel(self, evaluation: str) -> None:
        """End an evaluation that nobody waits for any more, be it still here, on its way, or running."""
        self._evaluating.call_back(evaluation, lambda: self.stop(evaluation))

    def live_images(self) -> tuple[LiveImage, ...]:
        """All images that can be chosen."""
        return self._images.live(until(LIMIT))

    def choose(self, wanted: str) -> LiveImage:
        """Work from now on in the live image of that name, URL or image file."""
        chosen = self._images.choose(wanted, until(LIMIT))
        self._contacts.leave()
        if self._watch:
            self._watch.look_again()
        return chosen

    def are_several(self) -> bool:
        """Whether an answer should tell which image gave it."""
        return self._images.are_several(until(GRACE))

    @property
    def place(self) -> str | None:
        """The image in use, in words; None before it is met."""
        return self._contacts.place

    def take_notice(self) -> str | None:
        """What whoever works with the image must be told, once: that it was restarted, or is another."""
        return self._contacts.take_notice()

    def watch(self, hear: Hear) -> None:
        """Let somebody hear from now on what happens in the image in use, and what it offers by itself.

        An evaluation that somebody is told about tells how far it is at once then. Called once.
        """
        self.prepare_to_watch(hear)
        self.start_to_watch()

    def prepare_to_watch(self, hear: Hear) -> None:
        """Let an image keep, from the first request to it on, what somebody will hear (`start_to_watch`)."""

        def hear_all(heard: Heard) -> None:
            if isinstance(heard, Events):
                for event in heard.events:
                    self._evaluating.report(event)
            hear(heard)

        self._watch = Watch(self._images, hear_all)

    def start_to_watch(self) -> None:
        """Let whoever is prepared for it hear. Called once."""
        if self._watch:
            self._watch.start()

    def close(self) -> None:
        """Close the connections that nobody uses; those in use close after their answers."""
        if self._watch:
            self._watch.stop()
        self._contacts.leave()

    def _catch_up(self, event: int) -> None:
        if self._watch:
            self._watch.catch_up(event)

    def _begin_to_watch(self, contact: Contact) -> None:
        if self._watch:
            self._watch.begin(contact)
