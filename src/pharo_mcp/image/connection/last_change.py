"""The last change of code in an image, which may be why the image stops answering."""

from pharo_mcp.image.errors.asking import AnswerLost, CompanionFault
from pharo_mcp.image.errors.connecting import ImageSilent, StrangerOnPort


class LastChange:
    """Remembers the last change of code, and names it in the first error that it may have caused."""

    def __init__(self) -> None:
        self._what: str | None = None

    def note(self, class_name: str, selector: str | None = None) -> None:
        """Remember a change of a class; one that names the method is more precise."""
        known = self._what
        if selector is not None:
            self._what = f"{class_name} >> {selector}"
        elif known is None or known.partition(" ")[0] != class_name:
            self._what = class_name

    def forget(self) -> None:
        """Forget the change: another image is in use."""
        self._what = None

    def explain(self, error: AnswerLost | CompanionFault | ImageSilent | StrangerOnPort) -> None:
        """Append the change to an error, once."""
        what, self._what = self._what, None
        if what:
            error.add(
                f"The last change of code in the image was of {what}. If that is why, end the image and "
                "start it again without that change, which is in its Epicea log."
            )
