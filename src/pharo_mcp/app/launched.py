"""An image that we start, and end."""

import os
import signal
import subprocess
import sys
import tempfile
from threading import Event, Lock, Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.image import ConnectionFile, Contact, ImageError, NothingRan, connection_files, start_script

from .open_images import is_open
from .pharo_commands import run_script

PATIENCE = 120.0
"""Seconds that an image may take to start, loading the companion included."""
PAUSE = 0.2
"""Seconds between two looks for its connection file."""
CLOSING_SECONDS = 15.0
"""How long an image that is still open is awaited: that of the session before may be ending."""
STOP_SECONDS = 10.0
"""How long it may take to leave when it is told to."""


class Launch(NamedTuple):
    """What to start: a virtual machine and an image file; `folder` is where its connection file will be."""

    machine: str
    image: str
    folder: str
    headless: bool = False

    def command(self, script: str) -> list[str]:
        """The command that runs a script in the image and leaves it open."""
        return run_script(self.machine, self.image, script, headless=self.headless)


class ImageStarting(NothingRan):
    """The image is not there yet."""

    kind = "starting"

    def __init__(self, image: str) -> None:
        super().__init__(f"{image} is still starting. Nothing ran. Ask again in a moment.")


class ImageNotStarted(NothingRan):
    """The image is not there, and will not come."""

    kind = "notStarted"

    def __init__(self, image: str, why: str) -> None:
        super().__init__(
            f"{image} is not there: {why}. Nothing ran.\nWhat it said stands in the log of pharo-mcp "
            "(standard error); `pharo-mcp doctor` tells what else may be wrong."
        )


class Launched:
    """Starts an image, finds where its companion answers, and ends what it started: that, and no more."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._process: subprocess.Popen[bytes] | None = None
        self._script = ""
        self._lock = Lock()  # between starting and stopping
        self._known = Event()
        self._stopped = Event()
        self._outcome: ConnectionFile | str = "nobody started it"

    def start(self) -> None:
        """Start it in the background; called once."""
        Thread(target=self._run, name="launched image", daemon=True).start()

    def wait(self, seconds: float) -> bool:
        """Whether by then it is known how the start went."""
        return self._known.wait(seconds)

    def locate(self, until: float) -> Contact:
        """See `Locate`."""
        if not self._known.wait(max(0.0, until - monotonic())):
            raise ImageStarting(self._launch.image)
        if isinstance(self._outcome, str):
            raise ImageNotStarted(self._launch.image, self._outcome)
        return Contact.meet(self._outcome.address, until)

    def stop(self) -> None:
        """End it and whatever it started."""
        with self._lock:
            self._stopped.set()
            process = self._process
        if process:
            _end(process)
        if self._script:
            os.unlink(self._script)
            self._script = ""

    def join(self) -> int:
        """Wait until it ends by itself; its exit status."""
        return self._process.wait() if self._process else 1

    def _run(self) -> None:
        self._outcome = (
            self._start() if self._is_closed() else "it is open already; close it, or use that one"
        )
        self._known.set()

    def _is_closed(self) -> bool:
        end = monotonic() + CLOSING_SECONDS
        while is_open(self._launch.image):
            if monotonic() > end or self._stopped.wait(PAUSE):
                return False
        return True

    def _start(self) -> ConnectionFile | str:
        try:
            before = set(connection_files(self._launch.folder))
            process = self._spawn()
            return self._await(process, before) if process else "it was stopped"
        except OSError as error:
            return f"it could not be started ({error})"
        except ImageError as error:
            return error.message

    def _spawn(self) -> "subprocess.Popen[bytes] | None":
        with self._lock:
            if not self._stopped.is_set():
                descriptor, self._script = tempfile.mkstemp(suffix=".st", prefix="pharo-mcp-")
                with open(descriptor, "w", encoding="utf-8") as file:
                    file.write(start_script())
                self._process = subprocess.Popen(  # noqa: S603 - the person's own virtual machine
                    self._launch.command(self._script),
                    stdin=subprocess.DEVNULL,
                    stdout=sys.stderr,
                    start_new_session=sys.platform != "win32",  # the machine may be a script that starts it
                )
            return self._process

    def _await(self, process: "subprocess.Popen[bytes]", before: set[ConnectionFile]) -> ConnectionFile | str:
        end = monotonic() + PATIENCE
        while monotonic() < end:
            for file in connection_files(self._launch.folder):
                if file not in before and self._is_ours(file):
                    return file
            if process.poll() is not None:
                return f"it ended with status {process.returncode} before its companion answered"
            if self._stopped.wait(PAUSE):
                return "it was stopped"
        return f"its companion did not answer within {PATIENCE:.0f} seconds"

    def _is_ours(self, file: ConnectionFile) -> bool:
        """Whether an image of that very file answers there."""
        if os.path.realpath(file.image) != os.path.realpath(self._launch.image):
            return False
        try:
            Contact.meet(file.address, monotonic() + STOP_SECONDS).close()
        except ImageError:
            return False
        return True


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End a process and its children; in order if they do, else at once."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            if sys.platform != "win32":
                os.killpg(process.pid, number)
            else:
                process.terminate()
            process.wait(STOP_SECONDS)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
