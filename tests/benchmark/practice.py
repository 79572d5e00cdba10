"""The practice image, measured alone: start, evaluation, memory."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from programs import start_practice_image

from .figures import Figure, Measured, percentile
from .measures import Effort, bare_requests, milliseconds, resident

START_MS, EVALUATION_MS, MEMORY_MB = 250.0, 5.0, 40.0
NAME = "practice image"


def practice_image(effort: Effort) -> Iterator[Figure]:
    """Its start until it has answered a request, an evaluation over HTTP, and its memory.

    An earlier session has left what it read and compiled in the cache, as in all sessions but the first.
    """
    started, evaluated, sizes = [], [], []
    with tempfile.TemporaryDirectory() as home:
        image = start_practice_image(Path(home), loads=())
        with image.program as program, bare_requests(image) as request:
            for _ in range(effort.calls):
                request()
            program.close_input()
            program.wait()
    for _ in range(effort.rounds):
        begun = perf_counter()
        with tempfile.TemporaryDirectory() as home:
            image = start_practice_image(Path(home), loads=())
            with image.program as program, bare_requests(image) as request:
                started.append((perf_counter() - begun) * 1000)
                times = [milliseconds(request) for _ in range(effort.calls)]
                evaluated.append(percentile(times, 50))
                sizes.append(resident(program.process.pid))
    yield Measured(NAME, "start to the first answer", NAME, "ms", START_MS).alone(started)
    yield Measured(NAME, "an evaluation of `3 + 4`, p50", NAME, "ms", EVALUATION_MS).alone(evaluated)
    if known := [size for size in sizes if size is not None]:
        name = f"memory after {effort.calls:,} evaluations"
        yield Measured(NAME, name, NAME, "MB", MEMORY_MB).alone(known)
