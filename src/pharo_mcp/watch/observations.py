"""What a watcher of an image observes, as values."""

from typing import NamedTuple

from pharo_mcp.image.replies.activity import AnsweredCall, EndedEvaluation
from pharo_mcp.image.replies.changes import Change
from pharo_mcp.image.replies.system import RunningEvaluation


class Watched(NamedTuple):
    """From here on this image is watched; `session` changes with each start of its companion."""

    name: str
    session: str
    system: str | None = None
    image: str | None = None
    read_only: bool = False


class Lost(NamedTuple):
    """The image does not answer, for this reason. It is looked for again."""

    reason: str


class Called(NamedTuple):
    """A call was answered."""

    call: AnsweredCall


class Started(NamedTuple):
    """An evaluation takes longer than most: it is reported when it ends, too."""

    evaluation: RunningEvaluation


class Running(NamedTuple):
    """All evaluations that are running, with their seconds so far."""

    evaluations: tuple[RunningEvaluation, ...]


class Progressed(NamedTuple):
    """An evaluation reports its progress, perhaps of a `total`."""

    evaluation: str
    progress: float
    total: float | None = None
    message: str | None = None


class Ended(NamedTuple):
    """An evaluation that was seen running has ended; `expression` is its first line."""

    ended: EndedEvaluation
    expression: str


class Changed(NamedTuple):
    """A change of code, with what was there before and after."""

    change: Change


class UndoState(NamedTuple):
    """An earlier change is undone, or no longer undone."""

    change: int
    undone: bool


class Message(NamedTuple):
    """A log message of the image for its clients."""

    level: str
    logger: str
    data: object


Observation = Watched | Lost | Called | Started | Running | Progressed | Ended | Changed | UndoState | Message
