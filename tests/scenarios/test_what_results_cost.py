"""A result is shorter than the least that clients take, 10 KB, unless the call asks for more or for code."""

from collections.abc import Iterator
from typing import Any

import pytest

from programs import Client, environment

LEAST_LIMIT = 10 * 1024
"""Bytes of a result that the strictest client takes (docs/clients.md)."""
METHODS = "\n\n".join(f"CostlyShop >> price{number} [\n\t^ '{'a' * 200}'\n]" for number in range(60))
CHANGED = METHODS.replace("aaa'", "b'")
LONG_CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "a long string": ("evaluate", {"expression": "String new: 100000 withAll: $a"}),
    "a long Transcript": (
        "evaluate",
        {"expression": "1 to: 3000 do: [ :each | Transcript print: each; cr ]. String new: 9000 withAll: $a"},
    ),
    "a long error": ("evaluate", {"expression": "self error: (String new: 50000 withAll: $a)"}),
    "a large class": ("get_class", {"class_name": "Object"}),
    "many methods found": ("search", {"kind": "source", "query": "self"}),
    "much documentation": ("search", {"kind": "documentation", "query": "class"}),
    "long uses": ("search", {"kind": "usage", "query": "error: Smalltalk"}),
    "a long preview": ("edit_code", {"text": CHANGED, "preview": True}),
    "many errors": ("edit_code", {"text": METHODS.replace("Shop", "Zork")}),
    "many changes": ("list_changes", {"details": True}),
    "many objects": ("find_objects", {"relation": "subinstances", "class_name": "Object"}),
}
LONGER_ON_REQUEST = {"evaluate", "get_evaluation"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client whose practice image has a class with many methods."""
    with Client("--practice", env=environment(tmp_path_factory.mktemp("home"))) as client:
        client.shake_hands()
        made = client.call("edit_code", text=f"Object << #CostlyShop package: 'Costly'\n\n{METHODS}")
        assert not made["isError"], text(made)
        yield client


def text(result: dict[str, list[dict[str, str]]]) -> str:
    return "\n".join(block["text"] for block in result["content"])


@pytest.mark.parametrize("name", LONG_CALLS)
def test_a_result_is_short_enough_for_every_client(client: Client, name: str) -> None:
    tool, arguments = LONG_CALLS[name]
    assert len(text(client.call(tool, **arguments)).encode()) < LEAST_LIMIT


def test_code_comes_in_long_pages_and_in_shorter_ones_on_request(client: Client) -> None:
    kernel = {"items": ["Kernel"], "detail": "source"}
    assert 25_000 < len(text(client.call("read_code", **kernel))) < 31_000
    assert len(text(client.call("read_code", **kernel, max_characters=9_000))) < LEAST_LIMIT
    assert len(text(client.call("read_code", **kernel, max_characters=200_000))) < 31_000


def test_a_package_that_is_longer_than_a_page_is_read_as_an_outline(client: Client) -> None:
    read = text(client.call("read_code", items=["Collections-Stack", "Kernel"]))
    assert "Stack >> push: anObject [" in read
    assert "Kernel: " in read
    assert "Object >> " not in read
    assert "In outline, because it is longer than an answer: Kernel." in read


def test_a_long_error_begins_with_its_cause(client: Client) -> None:
    result = client.call("evaluate", expression="self error: (String new: 50000 withAll: $a)")
    first = text(result).partition("\n")[0]
    assert first.startswith("Error: aaa")
    assert first.endswith("a…")


def test_the_rest_of_a_preview_is_counted(client: Client) -> None:
    shown = text(client.call("edit_code", text=CHANGED, preview=True))
    assert "CostlyShop>>price0:" in shown
    assert "more parts would change; preview fewer at once." in shown


def test_tools_with_longer_results_on_request_say_how_long(client: Client) -> None:
    tools = client.request("tools/list")["result"]["tools"]
    told = {tool["name"]: tool["_meta"] for tool in tools if "_meta" in tool}
    assert told == {name: {"anthropic/maxResultSizeChars": 200_000} for name in LONGER_ON_REQUEST}
