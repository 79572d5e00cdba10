"""The practice image as a child process, for the life of one session."""

import sys
from collections.abc import Callable
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Event, Lock, Thread
from time import monotonic

from pharo_mcp.image import Address, Contact, NothingRan, read_connection_file

from .practice import practice_command

STOP_SECONDS = 5.0
"""How long it may take to leave when it is told to."""


class StandInStarting(NothingRan):
    """The practice image is not there yet."""

    kind = "starting"

    def __init__(self) -> None:
        super().__init__("The practice image is still starting. Nothing ran. Ask again in a moment.")


class StandInFailed(NothingRan):
    """The practice image is not there, and will not come."""

    kind = "noStandIn"

    def __init__(self, why: str) -> None:
        super().__init__(
            f"The practice image is not there: {why}. Nothing ran.\n"
            "What it said stands in the log of pharo-mcp (standard error). Start the session again, or try "
            "`pharo-mcp stand-in` in a terminal."
        )


def find_command() -> list[str]:
    """The command of a practice image that tells where its connection file is."""
    return practice_command("PharoMcp start", "PharoMcp current connectionFile fullName")


class StandIn:
    """Starts a practice image, finds where it answers, and ends it.

    Its standard input is a pipe of ours: when we end, however we end, so does it.
    """

    def __init__(self, command: Callable[[], list[str]] = find_command) -> None:
        self._command = command
        self._process: Popen[str] | None = None
        self._stopped = False
        self._lock = Lock()  # between starting and stopping
        self._known = Event()
        self._outcome: Address | str = "nobody started it"

    def start(self) -> None:
        """Start it in the background; called once."""
        Thread(target=self._run, name="practice image", daemon=True).start()

    def locate(self, until: float) -> Contact:
        """See `Locate`."""
        if not self._known.wait(max(0.0, until - monotonic())):
            raise StandInStarting
        if isinstance(self._outcome, str):
            raise StandInFailed(self._outcome)
        return Contact.meet(self._outcome, until)

    def stop(self) -> None:
        """End it, and wait until it has taken its connection file away."""
        with self._lock:
            self._stopped = True
            process = self._process
        if process is None or process.stdin is None:
            return
        try:
            process.stdin.close()
            process.wait(STOP_SECONDS)
        except TimeoutExpired:
            process.kill()
            process.wait()

    def _run(self) -> None:
        try:
            process = self._spawn()
        except OSError as error:
            self._outcome = f"it could not be started ({error})"
            self._known.set()
            return
        if process is None or process.stdout is None:
            return
        self._outcome = self._read_address(process, process.stdout.readline().rstrip("\n"))
        self._known.set()
        with process.stdout:  # what it prints later belongs into the log, and must not fill the pipe
            for line in process.stdout:
                sys.stderr.write(line)
        if isinstance(self._outcome, Address):
            self._outcome = f"it ended with status {process.wait()}"

    def _spawn(self) -> Popen[str] | None:
        command = self._command()
        with self._lock:
            if not self._stopped:
                self._process = Popen(  # noqa: S603 - our own program
                    command, stdin=PIPE, stdout=PIPE, encoding="utf-8", errors="replace"
                )
            return self._process

    @staticmethod
    def _read_address(process: Popen[str], connection_file: str) -> Address | str:
        if not connection_file:
            return f"it ended with status {process.wait()} before it answered"
        try:
            return read_connection_file(connection_file).address
        except (OSError, ValueError) as error:
            return f"its connection file {connection_file} cannot be read ({error})"
