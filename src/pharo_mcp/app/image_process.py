"""The process of an image that a session starts."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from signal import Signals
from subprocess import TimeoutExpired
from threading import Event, Lock, Thread
from time import monotonic
from typing import Generic, Protocol, TypeVar

from pharo_mcp.address import Address
from pharo_mcp.times import EXIT_SECONDS

STOPPED = "it was stopped"


def how_it_ended(status: int) -> str:
    """Return the words for an exit status, as `Popen.returncode` has it: negative after a signal."""
    if status >= 0:
        return f"it ended with status {status}"
    try:
        return f"it was ended by {Signals(-status).name}"
    except ValueError:  # of real-time signals
        return f"it was ended by signal {-status}"


class Program(Protocol):
    """A program that runs, as `Popen` has it."""

    @property
    def pid(self) -> int:
        """The number of its process."""

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its exit status. Raises TimeoutExpired after so many seconds."""


Started = TypeVar("Started", bound=Program)


class ImageProcess(ABC, Generic[Started]):
    """Starts an image in the background, keeps its address, and ends it."""

    def __init__(self) -> None:
        self._lock = Lock()  # between starting and stopping
        self._known = Event()
        self._stopped = Event()
        self._process: Started | None = None
        self._outcome: Address | str = "it was not started"

    def start(self) -> None:
        """Start the image in the background. Called once."""
        Thread(target=self._run, name="own image", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Wait up to so many seconds for the start; return whether it has succeeded or failed."""
        return self._known.wait(seconds)

    def outcome(self, until: float) -> Address | str | None:
        """Its address, or why it has none; None if that is not known by then."""
        return self._outcome if self.wait(max(0.0, until - monotonic())) else None

    def status(self, seconds: float = EXIT_SECONDS) -> int | None:
        """Its exit status; None if it still runs by then."""
        if self._process is None:
            return None
        try:
            return self._process.wait(seconds)
        except TimeoutExpired:
            return None

    def join(self) -> int:
        """Wait until it ends; its exit status."""
        return self._process.wait() if self._process else 1

    def find_anew(self) -> bool:
        """Look for a new address of an image that does not answer; whether there is one.

        The address changes whenever the companion is started again, for example after a save.
        """
        found = self._find()
        if found is None or found == self._outcome:
            return False
        self._outcome = found
        return True

    def stop(self) -> None:
        """End it in order, and at once if it does not."""
        self._leave(self._end)

    def kill(self) -> None:
        """End it at once."""
        self._leave(self._end_at_once)

    def work(self) -> object:
        """A value that changes while the image works without answering, for example while it saves itself."""
        return None

    @abstractmethod
    def _begin(self) -> Address | str:
        """Start the image and wait for it; its address, or why it has none. It may be stopped meanwhile."""

    @abstractmethod
    def _spawn(self) -> Started:
        """The program, started."""

    @abstractmethod
    def _find(self) -> Address | None:
        """Its current address, if it can be found."""

    @abstractmethod
    def _end(self, process: Started) -> None:
        """See `stop`."""

    @abstractmethod
    def _end_at_once(self, process: Started) -> None:
        """See `kill`."""

    def wait_until_saved(self, until: float) -> None:
        """Wait while it is being saved.

        Raises:
            ImageSaving: If it still is then.
        """

    def leave(self) -> None:
        """Do what is needed for it to go on when we end."""

    def _follow(self) -> None:
        """Do what is needed for as long as it runs."""

    def _launch(self) -> Started | None:
        """Start the program, unless it was stopped before."""
        with self._lock:
            if not self._stopped.is_set():
                self._process = self._spawn()
            return self._process

    def _run(self) -> None:
        try:
            self._outcome = self._begin()
        except OSError as error:
            self._outcome = f"it could not be started ({error})"
        self._known.set()
        self._follow()

    def _leave(self, end: Callable[[Started], None]) -> None:
        with self._lock:
            self._stopped.set()
            process = self._process
        if process:
            end(process)
