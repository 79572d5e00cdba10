"""How deep a process may recurse and how much memory the image may take before OutOfMemory is signalled."""

from __future__ import annotations

import gc
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pharo_standin.code import DEAD

if TYPE_CHECKING:
    from pharo_standin.machine import Machine
    from pharo_standin.scheduler import Scheduler

STATM = Path("/proc/self/statm")
PAGE = 4096
USER_PRIORITY = 40
HEADROOM = 20_000
"""How many contexts deeper a process may go while it deals with an OutOfMemory."""
GARBAGE = 200_000_000
"""Bytes by which the image grows before garbage is looked for: the collector counts objects, not bytes."""


@dataclass(slots=True)
class Limits:
    """Bounds that a newcomer's endless recursion meets within a second or two."""

    depth: int = 300_000
    """Contexts in one process."""
    memory: int = 1_500_000_000
    """Bytes of resident memory of the whole image."""
    signalled_at: int = 0
    """How deep the process was when it last got OutOfMemory; 0 when it has come back up."""
    least: int = 0
    """The least memory that was held since garbage was last looked for."""

    def held_memory(self) -> int:
        """Bytes of memory in use, not much of it by garbage; 0 where the system does not tell."""
        held = resident_memory()
        if held > self.least + GARBAGE:
            _give_back_garbage()
            self.least = held = resident_memory()
        self.least = min(self.least, held)
        return held

    def memory_for(self, scheduler: Scheduler) -> int:
        """The bound for the active process; urgent ones go further, to end what takes so much."""
        return self.memory if scheduler.priority <= USER_PRIORITY else self.memory * 5 // 4


def check_limits(vm: Machine) -> None:
    """Signal OutOfMemory in the active process if it is too deep or the image too large."""
    limits, allowed = vm.limits, vm.limits.depth + vm.limits.signalled_at
    depth, context = 0, vm.active
    while context is not DEAD and depth <= allowed:
        context = context.sender
        depth += 1
    if depth < limits.depth:
        limits.signalled_at = 0
    if depth > allowed or (
        limits.signalled_at == 0 and limits.held_memory() > limits.memory_for(vm.scheduler)
    ):
        limits.signalled_at += HEADROOM
        vm.interrupt(vm.classes["OutOfMemory"], "primInterrupt")


def _give_back_garbage() -> None:
    """Let the system have what nobody can reach any more; glibc would keep much of it for later."""
    import ctypes  # here: most images never grow so large

    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def resident_memory() -> int:
    """Bytes of memory that the process holds, 0 where the system does not tell."""
    try:
        os.lseek(_statm(), 0, os.SEEK_SET)
        return int(os.read(_statm(), 100).split()[1]) * PAGE
    except OSError:
        return 0


@cache
def _statm() -> int:
    """The descriptor of what Linux tells; opened once, since this is asked all the time."""
    return os.open(STATM, os.O_RDONLY)
