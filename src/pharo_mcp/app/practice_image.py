"""The practice image of one session: a child process, and when a fresh one replaces it."""

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Thread
from typing import IO

from pharo_mcp.address import Address
from pharo_mcp.image.connection_files import connection_files, read_connection_file
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.loading import practice_command

from .own_images import STOPPED, ImageProcess, ImageRules, Program, ReplaceableImage, how_it_ended

PRACTICE_SILENCE_SECONDS = 15.0
"""How long a practice image may leave status requests unanswered before it is replaced."""
PRACTICE_STOP_SECONDS = 5.0
"""The wait for a practice image to end in order before it is killed."""


class PracticeProcess(ImageProcess):
    """A practice image. Its standard input is our pipe: when we end, however we end, so does it."""

    def __init__(self, command: Callable[[], list[str]]) -> None:
        super().__init__()
        self._command = command
        self._connection_file = ""
        self._child: Popen[str]

    def _open(self) -> Address | str:
        if self._launch() is None or self._child.stdout is None:
            return STOPPED
        output = self._child.stdout
        self._connection_file = output.readline().rstrip("\n")
        Thread(target=_copy, args=[output], name="output of the practice image", daemon=True).start()
        if not self._connection_file:
            return f"{how_it_ended(self._child.wait())} before it answered"
        try:
            return read_connection_file(self._connection_file).address
        except (OSError, ValueError) as error:
            return f"its connection file {self._connection_file} cannot be read ({error})"

    def _spawn(self) -> Program:
        self._child = Popen(  # noqa: S603 - our own program
            self._command(),
            stdin=PIPE,
            stdout=PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C in a terminal is for us: it ends with its input
        )
        return self._child

    def _find(self) -> Address | None:
        """It has written another connection file into the same folder, with the number of its process."""
        folder = os.path.dirname(self._connection_file)
        with suppress(ImageError):
            for file in connection_files(folder):
                if file.pid == self._child.pid and file.address != self._outcome:
                    return file.address
        return None

    def _end(self, process: Program, *, at_once: bool) -> None:
        """Wait until it has taken its connection file away, unless it must end at once."""
        if not at_once:
            self._close_input()
            with suppress(TimeoutExpired):
                process.wait(PRACTICE_STOP_SECONDS)
        self._child.kill()
        self._child.wait()
        self._close_input()

    def _close_input(self) -> None:
        if self._child.stdin:
            with suppress(BrokenPipeError):
                self._child.stdin.close()


def _copy(output: IO[str]) -> None:
    """Copy the output of an image to the log, so that the pipe never fills."""
    with output:
        for line in output:
            sys.stderr.write(line)


SESSION_PREFIX = "practice-session-"
"""How the names of images begin that belong to a session; the number of our process follows."""
RULES = ImageRules(
    name="The practice image",
    advice=(
        "Its output is in pharo-mcp's log (standard error); `pharo-mcp practice` in a terminal shows it, too."
    ),
    silent="Repeat the call: after {silence} seconds without an answer it is replaced by a fresh one.",
    replaced=(
        "{name} was replaced by a fresh one: {why}. All that was in it is lost: classes and methods that you "
        "defined, variables, the log of changes, object ids and evaluation ids."
    ),
    silence=PRACTICE_SILENCE_SECONDS,
)
LOADING_RULES = RULES._replace(
    advice=(
        "Its output, in pharo-mcp's log (standard error), says if a package could not be loaded; `pharo-mcp "
        "practice --load FOLDER` in a terminal shows it, too. After a correction, ask the user to reconnect "
        "pharo-mcp in the client, which starts it again."
    ),
    starts_again=False,
)
"""With packages that may not load: then the next try would not load them either."""


def find_command(folders: Sequence[str]) -> list[str]:
    """Return the command of an image that loads folders, and prints the path of its connection file."""
    say = "PharoMcp current connectionFile fullName"
    return practice_command("PharoMcp start", say, folders, f"{SESSION_PREFIX}{os.getpid()}")


def practice_image(command: Callable[[], list[str]], rules: ImageRules = RULES) -> ReplaceableImage:
    """Return a practice image of ours; `command` is asked for each time that one is started."""
    return ReplaceableImage(lambda: PracticeProcess(command), rules)
