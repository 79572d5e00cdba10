"""The Smalltalk in the pages, evaluated in the practice image."""

import re
from collections.abc import Iterator

import pytest

from asked import DECLINED, AskedClient, accepted
from examples.pages import Block, blocks_of
from programs import Client, environment

ASKS = "'Whose pizza?'"
"""A part of the snippet that asks the user."""
LACKING = {"Metacello": "the practice image loads packages from folders and has no Metacello"}
"""Classes that the practice image lacks, with the reason; what begins with one of them is only compiled."""


@pytest.fixture(autouse=True)
def shop(client: Client) -> None:
    """What the example of a registered tool supposes to be in the image."""
    client.call("define_class", class_name="Shop", package="Shop")
    client.call("compile_method", class_name="Shop", source="orderAt: aNumber ^ self new", side="class")
    client.call("compile_method", class_name="Shop", source="total ^ 42")


def text(result: object) -> str:
    assert isinstance(result, dict)
    return "\n".join(content["text"] for content in result["content"])


def lacking(block: Block) -> str | None:
    """The class with which a block begins, if the practice image lacks it."""
    found = re.match(r"\w+", block.text)
    return found[0] if found and found[0] in LACKING else None


@pytest.mark.parametrize(
    "block", [block for block in blocks_of("smalltalk") if ASKS not in block.text], ids=str
)
def test_a_snippet_is_evaluated_or_lacks_only_what_is_listed(client: Client, block: Block) -> None:
    result = client.call("evaluate", expression=block.text)
    if name := lacking(block):
        assert text(result).startswith(f"Undeclared variable: {name} ")
    else:
        assert not result["isError"], text(result)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AskedClient]:
    """A client that can be asked, with a practice image of its own."""
    with AskedClient("--practice", env=environment(tmp_path_factory.mktemp("asked"))) as client:
        client.shake_hands()
        yield client


@pytest.mark.parametrize("decides", [True, False])
def test_the_questions_of_the_example_are_asked(asked: AskedClient, decides: bool) -> None:
    [block] = [block for block in blocks_of("smalltalk") if ASKS in block.text]
    asked.answers = {
        "Whose pizza?": accepted("Grace"),
        "What size?": accepted("large"),
        "Order it now?": accepted(decides),
    }
    asked.asked.clear()
    answer = text(asked.call("evaluate", expression=block.text))
    assert answer == ("'Grace gets size 2'" if decides else "'Nothing was ordered.'")
    assert asked.asked == list(asked.answers)


def test_the_tool_that_asks_can_be_called(asked: AskedClient) -> None:
    [block] = [block for block in blocks_of("smalltalk") if "name: 'print_order'" in block.text]
    question = "Where should the order be printed?"
    asked.call("evaluate", expression=block.text)
    asked.answers = {question: {"action": "accept", "content": {"printer": "office", "copies": 2}}}
    assert text(asked.call("print_order")) == "Sent to office"
    asked.answers = {question: DECLINED}
    assert text(asked.call("print_order")) == "The user does not want to print it."


def test_the_registered_tool_of_the_example_can_be_called(client: Client) -> None:
    blocks = [block for block in blocks_of("smalltalk") if "name: 'order_total'" in block.text]
    assert {block.page for block in blocks} == {"README.md", "docs/write-your-own-tool.md"}
    for block in blocks:
        client.call("evaluate", expression=block.text)
        assert text(client.call("order_total", orderId="7")) == "42"


def test_the_tool_with_progress_can_be_called(client: Client) -> None:
    [block] = [block for block in blocks_of("smalltalk") if "name: 'open_orders'" in block.text]
    client.call("evaluate", expression=block.text)
    assert text(client.call("open_orders")).split() == ["7", "9"]


def test_the_resource_and_the_prompt_can_be_used(client: Client) -> None:
    [block] = [block for block in blocks_of("smalltalk") if "addResource:" in block.text]
    client.call("evaluate", expression=block.text)
    read = client.request("resources/read", uri="shop://orders/open")["result"]["contents"]
    assert read[0]["text"].split() == ["7", "9"]
    prompt = client.request("prompts/get", name="review_order", arguments={"order": "7"})["result"]
    assert prompt["messages"][0]["content"]["text"] == "Review order 7"


@pytest.mark.parametrize("name", LACKING)
def test_listed_names_are_lacking(client: Client, name: str) -> None:
    assert text(client.call("evaluate", expression=f"Smalltalk globals includesKey: #{name}")) == "false"
