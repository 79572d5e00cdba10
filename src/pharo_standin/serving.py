"""Keeping the image alive until the one who started it closes our standard input or ends us."""

from __future__ import annotations

import os
import sys

from pharo_standin.execution import run_until
from pharo_standin.machine import Machine
from pharo_standin.objects import Pointers


def serve(vm: Machine) -> None:
    """Run every process until standard input ends."""
    descriptor = sys.stdin.fileno()
    cls = vm.classes["Semaphore"]
    semaphore = Pointers(cls, [None, None, 0])

    def has_input_ended() -> bool:
        if semaphore.fields[2] == 0:
            return False
        semaphore.fields[2] = 0
        if not os.read(descriptor, 4096):
            return True
        vm.watch(descriptor, "read", semaphore)
        return False

    try:
        vm.watch(descriptor, "read", semaphore)
    except PermissionError:  # a regular file is always ready and has nothing to say
        return
    run_until(vm, has_input_ended)
