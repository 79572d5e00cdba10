"""Ending a serving process by a signal."""

import signal
from collections.abc import Callable

SIGNALS = (signal.SIGTERM, signal.SIGINT)


def catch_signals(stop: Callable[[int], None]) -> None:
    """Call `stop` with the number of a signal that asks the process to end, instead of ending at once."""
    for number in SIGNALS:
        signal.signal(number, lambda number, _: stop(number))


def ignore_signals() -> None:
    """Let no further signal change the exit status of a process that is ending."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
