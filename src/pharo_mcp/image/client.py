"""The client of an image: what tools, resources and prompts ask it."""

from collections.abc import Mapping
from contextlib import suppress
from time import monotonic, sleep

from pharo_mcp.image import replies
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.endpoints import EVALUATE, REGISTERED, Endpoint, Reply
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.evaluations import Asker, Evaluations, ProgressListener, Questions
from pharo_mcp.image.gate import CurrentConnection, RequestGate, until
from pharo_mcp.image.images import Images, LiveImage
from pharo_mcp.image.replies import Outcome
from pharo_mcp.image.shapes import request_body
from pharo_mcp.times import (
    EVALUATION_SECONDS,
    GRACE_SECONDS,
    REQUEST_SECONDS,
    SAVED_SECONDS,
    SAVING_PAUSE_SECONDS,
    WAIT_SECONDS,
)

from .watch import ImageUpdate, Listener, Watch


class ImageClient:
    """Sends requests to one image at a time, from any thread.

    `ask` and `run` send one to any endpoint; the other methods are those that need more than a request. All
    raise ImageError. A request that may have run is never repeated. `limit` is the default time limit of
    evaluations in seconds.
    """

    def __init__(self, images: Images, limit: float = EVALUATION_SECONDS) -> None:
        self.limit = limit
        self._images = images
        self._current_connection = CurrentConnection(images, self._begin_to_watch)
        self._watch: Watch | None = None
        self._gate = RequestGate(self._current_connection)
        self._evaluations = Evaluations(self._gate, self._catch_up)

    def status(self) -> replies.Status:
        """The image's identity and state, also while it handles as many requests as it can."""
        return self._gate.status()

    def result_of_save(self, number: int) -> replies.LastSave | None:
        """Wait for the result of a save, while the companion is closed, too; None if it takes too long."""
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
        reply = self._gate.ask(endpoint.path, body, endpoint.read, endpoint.seconds)
        self._note_change(reply, arguments)
        return reply

    def run(
        self,
        endpoint: Endpoint[Outcome],
        *,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
        **arguments: object,
    ) -> Outcome:
        """Start an evaluation by a request to an endpoint, and wait as long as the arguments say.

        A caller that chooses the `evaluation_id` can `cancel` it; `on_progress` is called about every second.
        An `asker` passes on what the code asks the user.

        Raises:
            SmalltalkError: If it ended without a value.
        """
        body = request_body(**arguments, evaluation=evaluation_id)
        return self._evaluations.run(endpoint.path, body, on_progress, asker)

    def evaluate(
        self,
        expression: str,
        timeout_seconds: float | None = None,
        *,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
        **arguments: object,
    ) -> Outcome:
        """Evaluate Smalltalk; the result is the value of the last statement. See `run`."""
        return self.run(
            EVALUATE,
            expression=expression,
            timeout_seconds=self.limit if timeout_seconds is None else timeout_seconds,
            evaluation_id=evaluation_id,
            on_progress=on_progress,
            asker=asker,
            **arguments,
        )

    def call_registered(
        self,
        kind: str,
        arguments: Mapping[str, object],
        *,
        timeout_seconds: float | None = None,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
        **others: object,
    ) -> Outcome:
        """Use a `tool` or `prompt` by its `name`, or a `resource` or `resourceTemplate` by its `uri`.

        Raises:
            RequestRefused: If it is not registered any more, or an argument is missing.
            SmalltalkError: If it ended without a result.
        """
        return self.run(
            REGISTERED,
            kind=kind,
            arguments=arguments,
            timeout_seconds=self.limit if timeout_seconds is None else timeout_seconds,
            evaluation_id=evaluation_id,
            on_progress=on_progress,
            asker=asker,
            **others,
        )

    def read_registered(
        self,
        kind: str,
        arguments: Mapping[str, object],
        *,
        name: str | None = None,
        uri: str | None = None,
        uri_template: str | None = None,
        evaluation_id: str,
        asker: Asker | None = None,
    ) -> replies.Called:
        """Return the result of `call_registered`, for a caller that cannot follow an evaluation.

        Raises:
            ImageError: If the result is an error, or there is no result yet.
        """
        outcome = self.call_registered(
            kind,
            arguments,
            name=name,
            uri=uri,
            uri_template=uri_template,
            evaluation_id=evaluation_id,
            asker=asker,
        )
        if isinstance(outcome, replies.Called):
            if outcome.is_error:
                said = "\n".join(block.text for block in outcome.contents if block.text)
                raise ImageError(said or "It failed without a message.", "registrationFailed")
            return outcome
        raise ImageError(
            f"Still running in the image after {outcome.elapsed or 0:.0f} seconds. get_evaluation with "
            f"evaluation_id {evaluation_id} waits for it, stop_evaluation ends it.",
            "running",
        )

    def step(
        self,
        evaluation_id: str,
        action: str,
        *,
        wait_seconds: float = WAIT_SECONDS,
        asker: Asker | None = None,
        **arguments: object,
    ) -> Outcome:
        """Move a paused evaluation on; the outcome is where it is then, or how it ended.

        Raises:
            RequestRefused: If it is not paused, or cannot do this.
            SmalltalkError: If it ended without a value, or if an expression that was given has none.
        """
        body = request_body(evaluation=evaluation_id, action=action, **arguments)
        return self._evaluations.follow(body, wait_seconds, "/debug/step", asker)

    def follow(
        self,
        evaluation_id: str,
        wait_seconds: float | None = None,
        offset: int | None = None,
        max_characters: int | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """The state of an evaluation, or its outcome as long as the image keeps it.

        Raises:
            RequestRefused: If the image does not have it, or no longer.
            SmalltalkError: If it ended without a value.
        """
        body = request_body(
            evaluation=evaluation_id, wait_seconds=wait_seconds, offset=offset, max_characters=max_characters
        )
        return self._evaluations.follow(body, wait_seconds or 0, asker=asker)

    def stop(self, evaluation_id: str | None = None) -> replies.Stopped:
        """End an evaluation, or all of them. Ending one that is over changes nothing."""
        return self._evaluations.stop(evaluation_id)

    def interrupt(self) -> replies.Stopped:
        """Suspend the process that keeps evaluations from running, unless it works for one of them."""
        return self._evaluations.interrupt()

    def cancel(self, evaluation_id: str) -> None:
        """End an evaluation whose caller has gone, whether its request was sent or not."""
        self._evaluations.cancel(evaluation_id)

    @property
    def questions(self) -> Questions:
        """Answers the questions of evaluations."""
        return self._evaluations.questions

    def is_pending(self, evaluation_id: str) -> bool:
        """Whether a caller waits for an evaluation with that id, even if its request is not sent yet."""
        return self._evaluations.is_pending(evaluation_id)

    def live_images(self) -> tuple[LiveImage, ...]:
        """All live images."""
        return self._images.live(until(REQUEST_SECONDS))

    def choose(self, wanted: str) -> LiveImage:
        """Use the live image of that name, URL or image file from now on."""
        chosen = self._images.choose(wanted, until(REQUEST_SECONDS))
        self._current_connection.leave()
        self._gate.last_change.forget()
        if self._watch:
            self._watch.look_again()
        return chosen

    def has_alternatives(self) -> bool:
        """Whether there were several images to choose from when they were last looked for."""
        return self._images.has_alternatives()

    def are_several(self) -> bool:
        """Whether several images are live, so that answers should name the image."""
        return self._images.are_several(until(GRACE_SECONDS))

    @property
    def place(self) -> str | None:
        """The name, URL and image file of the image in use; None before the first connection."""
        return self._current_connection.place

    def take_notice(self) -> str | None:
        """A notice that the image has changed or was restarted; returned once."""
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
            if isinstance(update, replies.Events):
                for event in update.events:
                    self._evaluations.report(event)
                    if event.kind == "class" and event.class_name:
                        self._gate.last_change.note(event.class_name)
            listener(update)

        self._watch = Watch(self._images, deliver)

    def start_to_watch(self) -> None:
        """Start to watch the image, if `prepare_to_watch` was called. Called once."""
        if self._watch:
            self._watch.start()

    def close(self) -> None:
        """Stop evaluations that ask nobody, and close the connections; those in use, after their answers."""
        self._evaluations.questions.stop_left(self.stop)
        if self._watch:
            self._watch.stop()
        self._current_connection.leave()

    def _note_change(self, reply: object, arguments: Mapping[str, object]) -> None:
        """Remember what a reply says was changed: it may be why the image stops answering."""
        match reply:
            case replies.EditedCode(changes=(_, *_)) if parts := (*reply.methods, *reply.classes):
                side = " class" if parts[0].side == "class" else ""
                self._gate.last_change.note(f"{parts[0].class_name}{side}", parts[0].selector)
            case replies.Refactoring(changes=(_, *_)):
                selector = arguments.get("selector")
                class_name = str(arguments["class_name"])
                self._gate.last_change.note(class_name, None if selector is None else str(selector))

    def _catch_up(self, event: int) -> None:
        if self._watch:
            self._watch.catch_up(event)

    def _begin_to_watch(self, connection: CompanionConnection) -> None:
        if self._watch:
            self._watch.begin(connection)
