"""Serving: the image runs until a signal arrives, or the end of a pipe that is its standard input."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from stat import S_ISFIFO, S_ISSOCK
from types import FrameType
from typing import Any

from pharo_practice.compiling.compiler import evaluate
from pharo_practice.machine.execution import run_until
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import EXCESS_SIGNALS, NothingToRun, OutOfTurns
from pharo_practice.model.objects import Pointers

QUIT = "Smalltalk snapshot: false andQuit: true"
TURNS_TO_QUIT = 5_000
SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]
STANDARD_INPUT = 0


class Signalled(BaseException):
    """A signal has asked the program to end."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.status = 128 + number


def raise_signals() -> None:
    """Raise Signalled when a signal arrives, until `serve` notes them instead."""
    _install(lambda number, _: _raise(number))


def _raise(number: int) -> None:
    raise Signalled(number)


def _install(handler: Callable[[int, FrameType | None], None]) -> dict[signal.Signals, Any]:
    """Handle signals, and return what handled them before; those that are ignored stay so.

    That is what nohup and shells ask of programs in the background.
    """
    return {
        number: signal.signal(number, handler)
        for number in SIGNALS
        if signal.getsignal(number) != signal.SIG_IGN
    }


def serve(vm: Machine) -> int:
    """Run every process until a signal comes, or until the program that writes to standard input is gone.

    The image's session is stopped then, as when Pharo quits. Answers the exit status: 0, or as a shell
    counts, 128 and the signal's number.
    """
    received: list[int] = []
    with _waking(vm, received):
        writer = _Writer(vm)
        run_until(vm, lambda: bool(received) or writer.has_gone())
    with suppress(OutOfTurns, NothingToRun, SystemExit):
        evaluate(vm, QUIT, turns=TURNS_TO_QUIT)
    return 128 + received[0] if received else 0


@contextmanager
def _waking(vm: Machine, received: list[int]) -> Iterator[None]:
    """Note signals, and wake the machine when one comes while it idles."""
    here, there = socket.socketpair()
    there.setblocking(False)
    before = _install(lambda number, _: received.append(number))
    previous = signal.set_wakeup_fd(there.fileno())
    vm.timers_and_io.watch(here.fileno(), "read", new_semaphore(vm))
    try:
        yield
    finally:
        vm.timers_and_io.unwatch(here.fileno())
        signal.set_wakeup_fd(previous)
        for number, handler in before.items():
            signal.signal(number, handler)
        here.close()
        there.close()


class _Writer:
    """The program at the other end of a pipe that is our standard input.

    Reads and drops what it writes, to notice when it is gone. Nothing else is ever read: reading from a
    terminal would stop a program in the background, and a file or `/dev/null` has nobody at the other end.
    """

    def __init__(self, vm: Machine) -> None:
        self.vm = vm
        self.semaphore = new_semaphore(vm)
        if _is_pipe(STANDARD_INPUT):
            self._watch()

    def _watch(self) -> None:
        self.vm.timers_and_io.watch(STANDARD_INPUT, "read", self.semaphore)

    def has_gone(self) -> bool:
        """Whether the end has been read."""
        if self.semaphore.fields[EXCESS_SIGNALS] == 0:
            return False
        self.semaphore.fields[EXCESS_SIGNALS] = 0
        if not os.read(STANDARD_INPUT, 65536):
            return True
        self._watch()
        return False


def _is_pipe(descriptor: int) -> bool:
    try:
        mode = os.fstat(descriptor).st_mode
    except OSError:  # closed
        return False
    return S_ISFIFO(mode) or S_ISSOCK(mode)


def new_semaphore(vm: Machine) -> Pointers:
    """A Semaphore without signals."""
    return Pointers(vm.classes["Semaphore"], [None, None, 0])
