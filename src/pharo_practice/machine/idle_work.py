"""Work that waits until no process can run."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MOST = 20_000
"""How much may wait; what comes then is never done, so it must be possible to do without it."""
SLICE = 0.0005
"""Seconds before the machine looks for what would end its idling."""


class IdleWork:
    """Things to do, one after the other, a few at a time."""

    def __init__(self) -> None:
        self.pending: deque[Callable[[], None]] = deque()

    def add(self, action: Callable[[], None]) -> None:
        """Have something done later."""
        if len(self.pending) < MOST:
            self.pending.append(action)

    def do_some(self) -> None:
        """Do what fits in a short time."""
        end = time.monotonic() + SLICE
        while self.pending and time.monotonic() < end:
            self.pending.popleft()()
