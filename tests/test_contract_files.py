"""The files of the contract: readable, and all of one shape."""

import json
from pathlib import Path

import pytest

EXCHANGES = sorted((Path(__file__).parent / "contract").glob("*.json"))


def as_text(exchange: dict[str, object]) -> str:
    """An exchange with one member in a line."""
    members = (f"  {as_json(key)}: {as_json(value)}" for key, value in exchange.items())
    return "{\n" + ",\n".join(members) + "\n}\n"


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize("path", EXCHANGES, ids=lambda path: path.stem)
def test_an_exchange_has_its_members_one_in_a_line(path: Path) -> None:
    text = path.read_text("utf-8")
    assert text == as_text(json.loads(text))


@pytest.mark.parametrize("path", EXCHANGES, ids=lambda path: path.stem)
def test_an_exchange_has_a_description_a_request_and_a_reply(path: Path) -> None:
    exchange = json.loads(path.read_text("utf-8"))
    assert exchange["about"].endswith(".")
    assert {"method", "path"} <= exchange["request"].keys()
    assert {"status", "body"} == exchange["reply"].keys()
