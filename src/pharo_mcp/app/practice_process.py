"""One practice image as a child process, from its start to its end."""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired

from pharo_mcp.address import Address
from pharo_mcp.image.connection.connection_files import connection_files, read_connection_file
from pharo_mcp.image.errors.base import ImageError
from pharo_mcp.times import PRACTICE_STOP_SECONDS

from .image_process import STOPPED, ImageProcess, how_it_ended


class PracticeProcess(ImageProcess[Popen[str]]):
    """A practice image. Its standard input is a pipe of ours: when we end, however we end, so does it."""

    def __init__(self, command: Callable[[], list[str]]) -> None:
        super().__init__()
        self._command = command
        self._connection_file = ""

    def _begin(self) -> Address | str:
        process = self._launch()
        if process is None or process.stdout is None:
            return STOPPED
        self._connection_file = process.stdout.readline().rstrip("\n")
        if not self._connection_file:
            return f"{how_it_ended(process.wait())} before it answered"
        try:
            return read_connection_file(self._connection_file).address
        except (OSError, ValueError) as error:
            return f"its connection file {self._connection_file} cannot be read ({error})"

    def _spawn(self) -> Popen[str]:
        return Popen(  # noqa: S603 - our own program
            self._command(),
            stdin=PIPE,
            stdout=PIPE,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # Ctrl-C in a terminal is for us: it ends with its input
        )

    def _follow(self) -> None:
        """Copy its later output to the log, so that the pipe never fills."""
        if self._process and self._process.stdout:
            with self._process.stdout as lines:
                for line in lines:
                    sys.stderr.write(line)

    def _find(self) -> Address | None:
        """It has written another connection file into the same folder, with the number of its process."""
        folder = os.path.dirname(self._connection_file)
        with suppress(ImageError):
            for file in connection_files(folder):
                if self._process and file.pid == self._process.pid and file.address != self._outcome:
                    return file.address
        return None

    def _end(self, process: Popen[str]) -> None:
        """Wait until it has taken its connection file away."""
        try:
            _close_input(process)
            process.wait(PRACTICE_STOP_SECONDS)
        except TimeoutExpired:
            self._end_at_once(process)

    def _end_at_once(self, process: Popen[str]) -> None:
        process.kill()
        process.wait()
        _close_input(process)


def _close_input(process: Popen[str]) -> None:
    if process.stdin:
        with suppress(BrokenPipeError):
            process.stdin.close()
