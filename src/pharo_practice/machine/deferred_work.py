"""Work that can wait: it is done while no process can run, and a little of it at each poll of a long run."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MOST = 20_000
"""How much may wait; what came first is then never done, so it must be possible to do without it."""
SLICE = 0.0005
"""Seconds before the machine looks for what would end its idling."""
LONG_RUN = 60
"""Polls without idling: until then, whoever waits for an answer would wait for this work, too."""


class DeferredWork:
    """Things to do, the newest first: code that has just been compiled is likely to run now."""

    def __init__(self) -> None:
        self.pending: deque[Callable[[], None]] = deque(maxlen=MOST)
        self.polls = 0
        """How often the machine has polled since it was idle."""

    def add(self, action: Callable[[], None]) -> None:
        """Have something done later."""
        self.pending.append(action)

    def poll(self) -> None:
        """Do one thing if the machine has not been idle for long."""
        self.polls += 1
        if self.polls > LONG_RUN:
            self.do_next()

    def end_run(self) -> None:
        """The machine is idle now."""
        self.polls = 0

    def do_next(self) -> None:
        """Do one thing, if there is any."""
        if self.pending:
            self.pending.pop()()

    def do_some(self) -> None:
        """Do what fits in a short time of idling."""
        end = time.monotonic() + SLICE
        while self.pending and time.monotonic() < end:
            self.do_next()
