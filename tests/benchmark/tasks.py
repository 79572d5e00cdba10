"""What a model pays for the evaluation set: calls and bytes, and whether each task succeeds."""

from collections.abc import Iterator

from programs import Client, LiveImage
from scenarios.playing import TASKS, played

from .figures import Figure, Measured
from .servers import Server

CHAPTER = "tasks"


def tasks(server: Server, image: LiveImage) -> Iterator[Figure]:
    """The figures for all tasks, played once in an image with the companion."""
    solved = calls = size = 0
    with Client(env=image.env(), command=server.command) as client:
        client.shake_hands()
        for task in TASKS:
            done = list(played(client, task))
            solved += all(each.succeeded for each in done)
            calls += len(done)
            size += sum(each.bytes for each in done)
    name = server.name
    yield Measured(CHAPTER, f"tasks solved, of {len(TASKS)}", name, "").alone([solved])
    yield Measured(CHAPTER, "calls for all tasks", name, "").alone([calls])
    yield Measured(CHAPTER, "bytes written and read for all tasks", name, "bytes").alone([size])
