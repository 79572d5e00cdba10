"""What an image that understood who asks cannot do; the tree of these classes is in errors.py."""

from collections.abc import Mapping

from .errors import NothingRan
from .loading import renew
from .replies import Failure
from .shapes import write


class RequestRefused(NothingRan):
    """The image understood who asks, and cannot do what was asked."""

    def __init__(self, failure: Failure) -> None:
        near = f" Similar names: {', '.join(failure.near)}." if failure.near else ""
        words = (failure.message_text or f"The image refused: {failure.kind}.") + near
        super().__init__(f"{words}\n{self.advice}" if self.advice else words)
        self.kind = failure.kind
        self.failure = failure

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
    "readOnly": ReadOnlyImage,
    "unknownClass": UnknownClass,
    "unknownEndpoint": EndpointMissing,
    "unknownEvaluation": UnknownEvaluation,
    "unknownObject": UnknownObject,
}
