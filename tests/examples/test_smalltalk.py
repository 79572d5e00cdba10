"""The Smalltalk in the pages, evaluated in the practice image."""

import re
from collections.abc import Iterator

import pytest

from asked import DECLINED, AskedClient, accepted
from examples.pages import ROOT, Block, blocks_of
from programs import Client, environment
from smalltalk_text import class_text, method_text

ASKS = "'Whose pizza?'"
"""A part of the snippet that asks the user."""
METHOD = re.compile(r"(\w+)( class)? >> (.*)", re.S)
"""A snippet that is a method, which is compiled in its class."""
LACKING = {"Metacello": "the practice image loads packages from folders and has no Metacello"}
"""Classes that the practice image lacks, with the reason; what begins with one of them is only compiled."""
OWN_TOOLS = (ROOT / "docs" / "write-your-own-tool.md").read_text("utf-8")
PRAGMAS = "' ' join: ((PmcRegistration allSubclasses reject: #isAbstract) collect: [ :each | each pragma ])"
ANSWERS: list[tuple[str, str, str, list[object]]] = [
    ("a string", "that text", "'seven'", ["seven"]),
    (
        "`PmcContent form: aForm`",
        "a picture",
        "PmcContent image: #[ 1 2 ] mimeType: 'image/png'",  # the practice image has no Form
        ["image/png"],
    ),
    (
        "`PmcContent audio: aByteArray mimeType: 'audio/wav'`",
        "a sound",
        "PmcContent audio: #[ 1 2 ] mimeType: 'audio/wav'",
        ["audio/wav"],
    ),
    (
        "`PmcContent resource: 'shop://orders/7' text: aString mimeType: 'text/plain'`",
        "a text with its URI",
        "PmcContent resource: 'shop://orders/7' text: 'seven' mimeType: 'text/plain'",
        [{"uri": "shop://orders/7", "text": "seven", "mimeType": "text/plain"}],
    ),
    (
        "a collection that includes a `PmcContent`",
        "all its elements, in order",
        "{ 'seven'. PmcContent audio: #[ 1 2 ] mimeType: 'audio/wav'. 8 }",
        ["seven", "audio/wav", "8"],
    ),
    (
        "`PmcToolResult withError: 'There is no order 7.'`",
        "an error with that text",
        "PmcToolResult withError: 'There is no order 7.'",
        ["There is no order 7."],
    ),
    ("anything else", "its print string", "#( 'seven' 8 )", ["#('seven' 8)"]),
]
"""The rows of the table of answers, an expression for each, and what a client gets."""
SENT: dict[str, tuple[dict[str, object], str]] = {
    "canAsk": ({}, "true"),
    "askAll:": ({}, "#(true 'Order')"),
    "sample:": (
        {"role": "assistant", "model": "m", "content": {"type": "text", "text": "It is paid."}},
        "It is paid.",
    ),
    "roots": ({"roots": [{"uri": "file:///home/me/shop"}]}, "file:///home/me/shop"),
}
"""What a handler sends to its call, what a client answers by itself, and a part of what the handler gets."""


@pytest.fixture(autouse=True)
def shop(client: Client) -> None:
    """What the example of a registered tool supposes to be in the image."""
    client.call("edit_code", text=class_text("Shop", package="Shop"))
    client.call("edit_code", text=method_text("Shop class", "orderAt: aNumber ^ self new"))
    client.call("edit_code", text=method_text("Shop", "total ^ 42"))


def text(result: object) -> str:
    assert isinstance(result, dict)
    return "\n".join(content["text"] for content in result["content"])


def lacking(block: Block) -> str | None:
    """The class with which a block begins, if the practice image lacks it."""
    found = re.match(r"\w+", block.text)
    return found[0] if found and found[0] in LACKING else None


@pytest.mark.parametrize(
    "block",
    [block for block in blocks_of("smalltalk") if ASKS not in block.text and not METHOD.match(block.text)],
    ids=str,
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
    [block] = [block for block in blocks_of("smalltalk") if "name: 'order_total'" in block.text]
    client.call("evaluate", expression=block.text)
    assert text(client.call("order_total", orderId="7")) == "42"


def test_the_tool_with_progress_can_be_called(client: Client) -> None:
    [block] = [block for block in blocks_of("smalltalk") if "name: 'open_orders'" in block.text]
    client.call("evaluate", expression=block.text)
    assert text(client.call("open_orders")).split() == ["7", "9"]


def test_the_tool_of_a_marked_method_can_be_called(client: Client) -> None:
    [method] = filter(None, (METHOD.match(block.text) for block in blocks_of("smalltalk")))
    name, _, source = method.groups()
    client.call("edit_code", text=class_text(name, package="Shop"))
    for each in ("piecesOf: aName ^ aName size", source):
        client.call("edit_code", text=method_text(f"{name} class", each))
    assert text(client.call("pieces_in_stock", article="lamp")) == "4"


def test_the_marks_are_those_of_the_registrations(client: Client) -> None:
    marks = re.findall(r"`<(\w+)>`", OWN_TOOLS)
    assert marks
    answered = text(client.call("evaluate", expression=PRAGMAS))
    assert set(marks) == set(answered.strip("'").split())


def test_each_row_of_the_table_of_answers_is_tried() -> None:
    table = OWN_TOOLS.partition("| the handler answers |")[2].partition("\n\n")[0]
    assert re.findall(r"^\| ([^|-].*) \| (.*) \|$", table, re.M) == [(row, got) for row, got, _, _ in ANSWERS]


@pytest.mark.parametrize(("row", "got", "expression", "contents"), ANSWERS)
def test_the_model_gets_what_the_table_of_answers_says(
    client: Client, row: str, got: str, expression: str, contents: list[object]
) -> None:
    tool = f"PmcTool name: 'answering' description: 'Answer' handler: [ :arguments | {expression} ]"
    client.call("evaluate", expression=f"PharoMcp addTool: ({tool})")
    result = client.call("answering")
    shown = [each.get("text", each.get("resource", each.get("mimeType"))) for each in result["content"]]
    assert shown == contents
    assert result["isError"] == ("error" in got), row


def test_a_protocol_error_is_for_the_client_alone(client: Client) -> None:
    tool = (
        "PmcTool name: 'failing' description: 'Fail' handler: [ :arguments | PmcProtocolError signal: 'no' ]"
    )
    client.call("evaluate", expression=f"PharoMcp addTool: ({tool})")
    assert client.request("tools/call", name="failing", arguments={})["error"]["message"] == "no"


@pytest.mark.parametrize("expression", re.findall(r"`call (\S[^`]*)`", OWN_TOOLS))
def test_a_handler_gets_what_it_asks_its_call_for(asked: AskedClient, expression: str) -> None:
    result, got = SENT[expression.split()[0]]
    tool = f"PmcTool name: 'sending' description: 'Send' handler: [ :arguments :call | call {expression} ]"
    asked.answers = {"Print it now?": accepted(True), "Title?": accepted("Order"), "": result}
    asked.call("evaluate", expression=f"PharoMcp addTool: ({tool})")
    assert got in text(asked.call("sending"))


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
