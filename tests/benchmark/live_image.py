"""A live Pharo image: what its user waits for."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any

from programs import LiveImage, running_images

from .clients import PipeClient
from .figures import Figure, Measured, percentile
from .measures import Effort, bare_requests, milliseconds
from .servers import EXPRESSION, ours

CHAPTER = "live image"
CALLS = 50
"""Calls of each round whose median counts."""
CLASSES, METHODS = 10, 5
ABSENT = "nowhere" + "ToBeFound"
"""What no source contains, this one included: all of them are searched."""


def the_live_image() -> LiveImage:
    """The image that this user has open.

    Raises:
        SystemExit: If there is none, or more than one.
    """
    images = [each for each in running_images(Path.home()) if _is_alive(int(each.connection["pid"]))]
    if len(images) != 1:
        raise SystemExit(f"{len(images)} images are live; --live measures the only one.")
    return images[0]


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def live_image(image: LiveImage, effort: Effort) -> Iterator[Figure]:
    """The times of calls in an image; what they change is undone."""
    named = partial(Measured, CHAPTER, program=image.system, unit="ms")
    with bare_requests(image) as request, ours(image).session() as client:
        rounds = [
            (
                percentile(
                    [
                        milliseconds(partial(call, client, "evaluate", {"expression": EXPRESSION}))
                        for _ in range(CALLS)
                    ],
                    50,
                ),
                percentile([milliseconds(request) for _ in range(CALLS)], 50),
            )
            for _ in range(effort.rounds)
        ]
        yield named(f"`evaluate` of `{EXPRESSION}`, p50").beside("the same request by httpx", rounds)
        edited, undone = zip(*(edit_and_undo(client, number) for number in range(effort.rounds)), strict=True)
        yield named(f"`edit_code` of {CLASSES} classes with {CLASSES * METHODS} methods").alone(edited)
        yield named("`undo_change` of all that").alone(undone)
        for name, arguments in (
            ("search", {"kind": "source", "query": ABSENT}),
            ("find_objects", {"relation": "path_to_root", "class_name": "PmcServer"}),
        ):
            times = [milliseconds(partial(call, client, name, arguments)) for _ in range(effort.rounds)]
            yield named(f"`{name}` {' '.join(arguments.values())}").alone(times)


def edit_and_undo(client: PipeClient, number: int) -> tuple[float, float]:
    """The milliseconds of an edit, and of undoing it."""
    started = perf_counter()
    answer = call(client, "edit_code", {"text": new_code(number)})
    edited = (perf_counter() - started) * 1000
    change = int(answer.partition("\nChange ")[2].partition(".")[0])
    return edited, milliseconds(partial(call, client, "undo_change", {"change": change}))


def new_code(number: int) -> str:
    """Classes with methods, different ones for each number."""
    return "\n\n".join(
        f"Object << #BenchmarkOf{number}x{each} package: 'BenchmarkOfPharoMcp'\n\n"
        + "\n\n".join(
            f"BenchmarkOf{number}x{each} >> answer{method} [\n\t^ {method} + self hash\n]"
            for method in range(METHODS)
        )
        for each in range(CLASSES)
    )


def call(client: PipeClient, tool: str, arguments: dict[str, Any]) -> str:
    """The text that a tool returns.

    Raises:
        RuntimeError: If it fails: a failure takes another time.
    """
    result = client.request("tools/call", name=tool, arguments=arguments)["result"]
    text = str(result["content"][0]["text"])
    if result.get("isError"):
        raise RuntimeError(f"{tool}: {text}")
    return text
