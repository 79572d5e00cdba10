"""The contract between the languages, played against the companion: given this request, that reply."""

import copy
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from operator import getitem
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

import pharo_mcp
from programs import PATIENCE, LiveImage

USER_INTERFACE = "user interface"
HAS = "('{names}' substrings: '|') anySatisfy: [ :each | Smalltalk globals includesKey: each asSymbol ]"
EXCHANGES = sorted((Path(__file__).parents[1] / "contract").glob("*.json"))


@pytest.fixture
def client() -> Iterator[httpx.Client]:
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        yield client


@pytest.fixture(scope="module")
def image_for_reading(image: LiveImage) -> Iterator[LiveImage]:
    """The same image by another door, which it opened for reading only."""

    def evaluate(expression: str) -> str:
        body = {"expression": expression, "workspace": "for reading only"}
        request = request_of({"method": "POST", "path": "/evaluate", "headers": {}, "body": body}, image)
        with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
            return str(client.send(request).json()["value"]["printString"])

    file = evaluate(
        "server := PmcServer new beReadOnly; startOn: 0; yourself. server connectionFile fullName"
    )
    connection_file = Path(file.strip("'"))
    yield LiveImage(image.home, json.loads(connection_file.read_text("utf-8")))
    evaluate("server stop")
    until = monotonic() + PATIENCE
    while connection_file.exists():  # it stops after this answer has gone out
        assert monotonic() < until, "the second door stays open"
        sleep(0.05)


@pytest.fixture(scope="module")
def globals_of(image: LiveImage) -> Callable[[str], bool]:
    """Whether the image has a global of a name, or of one of several, or a user interface."""
    had: dict[str, bool] = {}

    def has(name: str) -> bool:
        if name not in had:
            present = "PmcUserInterface new isPresent"
            expression = present if name == USER_INTERFACE else HAS.format(names=name)
            body = {"expression": expression}
            request = request_of({"method": "POST", "path": "/evaluate", "headers": {}, "body": body}, image)
            with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
                had[name] = client.send(request).json()["value"]["printString"] == "true"
        return had[name]

    return has


def request_of(told: Mapping[str, Any], image: LiveImage) -> httpx.Request:
    """The request as its sender would send it, with the headers that an exchange implies."""
    content = told.get("rawBody", json.dumps(told["body"]) if "body" in told else None)
    headers = {"Authorization": f"Bearer {image.token}"}
    if content is not None:
        headers["Content-Type"] = "application/json"
    headers |= {name: value for name, value in told["headers"].items() if value is not None}
    for name in [name for name, value in told["headers"].items() if value is None]:
        del headers[name]
    return httpx.Request(told["method"], image.url + told["path"], headers=headers, content=content)


def take(steps: Iterable[Mapping[str, Any]], client: httpx.Client, image: LiveImage) -> Mapping[str, Any]:
    """Ask what comes before or after an exchange; what is kept of the replies, by the names for it."""
    kept: dict[str, Any] = {}
    for step in steps:
        body = client.send(request_of(filled(step["request"], kept), image)).json()
        assert body["ok"] is not step.get("fails", False), body
        keep = step.get("keep", {})
        kept |= {f"{{{name}}}": reduce(getitem, keys(path), body) for name, path in keep.items()}
    return kept


def finished(
    response: httpx.Response, exchange: Mapping[str, Any], client: httpx.Client, image: LiveImage
) -> httpx.Response:
    """The response, or on a busy machine that of work which should have ended, but is still running."""
    for _ in range(10):
        if is_running(exchange["reply"]["body"]) or not is_running(response.json()):
            break
        body = {"evaluation": response.json()["value"]["evaluation"], "waitSeconds": 40}
        following = {"method": "POST", "path": "/evaluation", "headers": {}, "body": body}
        response = client.send(request_of(following, image))
    return response


def is_running(body: Any) -> bool:
    """Whether a reply says that the work goes on."""
    value = body.get("value")
    return isinstance(value, dict) and "running" in value


def filled(value: Any, kept: Mapping[str, Any]) -> Any:
    """A value with what was kept in the place of the names that stand for it."""
    match value:
        case str():
            return kept.get(value, value)
        case list():
            return [filled(each, kept) for each in value]
        case dict():
            return {key: filled(each, kept) for key, each in value.items()}
    return value


def keys(path: str) -> list[Any]:
    """The names and indexes that lead to a place in a body."""
    return [int(key) if key.isdecimal() else key for key in path.split(".")]


def masked(body: object, varies: list[str], optional: list[str]) -> object:
    """A body without what may be missing, and with the names of JSON types for the values that vary."""
    result: Any = copy.deepcopy(body)
    for path in optional:
        *above, last = keys(path)
        reduce(getitem, above, result).pop(last, None)
    for path in varies:
        *above, last = keys(path)
        place = reduce(getitem, above, result)
        place[last] = type(place[last]).__name__
    return result


@pytest.mark.parametrize("file", EXCHANGES, ids=lambda file: file.stem)
def test_the_companion_answers(
    request: pytest.FixtureRequest,
    client: httpx.Client,
    image: LiveImage,
    globals_of: Callable[[str], bool],
    file: Path,
) -> None:
    exchange = json.loads(file.read_text("utf-8"))
    for name in exchange.get("with", []):
        if not globals_of(name):
            pytest.skip(f"this image has no {name.replace('|', ' or ')}")
    for name in exchange.get("without", []):
        if globals_of(name):
            pytest.skip(f"this image has {name.replace('|', ' or ')}")
    if exchange.get("readOnly"):
        image = request.getfixturevalue("image_for_reading")
    exchange = filled(exchange, take(exchange.get("before", []), client, image))
    response = finished(client.send(request_of(exchange["request"], image)), exchange, client, image)
    take(exchange.get("after", []), client, image)
    assert response.headers["X-Pharo-Mcp"] == pharo_mcp.__version__
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.content.isascii()
    varies, optional = exchange.get("varies", []), exchange.get("optional", [])
    assert (response.status_code, masked(response.json(), varies, optional)) == (
        exchange["reply"]["status"],
        masked(exchange["reply"]["body"], varies, optional),
    )
