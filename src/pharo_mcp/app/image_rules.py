"""The rules and texts for an image that a session starts, by kind of image."""

from typing import NamedTuple

from pharo_mcp.image.errors.base import NothingRan


class ImageRules(NamedTuple):
    """When one kind of image is replaced, and the texts about it.

    In the texts, `{name}` is the image, `{why}` what happened to it, and `{silence}` a number of seconds.
    """

    name: str
    advice: str
    """What to do if the image is not available."""
    silent: str
    """What to do if it does not answer and may soon be replaced."""
    replaced: str
    """What is lost when it was replaced."""
    silence: float
    """Seconds for which it may leave status requests unanswered before it is replaced."""
    closed: str | None = None
    """What to do if a person quit it (exit status 0); None if it is replaced then, too."""
    must_listen: bool = True
    """Whether it counts as hanging if it accepts no connections; otherwise its user stopped the companion."""
    replaces_faulty: bool = True
    """Whether it is replaced if its companion fails at every request; otherwise its user decides."""
    starts_again: bool = True
    """Whether it is started again if it did not start."""


class ImageStarting(NothingRan):
    """The image is still starting."""

    kind = "starting"

    def __init__(self, rules: ImageRules) -> None:
        super().__init__(f"{rules.name} is still starting. Nothing ran. Repeat the call in a moment.")


class ImageNotThere(NothingRan):
    """The image is not available, and is not started again."""

    kind = "notStarted"

    def __init__(self, rules: ImageRules, why: str, advice: str) -> None:
        super().__init__(f"{rules.name} is not available: {why}. Nothing ran.\n{advice}")


class ImageHangs(NothingRan):
    """The image does not answer and may soon be replaced."""

    kind = "silent"

    def __init__(self, rules: ImageRules) -> None:
        super().__init__(
            f"{rules.name} did not answer a status request in time. Nothing ran.\n"
            + rules.silent.format(silence=f"{rules.silence:.0f}")
        )
