"""How deep a process may recurse and how much memory the image may take before OutOfMemory is signalled.

What is large, or may be, is counted before it is allocated (``Limits.reserve``), so that the ceiling holds
at each allocation. What is small is counted in bulk, between two quanta of work.
"""

from __future__ import annotations

import gc
import os
import sys
from functools import cache

from pharo_practice.machine.interpreter import Interpreter, log_error
from pharo_practice.machine.scheduler import Scheduler
from pharo_practice.model.objects import DEAD

STATM = "/proc/self/statm"
PAGE = 4096


def resident_memory() -> int:
    """Bytes of memory that the process holds; 0 where the system does not report it."""
    if sys.platform != "linux":
        return 0
    return int(os.pread(_statm(), 100, 0).split(None, 2)[1]) * PAGE


@cache
def _statm() -> int:
    """The descriptor of Linux's report; opened once, since it is read all the time."""
    return os.open(STATM, os.O_RDONLY)


def give_back_garbage() -> None:
    """Return the memory of unreachable objects to the system; glibc would keep much of it for later."""
    import ctypes  # here: most images never grow so large

    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


USER_PRIORITY = 40
LOST = "A process that ran out of memory went on taking more. It was ended without unwinding."
POINTER = 8
"""Bytes that an element of an array takes."""
HEADROOM = 20_000
"""How many contexts deeper a process may go while it handles an OutOfMemory."""
MOST_HEADROOMS = 4
"""How often a process may go deeper still before it is ended."""
GARBAGE = 200_000_000
"""Bytes by which the image grows before garbage is looked for: the collector counts objects, not bytes."""
SMALL = 4_096
"""Bytes up to which a new object is not counted by itself."""
STEP = 4_000_000
"""Bytes that are reserved between two measurements."""
CHECKS_BETWEEN_DEPTHS = 16
"""Counting the contexts of a process takes a while."""
CHECKS_BETWEEN_MEASUREMENTS = 4
"""Measuring the memory takes some microseconds."""
MEMORY = 512_000_000
"""Bytes of the object memory, unless told otherwise."""
GRACE = 16
"""Checks of the memory during which a process may handle an OutOfMemory before it gets another."""


class Limits:
    """Bounds that an endless recursion reaches within a second or two."""

    def __init__(self, vm: Interpreter, scheduler: Scheduler) -> None:
        self.vm = vm
        self.scheduler = scheduler
        self.depth = 300_000
        """Contexts in one process."""
        self.memory = MEMORY
        """Bytes of resident memory of the whole image; booting adds what it takes itself."""
        self.old_space = 0
        """Bytes to which the image lets itself grow; 0 if it sets no limit."""
        self.signalled_at = 0
        """How deep the process was when it last got OutOfMemory; 0 when it has come back up."""
        self.least = 0
        """The least memory that was held since garbage was last looked for."""
        self.reserved = 0
        """Bytes that were reserved since memory was last measured."""
        self.grace = 0
        """Checks of the memory left until a process may get another OutOfMemory."""
        self.checks = 0

    # memory

    def held_memory(self) -> int:
        """Bytes of memory in use, with little garbage among them; 0 where the system does not report it."""
        held = resident_memory()
        if held > self.least + GARBAGE:
            held = self._without_garbage()
        self.least = min(self.least, held)
        return held

    def reserve(self, size: int) -> None:
        """Count the bytes of an object that is about to be allocated.

        Raises:
            MemoryError: If it would take the image over its limit; the process that asks gets OutOfMemory.
        """
        self.reserved += size
        if self.reserved >= STEP:
            self.reserved = 0
            if self._is_beyond(self._memory_for_active(), size):
                raise MemoryError

    def _is_beyond(self, most: int, more: int = 0) -> bool:
        """Whether that many more bytes would exceed the limit; garbage is not counted."""
        return self.held_memory() + more > most and self._without_garbage() + more > most

    def _memory_for_active(self) -> int:
        """The bound for the active process; urgent ones may take more, to end those that take too much."""
        most = self.memory if self.scheduler.priority <= USER_PRIORITY else self.memory * 5 // 4
        return min(most, self.old_space or most)

    def _without_garbage(self) -> int:
        give_back_garbage()
        self.least = resident_memory()
        return self.least

    # checks between two quanta of work

    def check(self) -> None:
        """Signal OutOfMemory in the active process where the image is too large or the process too deep."""
        self.checks += 1
        if self.checks % CHECKS_BETWEEN_MEASUREMENTS == 0:
            self._check_memory()
        if self.checks % CHECKS_BETWEEN_DEPTHS == 0:
            self._check_depth()

    def _check_depth(self) -> None:
        allowed = self.depth + self.signalled_at
        depth, context = 0, self.vm.active
        while context is not DEAD and depth <= allowed:
            context = context.sender
            depth += 1
        if depth < self.depth:
            self.signalled_at = 0
        if depth <= allowed:
            return
        if self.signalled_at >= MOST_HEADROOMS * HEADROOM:
            self._lose_process()
        else:
            self.signalled_at += HEADROOM
            self._interrupt()

    def _check_memory(self) -> None:
        """Small objects, for instance, are not reserved one by one."""
        if self.grace:
            self.grace -= 1
        if self.held_memory() <= self.memory or self.scheduler.active is None:
            return
        if self._is_beyond(self.memory * 3 // 2):  # it went on taking memory after OutOfMemory
            self._lose_process()
        elif not self.grace and self._is_beyond(self._memory_for_active()):
            self.grace = GRACE
            self._interrupt()

    def _interrupt(self) -> None:
        self.vm.interrupt(self.vm.classes["OutOfMemory"], "primInterrupt")

    def _lose_process(self) -> None:
        """End the active process at once, without running any more of its code; the others continue."""
        log_error(__name__, LOST)
        self.signalled_at = 0
        self.scheduler.lose_active()
