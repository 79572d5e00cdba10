"""How much memory the process holds, and returning garbage to the system."""

from __future__ import annotations

import gc
import os
import sys
from functools import cache

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
