"""The contract between the languages, played against the companion: given this request, that reply."""

import copy
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any

import httpx
import pytest

import pharo_mcp
from programs import PATIENCE, LiveImage

EXCHANGES = sorted((Path(__file__).parents[1] / "exchanges").glob("*.json"))


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

    file = evaluate("server := PmcServer startReadOnlyOn: 0. server connectionFile fullName")
    yield LiveImage(image.home, json.loads(Path(file.strip("'")).read_text("utf-8")))
    evaluate("server stop")


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
        assert body["ok"], body
        keep = step.get("keep", {})
        kept |= {f"{{{name}}}": reduce(getitem, keys(path), body) for name, path in keep.items()}
    return kept


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


def masked(body: object, paths: list[str]) -> object:
    """A body with the values that vary replaced by the names of their JSON types."""
    result: Any = copy.deepcopy(body)
    for path in paths:
        *above, last = keys(path)
        place = reduce(getitem, above, result)
        place[last] = type(place[last]).__name__
    return result


@pytest.mark.parametrize("file", EXCHANGES, ids=lambda file: file.stem)
def test_the_companion_answers(
    request: pytest.FixtureRequest, client: httpx.Client, image: LiveImage, file: Path
) -> None:
    exchange = json.loads(file.read_text("utf-8"))
    if "with" in exchange:
        pytest.skip(f"the practice image has no {', '.join(exchange['with'])}")
    if exchange.get("readOnly"):
        image = request.getfixturevalue("image_for_reading")
    exchange = filled(exchange, take(exchange.get("before", []), client, image))
    response = client.send(request_of(exchange["request"], image))
    take(exchange.get("after", []), client, image)
    assert response.headers["X-Pharo-Mcp"] == pharo_mcp.__version__
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.content.isascii()
    varies = exchange.get("varies", [])
    assert (response.status_code, masked(response.json(), varies)) == (
        exchange["reply"]["status"],
        masked(exchange["reply"]["body"], varies),
    )
