"""Work that can wait: a little of it is done at each poll, and the rest while no process can run."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MOST = 20_000
"""How much may wait; what came first is then never done, so it must be possible to do without it."""
SLICE = 0.0005
"""Seconds before the machine looks for what would end its idling."""


class DeferredWork:
    """Things to do, the newest first: code that has just been compiled is likely to run now."""

    def __init__(self) -> None:
        self.pending: deque[Callable[[], None]] = deque(maxlen=MOST)

    def add(self, action: Callable[[], None]) -> None:
        """Have something done later."""
        self.pending.append(action)

    def do_next(self) -> None:
        """Do one thing, if there is any."""
        if self.pending:
            self.pending.pop()()

    def do_some(self) -> None:
        """Do what fits in a short time."""
        end = time.monotonic() + SLICE
        while self.pending and time.monotonic() < end:
            self.do_next()
