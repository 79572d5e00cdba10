"""What tests could leave behind in an image that others work with: each thing as a line."""

from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx

from programs import PATIENCE, LiveImage, running_images

CODE = """'{file}' asFileReference writeStreamDo: [ :stream |
    self packageOrganizer packages do: [ :package |
        stream nextPutAll: 'package ' , package name; lf.
        package definedClasses do: [ :class |
            stream nextPutAll: 'class ' , class name , ' in ' , package name; lf ] ] ].
7"""
KEYS = {"tools": "name", "resources": "uri", "resourceTemplates": "uriTemplate", "prompts": "name"}


def traces(home: Path, folder: Path) -> set[str]:
    """Packages, classes, registered things, running evaluations and connection files of the only image."""
    image = _only_image(home)
    return {*_code(image, folder / "code.txt"), *_registered(image), *_running(image)}


def _only_image(home: Path) -> LiveImage:
    """Soon there is but one: an image that stops takes its connection file away a moment later."""
    until = monotonic() + PATIENCE
    while len(found := running_images(home)) != 1 and monotonic() < until:
        sleep(0.1)
    assert len(found) == 1, f"{len(found)} connection files are in {home}"
    return found[0]


def _code(image: LiveImage, file: Path) -> set[str]:
    """The image writes them into a file, since they are more than an answer holds."""
    _ask(image, "/evaluate", expression=CODE.format(file=file.as_posix()))
    lines = set(file.read_text("utf-8").splitlines())
    file.unlink()
    return lines


def _registered(image: LiveImage) -> Iterator[str]:
    registrations = _ask(image, "/registrations")
    for kind, key in KEYS.items():
        yield from (f"{kind} {each[key]}" for each in registrations[kind])


def _running(image: LiveImage) -> Iterator[str]:
    """What still runs after a while: some of it may be ending."""
    until = monotonic() + PATIENCE
    while (running := _ask(image, "/status")["running"]) and monotonic() < until:
        sleep(0.1)
    yield from (f"running {each}" for each in running)


def _ask(image: LiveImage, path: str, **body: object) -> Any:
    headers = {"Authorization": f"Bearer {image.token}"}
    with httpx.Client(base_url=image.url, headers=headers, trust_env=False, timeout=PATIENCE) as client:
        reply = (client.get(path) if path == "/status" else client.post(path, json=body)).json()
    assert reply["ok"], reply
    return reply["value"]
