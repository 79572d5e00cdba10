"""The contract with the companion, from the front end's side.

The client must send exactly what an exchange says, and understand exactly what it answers.
"""

import json
import re
from collections.abc import Callable, Mapping
from keyword import iskeyword
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

import httpx
import pytest
import respx

import pharo_mcp
from pharo_mcp.address import Address
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import Caller, ImageClient
from pharo_mcp.image.connection import CompanionConnection, Endpoint, PendingRequest
from pharo_mcp.image.errors import ImageError, RequestRefused, SmalltalkError
from pharo_mcp.image.images import at
from pharo_mcp.image.watch import Followed
from pharo_mcp.strict_json import write_shape
from programs import PATIENCE

EXCHANGES = {
    # Where the number of an event comes from an earlier answer, any will do here.
    path.stem: json.loads(path.read_text("utf-8").replace('"{next}"', "7"))
    for path in sorted((Path(__file__).parents[1] / "contract").glob("*.json"))
}
ADDRESS = Address(50123, "5ec2e7")
HEADER = {"X-Pharo-Mcp": pharo_mcp.__version__}

Ask = Callable[[ImageClient, Mapping[str, Any]], Any]
TABLE: Mapping[str, Endpoint[Any]] = {
    each.path: each for each in vars(endpoints).values() if isinstance(each, Endpoint)
}
EVALUATIONS = {"/evaluate", "/load", "/profile", "/registrations/call", "/tests", "/undo"}


def asking(path: str) -> Ask:
    """What sends a request to a path: mostly the endpoint of the table."""

    def ask(client: ImageClient, body: Mapping[str, Any]) -> Any:
        named = members(body)
        if path not in EVALUATIONS:
            return client.ask(TABLE[path], **named)
        return client.run(TABLE[path], Caller(named.pop("evaluation", None)), **named)

    return OTHERWISE.get(path, ask)


OTHERWISE: Mapping[str, Ask] = {
    "/status": lambda client, _: client.status(),
    "/events": lambda _, body: followed(body["listener"]).events(body["since"], body["waitSeconds"]),
    "/evaluation": lambda client, body: client.follow(**arguments(body)),
    "/answer": lambda client, body: client.questions.answer(**body),
    "/debug": lambda client, body: (
        client.ask(endpoints.FRAME, **members(body))
        if "frame" in body
        else client.ask(endpoints.STACK, **members(body))
    ),
    "/debug/step": lambda client, body: client.step(**arguments(body)),
    "/stop": lambda client, body: (
        client.interrupt() if body.get("interrupt") else client.stop(body.get("evaluation"))
    ),
}


def followed(listener: str) -> Followed:
    return Followed(CompanionConnection.connect(ADDRESS, monotonic() + PATIENCE), listener, PendingRequest())


# Mistakes that no front end of ours ever makes: there it must only understand the answer.
NEVER_CAUSED = {
    "badRequest",
    "forbidden",
    "methodNotAllowed",
    "tooLarge",
    "unauthorized",
    "unknownEndpoint",
    "unsupportedMediaType",
}
NEVER_SENT = {
    name
    for name, exchange in EXCHANGES.items()
    if exchange["reply"]["body"].get("error", {}).get("kind") in NEVER_CAUSED
}
SENT = sorted(EXCHANGES.keys() - NEVER_SENT)


def arguments(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request's body as arguments of a method that knows evaluations by `evaluation_id`."""
    named = members(body)
    if "evaluation" in named:
        named["evaluation_id"] = named.pop("evaluation")
    return named


def members(body: Mapping[str, Any]) -> dict[str, Any]:
    """A request's body as arguments: words joined by underscores instead of capitals."""
    return {as_argument(key): value for key, value in body.items()}


def as_argument(key: str) -> str:
    name = re.sub("[A-Z]", lambda found: f"_{found[0].lower()}", key)
    return f"{name}_" if iskeyword(name) else name


class Played(NamedTuple):
    request: httpx.Request
    outcome: Any


def play(exchange: Mapping[str, Any], ask: Ask, path: str) -> Played:
    """Ask while an image answers as the exchange says; the last request and what the client made of it."""
    status, body = EXCHANGES["status"]["reply"].values()
    reply = exchange["reply"]
    client = ImageClient(at(ADDRESS))
    with respx.mock(base_url=ADDRESS.url, assert_all_called=False) as image:
        image.get("/status").respond(status, json=body, headers=HEADER)
        if path != "/status":
            image.post(path).respond(reply["status"], json=reply["body"], headers=HEADER)
        try:
            outcome = ask(client, exchange["request"].get("body", {}))
        except ImageError as error:
            outcome = error
        client.close()
        return Played(image.calls.last.request, outcome)


@pytest.mark.parametrize("name", SENT)
def test_the_client_sends_exactly_that(name: str) -> None:
    expected = EXCHANGES[name]["request"]
    request = play(EXCHANGES[name], asking(expected["path"]), expected["path"]).request
    assert (request.method, request.url.path) == (expected["method"], expected["path"])
    assert request.headers["Authorization"] == f"Bearer {ADDRESS.token}"
    assert request.headers["Host"] == f"127.0.0.1:{ADDRESS.port}"
    if expected["method"] == "POST":
        assert request.headers["Content-Type"] == "application/json"
        assert request.content.isascii()
        assert json.loads(request.content) == expected["body"]
    else:
        assert request.content == b""


@pytest.mark.parametrize("name", SENT)
def test_the_client_understands_exactly_that(name: str) -> None:
    exchange = EXCHANGES[name]
    path = exchange["request"]["path"]
    check_understood(exchange["reply"]["body"], play(exchange, asking(path), path).outcome)


@pytest.mark.parametrize("name", sorted(NEVER_SENT))
def test_the_client_understands_refusals_of_what_it_never_sends(name: str) -> None:
    def ask(client: ImageClient, _: object) -> Any:
        return client.evaluate("3 + 4")

    check_understood(EXCHANGES[name]["reply"]["body"], play(EXCHANGES[name], ask, "/evaluate").outcome)


def check_understood(body: Mapping[str, Any], outcome: Any) -> None:
    if body["ok"]:
        understood = write_shape(outcome)
        assert understood | body["value"] == understood
        return
    assert isinstance(outcome, ImageError)
    assert outcome.kind == body["error"]["kind"]
    if isinstance(outcome, SmalltalkError | RequestRefused):
        assert outcome.details | body["error"] == outcome.details
        assert body["error"]["messageText"] in outcome.message
