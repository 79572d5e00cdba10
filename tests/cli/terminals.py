"""A command in a pseudo-terminal, as a person runs it."""

import os
import select
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Self

from programs import PATIENCE


class Terminal:
    """A program whose controlling terminal is ours; what it prints is read with a bound on every wait.

    `output` names the descriptors that are the terminal; standard input always is.
    """

    def __init__(self, command: list[str], env: Mapping[str, str], folder: Path | None = None) -> None:
        self.ours, theirs = os.openpty()
        self.shown = b""
        self.process = subprocess.Popen(
            # A new session takes the first terminal that it opens as its own.
            ["/bin/sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1', os.ttyname(theirs), *command],
            env={"TERM": "dumb", **env},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            start_new_session=True,
        )
        self._theirs = theirs

    def read_until(self, text: str) -> str:
        """Everything that was shown so far, once it contains the text."""
        end = monotonic() + PATIENCE
        while text.encode() not in self.shown:
            ready, _, _ = select.select([self.ours], [], [], max(0.0, end - monotonic()))
            assert ready, f"{text!r} was not shown, but {self.shown!r}"
            self.shown += os.read(self.ours, 65536)
        return self.shown.decode(errors="replace").replace("\r\n", "\n")

    def type(self, text: str) -> None:
        """Type on the keyboard; `\\x03` is Ctrl-C."""
        os.write(self.ours, text.encode())

    def hang_up(self) -> None:
        """Take the terminal away, as when its window is closed."""
        os.close(self.ours)
        self.ours = os.open(os.devnull, os.O_RDONLY)

    def wait(self) -> int:
        """The exit status."""
        return self.process.wait(PATIENCE)

    def read_to_end(self) -> str:
        """Everything that was shown until the program ended."""
        self.wait()
        while select.select([self.ours], [], [], 0)[0]:
            self.shown += os.read(self.ours, 65536)
        return self.shown.decode(errors="replace").replace("\r\n", "\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(PATIENCE)
        os.close(self.ours)
        os.close(self._theirs)
