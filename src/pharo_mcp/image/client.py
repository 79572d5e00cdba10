"""The client of an image: one method per endpoint of its companion."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from time import monotonic, sleep

from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.evaluations import Asker, Evaluations, ProgressListener, Questions
from pharo_mcp.image.gate import CurrentConnection, RequestGate, until
from pharo_mcp.image.images import Images, LiveImage
from pharo_mcp.image.outcomes import Outcome
from pharo_mcp.image.replies.evaluations import Inspection, Stopped, Workspace
from pharo_mcp.image.replies.system import Activity, Events, FoundObjects, LastSave, Status, Version
from pharo_mcp.image.shapes import read, request_body
from pharo_mcp.times import (
    EVALUATION_SECONDS,
    GRACE_SECONDS,
    LONG_REQUEST_SECONDS,
    QUICK_REQUEST_SECONDS,
    REQUEST_SECONDS,
    SAVED_SECONDS,
    SAVING_PAUSE_SECONDS,
)

from .changes import Changes
from .code import Code
from .debugging import Debugging
from .profiling import Profiling
from .projects import Projects
from .registrations import Registrations
from .watch import ImageUpdate, Listener, Watch


class ImageClient:
    """Sends requests to one image at a time, from any thread.

    Further requests are grouped as `code`, `changes`, `debugging`, `profiling`, `projects` and
    `registrations`. Every
    method raises ImageError. A request that may have run is never repeated. Arguments that are None are
    omitted, so that the image's defaults apply. `limit` is the default time limit of evaluations in seconds.
    """

    def __init__(self, images: Images, limit: float = EVALUATION_SECONDS) -> None:
        self.limit = limit
        self._images = images
        self._current_connection = CurrentConnection(images, self._begin_to_watch)
        self._watch: Watch | None = None
        self._gate = RequestGate(self._current_connection)
        self._evaluations = Evaluations(self._gate, self._catch_up)
        self.code = Code(self._gate)
        self.changes = Changes(self._gate, self._evaluations)
        self.debugging = Debugging(self._gate, self._evaluations)
        self.profiling = Profiling(self._evaluations)
        self.projects = Projects(self._gate, self._evaluations)
        self.registrations = Registrations(self._gate, self._evaluations, limit)

    def status(self) -> Status:
        """The image's identity and state, also while it handles as many requests as it can."""
        return self._gate.status()

    def result_of_save(self, number: int) -> LastSave | None:
        """Wait for the result of a save, while the companion is closed, too; None if it takes too long."""
        end = monotonic() + SAVED_SECONDS
        while monotonic() < end:
            with suppress(ImageError):
                last = self.status().last_save
                if last and last.number is not None and last.number >= number:
                    return last
            sleep(SAVING_PAUSE_SECONDS)
        return None

    def version(self) -> Version:
        """The versions of the image and its companion."""
        return self._gate.ask("/version", {}, partial(read, Version))

    def activity(self, since: int | None = None, evaluations: Sequence[str] = ()) -> Activity:
        """The calls after the number `since`, what is running, and which of these evaluations have ended."""
        body = request_body(since=since, evaluations=evaluations)
        return self._gate.ask("/activity", body, partial(read, Activity), QUICK_REQUEST_SECONDS)

    def inspect(
        self,
        object_id: str | None = None,
        path: Sequence[str | int] | None = None,
        offset: int | None = None,
        limit: int | None = None,
        *,
        error_id: str | None = None,
        frame: int | None = None,
    ) -> Inspection:
        """A page of the parts of an object: a result of an evaluation, or an object reachable from it.

        With an `error_id` and without an `object_id` the object is a frame of that error's stack.
        """
        body = request_body(
            object_id=object_id, error_id=error_id, frame=frame, path=path, offset=offset, limit=limit
        )
        return self._gate.ask("/inspect", body, partial(read, Inspection))

    def find_objects(
        self,
        relation: str,
        class_name: str | None = None,
        object_id: str | None = None,
        *,
        mark: str | None = None,
        limit: int | None = None,
    ) -> FoundObjects:
        """Find objects in the whole image: instances, holders, the path to one from a root, or what grew.

        `compare` compares with the `mark` of that name, and sets it if there is none.
        """
        body = request_body(
            relation=relation, class_name=class_name, object_id=object_id, mark=mark, limit=limit
        )
        return self._gate.ask("/objects", body, partial(read, FoundObjects), LONG_REQUEST_SECONDS)

    def reset_workspace(self, workspace: str | None = None) -> Workspace:
        """Remove the variables of a workspace."""
        body = request_body(workspace=workspace, reset=True)
        return self._gate.ask("/workspace", body, partial(read, Workspace))

    def evaluate(
        self,
        expression: str,
        timeout_seconds: float | None = None,
        *,
        evaluation_id: str | None = None,
        wait_seconds: float | None = None,
        max_characters: int | None = None,
        workspace: str | None = None,
        receiver: str | None = None,
        error_id: str | None = None,
        frame: int | None = None,
        process: str | None = None,
        on_error: str | None = None,
        picture: bool | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Evaluate Smalltalk; the result is the value of the last statement.

        With an `error_id` it is evaluated in a frame of that error's stack, or of that paused evaluation's.
        With `picture` the value is drawn.
        A caller that chooses the `evaluation_id` can `cancel` it; `on_progress` is called about every second.
        An `asker` passes on what the code asks the user.

        Raises:
            SmalltalkError: If it ended without a value.
        """
        body = request_body(
            expression=expression,
            evaluation=evaluation_id,
            timeout_seconds=self.limit if timeout_seconds is None else timeout_seconds,
            wait_seconds=wait_seconds,
            max_characters=max_characters,
            workspace=workspace,
            receiver=receiver,
            error_id=error_id,
            frame=frame,
            process=process,
            on_error=on_error,
            picture=picture,
        )
        return self._evaluations.run("/evaluate", body, on_progress, asker)

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
            UnknownEvaluation: If the image does not have it, or no longer.
            SmalltalkError: If it ended without a value.
        """
        body = request_body(
            evaluation=evaluation_id, wait_seconds=wait_seconds, offset=offset, max_characters=max_characters
        )
        return self._evaluations.follow(body, wait_seconds or 0, asker=asker)

    def stop(self, evaluation_id: str | None = None) -> Stopped:
        """End an evaluation, or all of them. Ending one that is over changes nothing."""
        return self._evaluations.stop(evaluation_id)

    def interrupt(self) -> Stopped:
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
            if isinstance(update, Events):
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

    def _catch_up(self, event: int) -> None:
        if self._watch:
            self._watch.catch_up(event)

    def _begin_to_watch(self, connection: CompanionConnection) -> None:
        if self._watch:
            self._watch.begin(connection)
