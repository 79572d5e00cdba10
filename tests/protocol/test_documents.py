"""The example requests of the documents that this program follows, and what is answered to them.

A document is `{document, source, handshake, exchanges}`, an exchange `{about, source, request, reply}`: the
request as the document writes it, and our reply by shape; a notification has no reply. The names that the
documents invent are registered in the image by `documents/registered.st`.

A shape is a reply in which `<string>` and its like stand for any value of that type and `<absent>` for no
value. A reply may have more members and more elements than its shape.

What is deliberately otherwise than a document has it is in `documents/otherwise.json`, each with its reason:
`steps` are exchanges, `told` is what is told of them without being asked, `never` what is told never.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from types import EllipsisType
from typing import Any, NamedTuple

import pytest

from end_to_end.answers import eventually, value
from programs import Client, LiveImage, start_practice_image

FOLDER = Path(__file__).parent / "documents"
OTHERWISE = json.loads((FOLDER / "otherwise.json").read_text("utf-8"))
DOCUMENTS = {
    document["document"]: document
    for name in ("llm_pharo_mcp", "ma2d", "erlmcp")
    for document in [json.loads((FOLDER / f"{name}.json").read_text("utf-8"))]
}
EXCHANGES = [
    pytest.param(name, exchange, id=f"{name}: {exchange['about']}")
    for name, document in DOCUMENTS.items()
    for exchange in document["exchanges"]
]
TYPES = {
    "<string>": str,
    "<integer>": int,
    "<boolean>": bool,
    "<object>": dict,
    "<list>": list,
    "<absent>": EllipsisType,
}
PING = {"jsonrpc": "2.0", "id": "after a notification", "method": "ping"}


class Conversation(NamedTuple):
    """A client that shook hands as a document does, and what it was answered."""

    client: Client
    welcome: Any


Converse = Callable[[str], Conversation]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveImage]:
    """An image with the registrations of the documents."""
    image = start_practice_image(tmp_path_factory.mktemp("home"))
    with image.program:
        with Client(env=image.env()) as client:
            client.shake_hands()
            value(client, (FOLDER / "registered.st").read_text("utf-8"))
        yield image


@pytest.fixture(scope="module")
def converse(image: LiveImage) -> Iterator[Converse]:
    """Gives the conversation of a document, one for all its tests."""
    with ExitStack() as stack:

        @cache
        def conversation(document: str) -> Conversation:
            client = stack.enter_context(Client(env=image.env()))
            welcome = ask(client, DOCUMENTS[document]["handshake"]["request"])
            client.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            eventually(lambda: has_tool(client, "calculate"))
            return Conversation(client, welcome)

        yield conversation


def has_tool(client: Client, tool: str) -> bool:
    return tool in {each["name"] for each in client.request("tools/list")["result"]["tools"]}


def ask(client: Client, message: object) -> Any:
    """Send a message; the next response. What is told before it is kept."""
    client.send(message)
    while isinstance(said := client.receive(), dict) and "method" in said:
        client.told.append(said)
    return said


def play(client: Client, exchange: dict[str, Any]) -> None:
    request = exchange["request"]
    if "reply" not in exchange:
        client.send(request)
        assert ask(client, PING)["id"] == PING["id"]
        return
    reply = ask(client, request)
    if isinstance(request, dict):
        assert (reply["jsonrpc"], reply["id"]) == ("2.0", request["id"])
    assert [*misfits(reply, exchange["reply"])] == []


def misfits(shown: Any, shape: Any, where: str = "reply") -> Iterator[str]:
    """Where a value is not of a shape."""
    match shape:
        case dict() if isinstance(shown, dict):
            for name, inner in shape.items():
                yield from misfits(shown.get(name, ...), inner, f"{where}.{name}")
        case list() if isinstance(shown, list):
            for inner in shape:
                if not any(fits(each, inner) for each in shown):
                    yield f"{where} has no element like {inner}: {shown}"
        case str() if shape in TYPES and type(shown) is TYPES[shape]:
            pass
        case _ if shown != shape:
            yield f"{where} is {shown!r}, not {shape!r}"


def fits(shown: Any, shape: Any) -> bool:
    return not any(misfits(shown, shape))


@pytest.mark.parametrize("document", DOCUMENTS)
def test_hands_are_shaken_as_a_document_does(document: str, converse: Converse) -> None:
    handshake = DOCUMENTS[document]["handshake"]
    welcome = converse(document).welcome
    assert welcome["id"] == handshake["request"]["id"]
    assert [*misfits(welcome, handshake["reply"])] == []


@pytest.mark.parametrize(("document", "exchange"), EXCHANGES)
def test_a_request_of_a_document_is_answered(
    document: str, exchange: dict[str, Any], converse: Converse
) -> None:
    play(converse(document).client, exchange)


@pytest.mark.parametrize("case", OTHERWISE, ids=[case["about"] for case in OTHERWISE])
def test_deliberate_differences_from_the_documents(case: dict[str, Any], converse: Converse) -> None:
    assert case["reason"]
    client = converse(case["document"]).client
    for step in case["steps"]:
        play(client, step)
    for shape in case.get("told", []):
        while not any(fits(each, shape) for each in client.told):
            client.told.append(client.receive())
    assert [each for each in client.told for shape in case.get("never", []) if fits(each, shape)] == []
