"""What an image that understood who asks cannot do; the tree of these classes is in errors.py."""

from collections.abc import Mapping

from .errors import NothingRan
from .loading import renew
from .replies import Failure
from .shapes import write


class RequestRefused(NothingRan):
    """The image understood who asks, and cannot do what was asked."""

    def __init__(self, failure: Failure) -> None:
        self.kind = failure.kind
        self.failure = failure
        near = f" Similar names: {', '.join(failure.near)}." if failure.near else ""
        words = (failure.message_text or f"The image refused: {failure.kind}.") + near
        super().__init__("\n".join((words, *filter(None, [self.advice]), *failure.warnings)))

    @property
    def advice(self) -> str:
        """What to do next, where the image's own words do not say it."""
        return ""

    @property
    def details(self) -> Mapping[str, object]:
        """What the image said."""
        return write(self.failure)


class UnknownClass(RequestRefused):
    """The image has no class and no trait of that name."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return "" if self.failure.near else "search with kind classes finds classes by a part of their names."


class UnknownMethod(RequestRefused):
    """That side of the class has no method of its own of that selector."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        if self.failure.inherited:
            return f"It is inherited: get_method with class_name {self.failure.inherited} reads it."
        if self.failure.near:
            return ""
        return "get_class with include methods lists what it has, search finds who implements a selector."


class UnknownPackage(RequestRefused):
    """The image has no package of that name."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return "" if self.failure.near else "search with kind classes tells the packages of what it finds."


class UnknownChange(RequestRefused):
    """The image keeps no change of that number."""

    advice = "list_changes tells the numbers of those that are kept."


class UnknownWindow(RequestRefused):
    """The image has no window of that title."""

    advice = "take_screenshot without a window shows all of them and tells their titles."


class Forbidden(RequestRefused):
    """The image's user did not allow it."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        if not self.failure.allowed:
            return ""
        return (
            f"Allowed: {', '.join(self.failure.allowed)}. Only the image's user can allow others, "
            "by `PharoMcp startAllowing: { '/folder' }` in it."
        )


class Conflict(RequestRefused):
    """What should be undone was changed by something else since; nothing was undone."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        # The first is in the image's own words already.
        others = [f"    change {each.change}: {each.reason}" for each in self.failure.conflicts[1:]]
        look = (
            "Look at what is there now, with get_method or get_class; list_changes with details: true shows "
            "what was there before."
        )
        return "\n".join((*others, look))


class UnsavedChanges(RequestRefused):
    """A package has changes in the image that loading it would take away."""

    advice = (
        "import_package with overwrite: true loads the folder's version all the same, and undo_change takes "
        "that back; export_package writes the image's version into a folder."
    )


class Unavailable(RequestRefused):
    """The image lacks the part that this needs; its own words say which, and what can be done instead."""


class UnknownEvaluation(RequestRefused):
    """The image neither runs nor keeps an evaluation of that id."""


class UnknownObject(RequestRefused):
    """The image keeps no object under that id."""

    advice = (
        "The last 200 objects with an id are kept, until the companion stops. Evaluate again for another."
    )


class EndpointMissing(RequestRefused):
    """The companion does not know what was asked, though its version should."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return f"The companion in the image is older than this pharo-mcp. In the image, evaluate\n{renew()}"


class ReadOnlyImage(RequestRefused):
    """A person started the companion so that nothing can change the image."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return (
            "Nothing ran: the companion was started with `PharoMcp startReadOnly`, so the image can be read "
            "and not changed. Only its user can allow more, by `PharoMcp stop; start` in the image."
        )


def refusal(failure: Failure) -> RequestRefused:
    """The refusal that says this."""
    return REFUSALS.get(failure.kind, RequestRefused)(failure)


REFUSALS = {
    "conflict": Conflict,
    "forbidden": Forbidden,
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
