"""An image file that we open, and close: one that died or hangs is opened again as it was last saved."""

import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from subprocess import Popen
from time import monotonic
from typing import NamedTuple

from pharo_mcp.image import (
    Address,
    CompanionConnection,
    ConnectionFile,
    ImageError,
    connection_files,
    remove_connection_files,
    start_script,
)
from pharo_mcp.times import (
    IMAGE_CLOSING_SECONDS,
    LAUNCH_PAUSE_SECONDS,
    LAUNCH_SECONDS,
    LAUNCHED_SILENCE_SECONDS,
    LAUNCHED_STOP_SECONDS,
)

from .image_process import STOPPED, ImageProcess, how_it_ended
from .image_rules import ImageRules
from .open_images import files_of, is_open
from .pharo_commands import run_script
from .replaceable_image import ReplaceableImage


class Launch(NamedTuple):
    """A virtual machine and an image file to start; `folder` is where its connection file will be."""

    machine: str
    image: str
    folder: str
    headless: bool = False

    def command(self, script: str) -> list[str]:
        """The command that runs a script in the image and leaves it open."""
        return run_script(self.machine, self.image, script, headless=self.headless)


def launched(launch: Launch, silence: float = LAUNCHED_SILENCE_SECONDS) -> ReplaceableImage:
    """An image file opened by us; `silence` is how many seconds it may leave status requests unanswered."""
    return ReplaceableImage(lambda: LaunchedProcess(launch), rules_for(launch.image, silence))


def rules_for(image: str, silence: float) -> ImageRules:
    """The rules for an image file, which belongs to the user."""
    return ImageRules(
        name=image,
        advice=(
            "Its output is in pharo-mcp's log (standard error). Ask the user to run `pharo-mcp doctor`, "
            "which checks what else may be wrong."
        ),
        silent=(
            "Repeat the call: if it leaves status requests unanswered for {silence} seconds, it is ended "
            "and opened again as it was last saved. If it has a window, ask the user to interrupt an endless "
            "loop there with Cmd-. or Alt-., and to save what they need."
        ),
        replaced=(
            "{name} was opened again as it was last saved: {why}. Everything since the last save is lost in "
            "it: objects, variables of workspaces, changes of code, the log of changes, object ids and "
            "evaluation ids. Epicea's change log on disk has the code changes: Code Changes in the World "
            "menu shows them and applies them again."
        ),
        silence=silence,
        closed=(
            "It will not reopen by itself. Ask the user to reconnect pharo-mcp in the client, which opens it "
            "again. To go on in an image that the user opens, evaluate `PharoMcp start` there, and use "
            "pharo-mcp without --launch."
        ),
        must_listen=False,
        replaces_faulty=False,
        starts_again=False,
    )


class LaunchedProcess(ImageProcess):
    """A virtual machine that runs an image file, and its child processes."""

    def __init__(self, launch: Launch) -> None:
        super().__init__()
        self._launched = launch
        self._script = ""
        self._before: set[ConnectionFile] = set()

    def work(self) -> object:
        """An image that saves itself answers nothing, but writes."""
        return [_times(file) for file in files_of(self._launched.image)]

    def _begin(self) -> Address | str:
        if not self._is_closed():
            return "it is open already; close it, or use that one"
        try:
            self._before = set(connection_files(self._launched.folder))
            process = self._launch()
            return self._await(process) if process else STOPPED
        except ImageError as error:
            return error.message

    def _is_closed(self) -> bool:
        end = monotonic() + IMAGE_CLOSING_SECONDS
        while is_open(self._launched.image):
            if monotonic() > end or self._stopped.wait(LAUNCH_PAUSE_SECONDS):
                return False
        return True

    def _spawn(self) -> Popen[str]:
        descriptor, self._script = tempfile.mkstemp(suffix=".st", prefix="pharo-mcp-")
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(start_script())
        try:
            return Popen(  # noqa: S603 - the person's own virtual machine
                self._launched.command(self._script),
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr,
                text=True,
                start_new_session=sys.platform != "win32",  # the machine may be a script that starts it
            )
        except OSError:
            self._remove_script()
            raise

    def _await(self, process: Popen[str]) -> Address | str:
        end = monotonic() + LAUNCH_SECONDS
        while monotonic() < end:
            if address := self._find():
                return address
            if process.poll() is not None:
                return f"{how_it_ended(process.returncode)} before its companion answered"
            if self._stopped.wait(LAUNCH_PAUSE_SECONDS):
                return STOPPED
        return f"its companion did not answer within {LAUNCH_SECONDS:.0f} seconds"

    def _find(self) -> Address | None:
        """An image of that very file has written another connection file, and answers there."""
        with suppress(ImageError):
            for file in connection_files(self._launched.folder):
                if file not in self._before and file.address != self._outcome and self._is_ours(file):
                    return file.address
        return None

    def _is_ours(self, file: ConnectionFile) -> bool:
        if not _is_same_file(file.image, self._launched.image):
            return False
        try:
            CompanionConnection.meet(file.address, monotonic() + LAUNCHED_STOP_SECONDS).close()
        except ImageError:
            return False
        return True

    def _end(self, process: Popen[str]) -> None:
        """End it and its children; in order if they do, else at once."""
        for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            try:
                if sys.platform != "win32":
                    os.killpg(process.pid, number)
                else:
                    process.terminate()
                process.wait(LAUNCHED_STOP_SECONDS)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
        self._remove_script()
        with suppress(ImageError):  # the image had no time to do it
            remove_connection_files(self._launched.folder, self._is_new)

    def _is_new(self, file: ConnectionFile) -> bool:
        return file not in self._before and _is_same_file(file.image, self._launched.image)

    def _remove_script(self) -> None:
        if self._script:
            os.unlink(self._script)
            self._script = ""

    def _end_at_once(self, process: Popen[str]) -> None:
        self._end(process)


def _is_same_file(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _times(file: str) -> tuple[int, int] | None:
    try:
        about = os.stat(file)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
