"""The contract between the languages, played against the companion: given this request, that reply."""

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

import pharo_mcp
from programs import PATIENCE, LiveImage

EXCHANGES = sorted((Path(__file__).parents[1] / "exchanges").glob("*.json"))


def request_of(exchange: Mapping[str, Any], image: LiveImage) -> httpx.Request:
    """The request as its sender would send it, with the headers that an exchange implies."""
    told = exchange["request"]
    content = told.get("rawBody", json.dumps(told["body"]) if "body" in told else None)
    headers = {"Authorization": f"Bearer {image.token}"}
    if content is not None:
        headers["Content-Type"] = "application/json"
    headers |= {name: value for name, value in told["headers"].items() if value is not None}
    for name in [name for name, value in told["headers"].items() if value is None]:
        del headers[name]
    return httpx.Request(told["method"], image.url + told["path"], headers=headers, content=content)


def masked(body: object, paths: list[str]) -> object:
    """A body with the values that vary replaced by the names of their JSON types."""
    result: Any = copy.deepcopy(body)
    for path in paths:
        *above, last = (int(key) if key.isdecimal() else key for key in path.split("."))
        place = result
        for key in above:
            place = place[key]
        place[last] = type(place[last]).__name__
    return result


@pytest.mark.parametrize("file", EXCHANGES, ids=lambda file: file.stem)
def test_the_companion_answers(image: LiveImage, file: Path) -> None:
    exchange = json.loads(file.read_text("utf-8"))
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        response = client.send(request_of(exchange, image))
    assert response.headers["X-Pharo-Mcp"] == pharo_mcp.__version__
    assert response.headers["Content-Type"].startswith("application/json")
    assert response.content.isascii()
    varies = exchange.get("varies", [])
    assert (response.status_code, masked(response.json(), varies)) == (
        exchange["reply"]["status"],
        masked(exchange["reply"]["body"], varies),
    )
