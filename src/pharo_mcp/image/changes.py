"""Requests that change the code of an image, and undo changes."""

from collections.abc import Sequence
from functools import partial

from pharo_mcp.image.evaluations import Asker, Evaluations, ProgressListener
from pharo_mcp.image.gate import RequestGate
from pharo_mcp.image.outcomes import Outcome
from pharo_mcp.image.replies.code import ChangeLog, EditedCode, Refactoring, Saving
from pharo_mcp.image.shapes import read, request_body
from pharo_mcp.times import LONG_REQUEST_SECONDS


class Changes:
    """Makes changes, lists and undoes them.

    Every method raises ImageError. Arguments that are None are omitted; the image has the defaults.
    Refactorings report the impact of the change and do not make it, unless `preview` is False. Code that the
    image depends on is changed only with `confirm`.
    """

    def __init__(self, gate: RequestGate, evaluations: Evaluations) -> None:
        self._gate = gate
        self._evaluations = evaluations
        self._reported: set[str] = set()

    def edit(
        self,
        text: str = "",
        *,
        remove: Sequence[str] = (),
        keep_going: bool | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> EditedCode:
        """Define the classes and compile the methods of a text, and remove others, as one change.

        Raises:
            SmalltalkError, RequestRefused: If anything is wrong, unless `keep_going`; then nothing changed,
                and `failure.failures` lists all that is wrong.
        """
        body = request_body(
            text=text, remove=list(remove), keep_going=keep_going, preview=preview, confirm=confirm
        )
        edited = self._gate.ask("/code/edit", body, partial(read, EditedCode), LONG_REQUEST_SECONDS)
        parts = (*edited.methods, *edited.classes)
        if edited.changes and parts:
            side = " class" if parts[0].side == "class" else ""
            self._gate.last_change.note(f"{parts[0].class_name}{side}", parts[0].selector)
        return edited

    def rename_class(
        self, class_name: str, new_name: str, *, preview: bool | None = None, confirm: bool | None = None
    ) -> Refactoring:
        """Give a class or a trait another name, where it is used, too."""
        return self._refactor(
            "/class/rename", class_name=class_name, new_name=new_name, preview=preview, confirm=confirm
        )

    def rename_method(
        self,
        class_name: str,
        selector: str,
        new_selector: str,
        *,
        side: str | None = None,
        only: Sequence[str] | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> Refactoring:
        """Give a method another selector, with the implementors and senders among `only`."""
        return self._refactor(
            "/method/rename",
            class_name=class_name,
            side=side,
            selector=selector,
            new_selector=new_selector,
            only=only,
            preview=preview,
            confirm=confirm,
        )

    def move_method(
        self,
        class_name: str,
        selector: str,
        to_class: str,
        *,
        side: str | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> Refactoring:
        """Move a method to another class."""
        return self._refactor(
            "/method/move",
            class_name=class_name,
            side=side,
            selector=selector,
            to_class=to_class,
            preview=preview,
            confirm=confirm,
        )

    def log(
        self, offset: int | None = None, limit: int | None = None, details: bool | None = None
    ) -> ChangeLog:
        """A page of what was changed, newest first."""
        body = request_body(offset=offset, limit=limit, details=details)
        return self._gate.ask("/changes", body, partial(read, ChangeLog))

    def undo(
        self,
        change: int | None = None,
        to: int | None = None,
        confirm: bool | None = None,
        *,
        wait_seconds: float | None = None,
        evaluation_id: str | None = None,
        on_progress: ProgressListener | None = None,
        asker: Asker | None = None,
    ) -> Outcome:
        """Undo one change, or all after the one with the number `to`: an evaluation with an id.

        Raises:
            Conflict: If what is there is not what the changes made; then nothing changed.
        """
        body = request_body(
            change=change, to=to, confirm=confirm, wait_seconds=wait_seconds, evaluation=evaluation_id
        )
        return self._evaluations.run("/undo", body, on_progress, asker)

    def save(self, confirm: bool | None = None) -> Saving:
        """Save the image, after this is answered; all connections close then."""
        return self._gate.ask("/save", request_body(confirm=confirm), partial(read, Saving))

    def _refactor(self, path: str, **members: object) -> Refactoring:
        refactoring = self._gate.ask(
            path, request_body(**members), partial(read, Refactoring), LONG_REQUEST_SECONDS
        )
        if refactoring.changes:
            name, selector = members["class_name"], members.get("selector")
            self._gate.last_change.note(str(name), None if selector is None else str(selector))
        return refactoring
