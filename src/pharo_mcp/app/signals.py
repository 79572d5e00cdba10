"""Ending a serving process by a signal."""

import signal
from collections.abc import Callable


def catch_signals(stop: Callable[[int], None]) -> None:
    """Call `stop` with the number of a signal that asks the process to end, instead of ending at once."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: stop(number))
