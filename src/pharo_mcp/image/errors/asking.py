"""Errors of a request that was sent. It may have run."""

from collections.abc import Iterable

from .base import ImageError


class NobodyWaits(ImageError):
    """The caller has cancelled the request."""

    kind = "nobodyWaits"

    def __init__(self) -> None:
        super().__init__("The call was cancelled. It may have run, wholly or in part.")


class StillRunning(ImageError):
    """The request is still running in the image."""

    kind = "running"

    def __init__(self, evaluation: str, seconds: float) -> None:
        super().__init__(
            f"Still running in the image after {seconds:.0f} seconds. get_evaluation with evaluation_id "
            f"{evaluation} waits for it, stop_evaluation ends it."
        )


class RegistrationFailed(ImageError):
    """A registered tool, resource or prompt reported a failure."""

    kind = "registrationFailed"

    def __init__(self, messages: Iterable[str]) -> None:
        super().__init__("\n".join(messages) or "It failed without a message.")


class AnswerLost(ImageError):
    """The request was sent, and its answer did not arrive."""

    kind = "answerLost"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The answer of the image at {url} was lost: {why.rstrip('.')}. "
            "The request may have run, wholly or in part; it was not sent again.\n"
            "Check the state of the image before you repeat a request that changes it. "
            "If the image has ended, the next call restarts it, provided that this session started it "
            "(--practice, --launch); otherwise ask the user to start it again and to evaluate "
            "`PharoMcp start` in it."
        )


class CompanionFault(ImageError):
    """The companion failed, or its answer is not valid."""

    kind = "internal"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The companion at {url} failed: {why.rstrip('.')}. "
            "The request may have run, wholly or in part; it was not sent again.\n"
            "Unless code that the companion runs on was changed, this is a fault of pharo-mcp: please report "
            "it with this text."
        )
