"""Requests that change the code of an image, and undo changes."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from pharo_mcp.times import LONG_REQUEST_SECONDS

from .connection import RequestGate
from .evaluations import Evaluations, Outcome, ProgressListener
from .questions import Asker
from .replies import (
    ChangeLog,
    CompiledMethod,
    CompiledMethods,
    DefinedClass,
    Refactoring,
    Saving,
    read,
    request_body,
)


class Changes:
    """Makes changes, lists and undoes them.

    Every method raises ImageError. Arguments that are None are omitted; the image has the defaults.
    Methods with `preview` report the impact of the change and do not make it, unless that is False;
    `define_class` does so only if it is True. Code that the image depends on is changed only with `confirm`.
    """

    def __init__(self, gate: RequestGate, evaluations: Evaluations) -> None:
        self._gate = gate
        self._evaluations = evaluations
        self._reported: set[str] = set()

    def report_once(self, unavailable: str | None) -> Iterator[str]:
        """Yield why a component of the image is unavailable, unless that has been reported before."""
        if unavailable and unavailable not in self._reported:
            self._reported.add(unavailable)
            yield unavailable

    def define_class(
        self,
        definition: str | None = None,
        *,
        class_name: str | None = None,
        superclass: str | None = None,
        kind: str | None = None,
        slots: Sequence[str] | None = None,
        class_variables: Sequence[str] | None = None,
        class_slots: Sequence[str] | None = None,
        traits: Sequence[str] | None = None,
        package: str | None = None,
        tag: str | None = None,
        comment: str | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> DefinedClass:
        """Make or change a class or a trait: by a `definition` in fluid form, or by its parts.

        Parts that are None stay as they are. With `preview` nothing is changed.

        Raises:
            SmalltalkError: If the definition does not compile, or signals.
        """
        body = request_body(
            definition=definition,
            class_name=class_name,
            superclass=superclass,
            kind=kind,
            slots=slots,
            class_variables=class_variables,
            class_slots=class_slots,
            traits=traits,
            package=package,
            tag=tag,
            comment=comment,
            preview=preview,
            confirm=confirm,
        )
        defined = self._gate.ask("/class/define", body, partial(read, DefinedClass), LONG_REQUEST_SECONDS)
        if defined.changes:
            self._gate.last_change.note(defined.class_name)
        return defined

    def compile_method(
        self,
        class_name: str,
        source: str,
        *,
        side: str | None = None,
        protocol: str | None = None,
        confirm: bool | None = None,
    ) -> CompiledMethod:
        """Add a method to a side of a class, or replace the one with that selector.

        Raises:
            SmalltalkError: If it does not compile; then nothing changed.
        """
        body = request_body(
            class_name=class_name, side=side, source=source, protocol=protocol, confirm=confirm
        )
        compiled = self._gate.ask("/method/compile", body, partial(read, CompiledMethod))
        if compiled.changes:
            self._gate.last_change.note(
                f"{compiled.class_name}{' class' if compiled.side == 'class' else ''}", compiled.selector
            )
        return compiled

    def compile_methods(
        self,
        class_name: str,
        methods: Sequence[Mapping[str, str]],
        *,
        side: str | None = None,
        confirm: bool | None = None,
    ) -> CompiledMethods:
        """Compile methods, each a `source` and perhaps a `protocol` and a `side`.

        One that fails changes no other.
        """
        body = request_body(class_name=class_name, side=side, methods=methods, confirm=confirm)
        compiled = self._gate.ask(
            "/methods/compile", body, partial(read, CompiledMethods), LONG_REQUEST_SECONDS
        )
        if compiled.changes:
            self._gate.last_change.note(compiled.class_name)
        return compiled

    def remove_class(
        self,
        class_name: str,
        force: bool | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> Refactoring:
        """Take a class or a trait away; one with subclasses or users only by `force`."""
        return self._refactor(
            "/class/remove", class_name=class_name, force=force, preview=preview, confirm=confirm
        )

    def remove_method(
        self,
        class_name: str,
        selector: str,
        side: str | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> Refactoring:
        """Take a method away."""
        return self._refactor(
            "/method/remove",
            class_name=class_name,
            side=side,
            selector=selector,
            preview=preview,
            confirm=confirm,
        )

    def rename_class(
        self, class_name: str, new_name: str, preview: bool | None = None, confirm: bool | None = None
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
        packages: Sequence[str] | None = None,
        preview: bool | None = None,
        confirm: bool | None = None,
    ) -> Refactoring:
        """Give a method another selector, and its implementors and senders in some packages, too."""
        return self._refactor(
            "/method/rename",
            class_name=class_name,
            side=side,
            selector=selector,
            new_selector=new_selector,
            packages=packages,
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
