"""The practice image, measured alone: start, evaluation, memory."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

from programs import Program, start_practice_image

from .figures import Figure, Measured, percentile
from .measures import IN_A_ROW, Effort, bare_requests, milliseconds, resident
from .quiet import Machine, Taken

START_MS, EVALUATION_MS, MEMORY_MB = 250.0, 5.0, 40.0
NAME = "practice image"
STARTS_FOR_ONE = 10
"""At most this many starts for each that is wanted: a start takes longer than many quiet moments."""


@contextmanager
def requests_to_an_image() -> Iterator[tuple[Program, Callable[[], object]]]:
    """A practice image of its own that has answered once, and what sends it an evaluation."""
    with tempfile.TemporaryDirectory() as home:
        image = start_practice_image(Path(home), loads=())
        with image.program as program, bare_requests(image) as request:
            yield program, request


def time_to_start() -> float:
    """The milliseconds from starting an image to its first answer; that of ending it is not included."""
    begun = perf_counter()
    with requests_to_an_image():
        return (perf_counter() - begun) * 1000


def practice_image(effort: Effort, machine: Machine) -> Iterator[Figure]:
    """Its start until it has answered a request, an evaluation over HTTP, and its memory.

    An earlier session has left what it read and compiled in the cache, as in all sessions but the first;
    meanwhile the machine is seen in quiet moments.
    """
    with requests_to_an_image() as (program, request):
        evaluations(request, effort, machine)
        program.close_input()
        program.wait()
    started = machine.take(time_to_start, effort.rounds, tries=STARTS_FOR_ONE)
    yield Measured(NAME, "start to the first answer", NAME, "ms", START_MS).alone(*started)
    evaluated, sizes = [], []
    for _ in range(effort.rounds):
        with requests_to_an_image() as (program, request):
            evaluated.append(evaluations(request, effort, machine))
            sizes.append(resident(program.process.pid))
    quiet = [taken for taken in evaluated if taken.is_quiet] or evaluated
    p50 = [percentile([time for row in taken.values for time in row], 50) for taken in quiet]
    name = "an evaluation of `3 + 4`, p50"
    yield Measured(NAME, name, NAME, "ms", EVALUATION_MS).alone(p50, quiet[0].is_quiet)
    if known := [size for size in sizes if size is not None]:
        name = f"memory after {effort.calls:,} evaluations or more"
        yield Measured(NAME, name, NAME, "MB", MEMORY_MB).alone(known)


def evaluations(request: Callable[[], object], effort: Effort, machine: Machine) -> Taken[list[float]]:
    """The milliseconds of as many evaluations as asked for, some in a row each time."""
    return machine.take(
        lambda: [milliseconds(request) for _ in range(IN_A_ROW)], max(1, effort.calls // IN_A_ROW)
    )
