"""Serving: the image runs until its standard input is closed or a signal arrives."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pharo_practice.compiling.evaluation import evaluate
from pharo_practice.machine.execution import run_until
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import EXCESS_SIGNALS, NothingToRun, OutOfTurns
from pharo_practice.model.behavior import Pointers

STOP = "SessionManager default currentSession stop: true"
TURNS_TO_STOP = 5_000
SIGNALS = (signal.SIGTERM, signal.SIGINT)


def serve(vm: Machine) -> int:
    """Run every process until standard input ends or a signal comes.

    The image's session is stopped then, as when Pharo quits. Answers the exit status: 0, or as a shell
    counts, 128 and the signal's number.
    """
    received: list[int] = []
    with _waking(vm, received):
        source = _StandardInput(vm)
        run_until(vm, lambda: bool(received) or source.has_ended())
    with suppress(OutOfTurns, NothingToRun, SystemExit):
        evaluate(vm, STOP, turns=TURNS_TO_STOP)
    return 128 + received[0] if received else 0


@contextmanager
def _waking(vm: Machine, received: list[int]) -> Iterator[None]:
    """Note signals, and wake the machine when one comes while it idles."""
    here, there = socket.socketpair()
    there.setblocking(False)
    before = {number: signal.signal(number, lambda number, _: received.append(number)) for number in SIGNALS}
    previous = signal.set_wakeup_fd(there.fileno())
    vm.watch(here.fileno(), "read", new_semaphore(vm))
    try:
        yield
    finally:
        vm.unwatch(here.fileno())
        signal.set_wakeup_fd(previous)
        for number, handler in before.items():
            signal.signal(number, handler)
        here.close()
        there.close()


class _StandardInput:
    """Reads and drops standard input, to notice its end."""

    def __init__(self, vm: Machine) -> None:
        self.vm = vm
        self.descriptor = sys.stdin.fileno()
        self.semaphore = new_semaphore(vm)
        self._watch()

    def _watch(self) -> None:
        try:
            self.vm.watch(self.descriptor, "read", self.semaphore)
        except PermissionError:  # a regular file is always ready: its end is now
            self.semaphore.fields[EXCESS_SIGNALS] = 1

    def has_ended(self) -> bool:
        """Whether the end has been read."""
        if self.semaphore.fields[EXCESS_SIGNALS] == 0:
            return False
        self.semaphore.fields[EXCESS_SIGNALS] = 0
        if not os.read(self.descriptor, 65536):
            return True
        self._watch()
        return False


def new_semaphore(vm: Machine) -> Pointers:
    """A Semaphore without signals."""
    return Pointers(vm.classes["Semaphore"], [None, None, 0])
