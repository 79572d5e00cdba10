"""Requests that an image refuses."""

from collections.abc import Mapping

from pharo_mcp.image.loading import renew
from pharo_mcp.image.replies.failure import Failure
from pharo_mcp.image.replies.shapes import write

from .base import NothingRan


class RequestRefused(NothingRan):
    """The image refused the request; it had no effect."""

    def __init__(self, failure: Failure) -> None:
        self.kind = failure.kind
        self.failure = failure
        near = f" Similar names: {', '.join(failure.near)}." if failure.near else ""
        words = (failure.message_text or f"The image refused: {failure.kind}.") + near
        super().__init__("\n".join((words, *filter(None, [self.advice]), *failure.warnings)))

    @property
    def advice(self) -> str:
        """What to do next, unless the image's message says so."""
        return ""

    @property
    def details(self) -> Mapping[str, object]:
        """The failure as the image reported it."""
        return write(self.failure)


class UnknownClass(RequestRefused):
    """The image has no class and no trait of that name."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return "" if self.failure.near else "search with kind classes finds classes by part of their names."


class UnknownMethod(RequestRefused):
    """That side of the class does not define the selector."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        if self.failure.inherited:
            return f"It is inherited from {self.failure.inherited}; read_code reads it."
        if self.failure.near:
            return ""
        return "get_class with include methods lists its methods; search finds implementors of a selector."


class UnknownPackage(RequestRefused):
    """The image has no package of that name."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return "" if self.failure.near else "search with kind classes shows the package of each class."


class UnknownChange(RequestRefused):
    """The image has no change of that number."""

    advice = "list_changes lists the changes that can be undone."


class UnknownWindow(RequestRefused):
    """The image has no window of that title."""

    advice = "take_screenshot without a window shows all windows and lists their titles."


class NotAllowed(RequestRefused):
    """The user of the image did not allow it."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        if not self.failure.allowed:
            return ""
        return (
            f"Allowed: {', '.join(self.failure.allowed)}. Only the image's user can allow others, "
            "by `PharoMcp startAllowing: { '/folder' }` in it."
        )


class UndoConflict(RequestRefused):
    """The code to restore was changed since by somebody else; nothing was undone."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        # The image's message has the first one.
        others = [f"    change {each.change}: {each.reason}" for each in self.failure.conflicts[1:]]
        look = (
            "read_code shows the current code; list_changes with details: true shows the code "
            "before the changes."
        )
        return "\n".join((*others, look))


class UnsavedChanges(RequestRefused):
    """Loading the package would discard changes of it in the image."""

    advice = (
        "import_package with overwrite: true discards them and loads the package from the folder; "
        "undo_change takes that back. export_package writes the version in the image to a folder."
    )


class Unavailable(RequestRefused):
    """The image lacks a component that this needs; its message says which, and what to do instead."""


class UnknownEvaluation(RequestRefused):
    """The image has no evaluation of that id."""


class UnknownObject(RequestRefused):
    """The image has no object with that id."""

    advice = (
        "The image keeps the last 200 objects that got an id, until the companion stops. Evaluate again to "
        "get a new id."
    )


class EndpointMissing(RequestRefused):
    """The companion does not have the endpoint, although its version should."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return (
            "The companion in the image is older than this pharo-mcp. Ask the user to evaluate in a "
            f"Playground of Pharo\n{renew()}"
        )


class ReadOnlyImage(RequestRefused):
    """The companion was started in read-only mode."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return (
            "Nothing ran: the companion was started with `PharoMcp startReadOnly`, so the image cannot be "
            "changed. Only its user can allow changes, with `PharoMcp start` in the image."
        )


def refusal_of(failure: Failure) -> RequestRefused:
    """The refusal for a failure that an image reported."""
    return REFUSALS.get(failure.kind, RequestRefused)(failure)


REFUSALS = {
    "conflict": UndoConflict,
    "forbidden": NotAllowed,
    "readOnly": ReadOnlyImage,
    "unavailable": Unavailable,
    "unknownChange": UnknownChange,
    "unknownClass": UnknownClass,
    "unknownEndpoint": EndpointMissing,
    "unknownEvaluation": UnknownEvaluation,
    "unknownMethod": UnknownMethod,
    "unknownObject": UnknownObject,
    "unknownPackage": UnknownPackage,
    "unknownWindow": UnknownWindow,
    "unsavedChanges": UnsavedChanges,
}
