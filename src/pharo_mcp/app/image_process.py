"""The process of an image that we start: it is found by its connection file, and ended."""

from abc import ABC, abstractmethod
from contextlib import suppress
from signal import Signals
from subprocess import Popen, TimeoutExpired
from threading import Event, Lock, Thread
from time import monotonic

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import ConnectionFile, connection_files, remove_connection_files
from pharo_mcp.image.errors import ImageError

from .launch_records import LaunchRecord, Program, end_processes

EXIT_SECONDS = 1.0
"""The wait for the exit status of a process that seems to have ended."""
SEARCH_PAUSE_SECONDS = 0.05
"""The interval of looks for its connection file while it starts."""
FIRST_ANSWER_SECONDS = 10.0
"""The first answer of an image that a command has started."""
SIGNAL_CHECK_SECONDS = 1.0
"""The interval of checks for signals meanwhile, which do not end every wait."""
STOPPED = "it was stopped"


def how_it_ended(status: int) -> str:
    """Return the words for an exit status, as `Popen.returncode` has it: negative after a signal."""
    if status >= 0:
        return f"it ended with status {status}"
    try:
        return f"it was ended by {Signals(-status).name}"
    except ValueError:  # of real-time signals
        return f"it was ended by signal {-status}"


class ImageProcess(ABC):
    """Starts an image in the background, finds it by its connection file, and ends it.

    Its companion writes that into `folder`; an image that has not done so within `seconds` has not started.
    """

    def __init__(self, folder: str, seconds: float) -> None:
        self.folder = folder
        self._seconds = seconds
        self._lock = Lock()  # between starting and ending
        self._known = Event()
        self._ended = Event()
        self._process: Program | None = None
        self._outcome: Address | str = "it was not started"
        self._before: set[ConnectionFile] = set()

    def start(self) -> None:
        """Start the image in the background. Called once."""
        Thread(target=self._run, name="own image", daemon=True).start()

    def outcome(self, until: float) -> Address | str | None:
        """Return its address, or why it has none; None if that is not known by then."""
        return self._outcome if self._known.wait(max(0.0, until - monotonic())) else None

    def status(self, seconds: float | None = EXIT_SECONDS) -> int | None:
        """Return its exit status; None if it still runs after these seconds."""
        if self._process is None:
            return None
        try:
            return self._process.wait(seconds)
        except TimeoutExpired:
            return None

    def has_moved(self) -> bool:
        """Return whether an image that does not answer has a new address, which is used from then on.

        The address changes whenever the companion is started again, for example after a save.
        """
        found = self._find()
        if found is None or found == self._outcome:
            return False
        self._outcome = found
        return True

    def end(self, *, at_once: bool = False) -> None:
        """End it, in order if it does that in time, and never start it after that."""
        with self._lock:
            self._ended.set()
            process = self._process
        if process:
            self._end(process, at_once=at_once)

    def work(self) -> object:
        """Return a value that changes while the image works without answering, as when it is saved."""
        return None

    def wait_until_saved(self, until: float) -> None:
        """Wait while it is being saved.

        Raises:
            ImageSaving: If it still is then.
        """
        return

    @abstractmethod
    def _spawn(self) -> Program:
        """Return the program, started."""

    @abstractmethod
    def _end(self, process: Program, *, at_once: bool) -> None:
        """End the program."""

    def _is_its(self, file: ConnectionFile) -> bool:
        """Return whether the image has written a connection file."""
        return self._process is not None and file.pid == self._process.pid

    def _is_usable(self, file: ConnectionFile) -> bool:
        """Return whether the image is where one of its connection files says."""
        return True

    def _run(self) -> None:
        try:
            self._outcome = self._open()
        except OSError as error:
            self._outcome = f"it could not be started ({error})"
        except ImageError as error:
            self._outcome = error.message
        self._known.set()

    def _open(self) -> Address | str:
        """Start the image and wait for it, unless it is ended; return its address, or why it has none."""
        self._before = set(connection_files(self.folder))
        with self._lock:
            if self._ended.is_set():
                return STOPPED
            self._process = process = self._spawn()
        end = monotonic() + self._seconds
        while monotonic() < end:
            if address := self._find():
                return address
            if (status := process.poll()) is not None:
                return f"{how_it_ended(status)} before its companion answered"
            if self._ended.wait(SEARCH_PAUSE_SECONDS):
                return STOPPED
        return f"its companion did not answer within {self._seconds:.0f} seconds"

    def _find(self) -> Address | None:
        """Return its current address, if it can be found."""
        with suppress(ImageError):
            for file in connection_files(self.folder):
                if file.address != self._outcome and self._is_new(file) and self._is_usable(file):
                    return file.address
        return None

    def _is_new(self, file: ConnectionFile) -> bool:
        return file not in self._before and self._is_its(file)


class RecordedProcess(ImageProcess):
    """An image that can outlive us, and is then ended by its record."""

    _record: LaunchRecord | None = None

    def open(self) -> CompanionConnection | str:
        """Start the image and wait for it; return its first connection, or why there is none.

        Raises:
            ImageError: If it does not answer.
        """
        self.start()
        while (outcome := self.outcome(monotonic() + SIGNAL_CHECK_SECONDS)) is None:
            continue
        if isinstance(outcome, str):
            return outcome
        return CompanionConnection.meet(outcome, monotonic() + FIRST_ANSWER_SECONDS)

    def leave(self) -> None:
        """Let the image go on when we end."""
        if self._record:
            self._record._replace(owner=None).write()
        if isinstance(self._process, Popen):
            self._process.returncode = 0  # nobody need be warned that it still runs

    def _end(self, process: Program, *, at_once: bool) -> None:
        end_processes(process)
        if self._record:
            self._record.remove()
        with suppress(ImageError):  # the image had no time to do it
            remove_connection_files(self.folder, self._is_new)
