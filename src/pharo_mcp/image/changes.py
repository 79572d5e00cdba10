"""What changes the code in an image, and what takes changes back."""

from collections.abc import Sequence
from functools import partial

from .change_replies import ChangeLog, CompiledMethod, DefinedClass, Refactoring, Saving, Undone
from .requests import LONG, Requests
from .shapes import given, read


class Changes:
    """Makes changes, lists and undoes them.

    Every method raises ImageError. Arguments that are None are left to the image. What takes `preview` only
    tells its impact unless that is False. Code that everything in the image runs on is changed only with
    `confirm`.
    """

    def __init__(self, requests: Requests) -> None:
        self._requests = requests

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
        confirm: bool | None = None,
    ) -> DefinedClass:
        """Make a class or a trait, or make it another: by a `definition` in fluid form, or by its parts.

        Raises:
            SmalltalkError: If the definition does not compile, or signals.
        """
        body = given(
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
            confirm=confirm,
        )
        return self._requests.ask("/class/define", body, partial(read, DefinedClass), LONG)

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
        body = given(class_name=class_name, side=side, source=source, protocol=protocol, confirm=confirm)
        return self._requests.ask("/method/compile", body, partial(read, CompiledMethod))

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
        body = given(offset=offset, limit=limit, details=details)
        return self._requests.ask("/changes", body, partial(read, ChangeLog))

    def undo(self, change: int | None = None, to: int | None = None, confirm: bool | None = None) -> Undone:
        """Take one change back, or all after the one with the number `to`.

        Raises:
            Conflict: If what is there is not what the changes made; then nothing changed.
        """
        return self._requests.ask(
            "/undo", given(change=change, to=to, confirm=confirm), partial(read, Undone), LONG
        )

    def save(self, confirm: bool | None = None) -> Saving:
        """Save the image, after this is answered; all connections close then."""
        return self._requests.ask("/save", given(confirm=confirm), partial(read, Saving))

    def _refactor(self, path: str, **members: object) -> Refactoring:
        return self._requests.ask(path, given(**members), partial(read, Refactoring), LONG)
