"""The status and the versions of an image, typed."""

from typing import NamedTuple


class RunningEvaluation(NamedTuple):
    """A running evaluation: its id, its seconds so far, and its first line."""

    evaluation: str
    elapsed: float
    expression: str


class UserInterface(NamedTuple):
    """Whether there is one and its process answers, and the titles of windows that hold it up."""

    present: bool = True
    answers: bool = True
    debuggers: tuple[str, ...] = ()
    dialogs: tuple[str, ...] = ()


class Status(NamedTuple):
    """The identity and the state of an image. `session` changes with each start of the companion."""

    product: str
    version: str
    session: str
    name: str
    system: str | None = None
    image: str | None = None
    started_at: str | None = None
    uptime_seconds: float | None = None
    memory_bytes: int | None = None
    read_only: bool = False
    running: tuple[RunningEvaluation, ...] = ()
    user_interface: UserInterface | None = None


class Version(NamedTuple):
    """The versions: `system` is for example `Pharo 13.0`, `image` a path."""

    system: str
    companion: str
    image: str
    vm: str
