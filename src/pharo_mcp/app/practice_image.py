"""Practice images: that of one session, and when a fresh one replaces it, and those in the background."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired

from pharo_mcp.image.loading import practice_command

from .image_process import ImageProcess, RecordedProcess
from .launch_records import LaunchRecord, Program, spawn_recorded, standard_error
from .own_images import ImageRules, ReplaceableImage

PRACTICE_START_SECONDS = 60.0
"""Starting a practice image, with all that it loads."""
PRACTICE_SILENCE_SECONDS = 15.0
"""How long a practice image may leave status requests unanswered before it is replaced."""
PRACTICE_STOP_SECONDS = 5.0
"""The wait for a practice image to end in order before it is killed."""


class PracticeProcess(ImageProcess):
    """A practice image. Its standard input is our pipe: when we end, however we end, so does it."""

    def __init__(self, command: Callable[[], list[str]], folder: str) -> None:
        super().__init__(folder, PRACTICE_START_SECONDS)
        self._command = command
        self._child: Popen[bytes]

    def _spawn(self) -> Program:
        self._child = Popen(  # noqa: S603 - our own program
            self._command(),
            stdin=PIPE,
            stdout=standard_error(),
            start_new_session=True,  # Ctrl-C in a terminal is for us: it ends with its input
        )
        return self._child

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


class DetachedPractice(RecordedProcess):
    """A practice image in the background; its record is in the folder `records`, its output in `log`."""

    def __init__(self, name: str, command: list[str], folder: str, records: str, log: str) -> None:
        super().__init__(folder, PRACTICE_START_SECONDS)
        self._name = name
        self._command = command
        self._records = records
        self._log = log

    def _spawn(self) -> Program:
        new = LaunchRecord("", self._name, 0)
        process, self._record = spawn_recorded(self._command, self._records, new, self._log)
        return process


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


def session_command(folders: Sequence[str]) -> list[str]:
    """Return the command of an image for one session that loads folders."""
    return practice_command("PharoMcp start", None, folders, f"{SESSION_PREFIX}{os.getpid()}")


def practice_image(
    command: Callable[[], list[str]], folder: str, rules: ImageRules = RULES
) -> ReplaceableImage:
    """Return a practice image of ours; `command` is asked for each time that one is started.

    Its connection file will be in `folder`.
    """
    return ReplaceableImage(lambda: PracticeProcess(command, folder), rules)
