"""Practice images that start in no time: forks of a process in which the companion was loaded once.

`python -m end_to_end.nursery` starts one, a process of its own, for each line on standard input, and prints
its process id when it listens. They end when it does, at the latest.
"""

import os
import selectors
import signal
import sys
from pathlib import Path
from typing import NoReturn

from pharo_practice.compiling.compiler import evaluate
from pharo_practice.image import boot
from pharo_practice.loading import load
from pharo_practice.machine.machine import Machine
from pharo_practice.serving import serve

COMPANION = Path(__file__).parents[2] / "pharo"


def main() -> None:
    """Start images until standard input ends."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    vm = boot()
    load(vm, COMPANION)
    reader, writer = os.pipe()
    for _ in sys.stdin:
        if os.fork() == 0:
            os.close(writer)
            os.dup2(reader, 0)  # it ends with the nursery, which alone can write there
            run(vm)


def run(vm: Machine) -> NoReturn:
    """Be an image from now on."""
    vm.scheduler.timers_and_io.selector = selectors.DefaultSelector()  # the other one belongs to the nursery
    evaluate(vm, "PharoMcp start")
    print(os.getpid(), flush=True)  # noqa: T201 - that is how it tells
    os._exit(serve(vm))


if __name__ == "__main__":
    main()
