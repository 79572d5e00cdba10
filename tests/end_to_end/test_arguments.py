"""Arguments as clients and models send them, over standard input and over HTTP."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Protocol

import pytest

from end_to_end.answers import failure, found, texts, whole
from over_http.serving import TOKEN, Web, serving
from programs import Client, LiveImage
from server.conversation import request
from smalltalk_text import class_text, code, method_text

ADDER = """PharoMcp addTool: (PmcTool
    name: 'order_total'
    description: 'Total of an order'
    inputSchema: (PmcSchema
        object: {
            'lines' -> (PmcSchema arrayOf: (PmcSchema
                object: { 'count' -> PmcSchema integer. 'gift' -> PmcSchema boolean }
                required: #( 'count' ))).
            'factor' -> PmcSchema number }
        required: #( 'lines' ))
    handler: [ :arguments |
        | lines |
        lines := arguments at: 'lines'.
        { lines inject: 0 into: [ :sum :each | sum + (each at: 'count') ].
          (lines collect: [ :each | each at: 'gift' ifAbsent: [ #none ] ]).
          arguments at: 'factor' ifAbsent: [ #none ] } printString ])"""


UNTYPED = """PharoMcp addTool: (PmcTool
    name: 'anything'
    description: 'Prints what it gets'
    inputSchema: (PmcSchema object: { 'it' -> (Dictionary newFromPairs: #( 'enum' #( 'a' 'b' ) )) })
    handler: [ :arguments | arguments printString ])"""


BOOTH = code(
    class_text("Booth", package="Fair", slots=["till"]),
    method_text("Booth", "coins ^ till"),
    method_text("Booth", "notes ^ till"),
    class_text("BoothTest", "TestCase", package="Fair"),
    method_text("BoothTest", "testCoins self assert: Booth new coins isNil"),
)


class Ask(Protocol):
    """Sends a request."""

    def __call__(self, method: str, **params: object) -> Any:
        """Its result."""


class Call(Protocol):
    """Calls a tool."""

    def __call__(self, tool: str, **arguments: object) -> Any:
        """Its result."""


@contextmanager
def over_stdio(image: LiveImage) -> Iterator[Ask]:
    with Client(env=image.env()) as client:
        client.shake_hands()
        yield lambda method, **params: client.request(method, **params)["result"]


@contextmanager
def over_http(image: LiveImage) -> Iterator[Ask]:
    ids = count(1)

    def ask(method: str, **params: object) -> Any:
        return web.post(request(next(ids), method, **params), Accept="application/json").json["result"]

    with serving(image.home, PHARO_MCP_HTTP_TOKEN=TOKEN) as (_, [line]):
        web = Web(line.split()[-1])
        web.initialize()
        yield ask


@pytest.fixture(scope="module", params=[over_stdio, over_http], ids=["stdio", "HTTP"])
def ask(request: pytest.FixtureRequest, image: LiveImage) -> Iterator[Ask]:
    """Requests of one conversation."""
    with request.param(image) as ask:
        yield ask


@pytest.fixture(scope="module")
def call(ask: Ask) -> Call:
    """Calls of that conversation."""
    return lambda tool, **arguments: ask("tools/call", name=tool, arguments=arguments)


@pytest.fixture(scope="module")
def booth(call: Call) -> Iterator[Call]:
    """Calls in an image that has a class Booth; what all tests here change is undone in the end."""
    newest = re.search(r"^    (\d+): ", whole(call("list_changes", limit=1)), re.MULTILINE)
    told(call("edit_code", text=BOOTH))
    yield call
    told(call("undo_change", to=newest[1] if newest else 0))


def told(result: Any) -> str:
    """What a result says that must not be an error."""
    assert not result.get("isError"), whole(result)
    return whole(result)


def test_null_is_left_out(call: Call) -> None:
    nothing = dict.fromkeys(("timeout_seconds", "workspace", "receiver", "error_id", "frame", "process"))
    assert texts(call("evaluate", expression="3 + 4", **nothing)) == ["7"]
    assert "expression` must be a string, not null" in failure(call("evaluate", expression=None))


@pytest.mark.parametrize("seconds", ["1", "1.0", 1.0])
def test_a_number_may_be_text(call: Call, seconds: object) -> None:
    result = call("evaluate", expression="Semaphore new wait", timeout_seconds=seconds)
    assert "terminated after 1 second" in failure(result)


def test_a_number_that_is_none_is_refused(call: Call) -> None:
    for words in ("soon", "1s", "NaN"):
        result = call("evaluate", expression="3 + 4", timeout_seconds=words)
        assert f'`timeout_seconds` must be a number, not "{words}"' in failure(result)


@pytest.mark.parametrize(
    "items",
    [["Booth>>coins", "Booth>>notes"], '["Booth>>coins", "Booth>>notes"]', '\n[ "Booth","Booth>>notes" ] '],
    ids=["array", "text", "spaced"],
)
def test_an_array_may_be_text(booth: Call, items: object) -> None:
    read = told(booth("read_code", items=items))
    assert "Booth >> coins" in read
    assert "Booth >> notes" in read


def test_an_array_of_one_may_be_its_item(booth: Call) -> None:
    assert "Booth >> coins" in told(booth("read_code", items="Booth>>coins"))
    assert "1 test: 1 passed" in told(booth("edit_code", text=BOOTH, tests="BoothTest"))


def test_an_array_with_a_mistake_is_refused(booth: Call) -> None:
    for items in ("['Booth']", '["Booth"', "{ #Booth }"):
        assert "`items` must be an array, not " in failure(booth("read_code", items=items))


def test_a_boolean_may_be_text(booth: Call) -> None:
    for true in ("true", "True", True):
        assert "testCoins self" in told(booth("list_changes", details=true, limit=1))
    for false in ("false", False, None):
        assert "testCoins self" not in told(booth("list_changes", details=false, limit=1))
    assert "`details` must be a boolean" in failure(booth("list_changes", details="yes"))


def test_a_whole_float_is_an_integer(call: Call) -> None:
    shown = told(call("evaluate", expression="'abcdef'", max_characters=3.0))
    assert shown.startswith("Characters 1 to 3 of 8.")
    for broken in (2.5, "2.5"):
        result = call("evaluate", expression="'abcdef'", max_characters=broken)
        assert "`max_characters` must be an integer, not " in failure(result)


def test_a_path_may_have_indexes_as_numbers_or_as_text(call: Call) -> None:
    shown = call("evaluate", expression="OrderedCollection with: 3 / 4")
    object_id = found(r"o-\d+", shown)
    for path in ([1, "numerator"], [1.0, "numerator"], ["1", "numerator"], '[1, "numerator"]'):
        assert told(call("inspect_object", object_id=object_id, path=path)).startswith("3\n")


def test_the_arguments_of_registered_tools_are_understood_likewise(call: Call) -> None:
    told(call("evaluate", expression=ADDER))
    for lines in (
        [{"count": 2}, {"count": 3}],
        '[{"count": 2.0}, {"count": "3"}]',
        [{"count": 2, "gift": None}, {"count": "3"}],
    ):
        assert texts(call("order_total", lines=lines, factor=None)) == ["#(5 #(#none #none) #none)"]
    [answer] = texts(call("order_total", lines={"count": "7", "gift": "true"}, factor="1.5"))
    assert answer == "#(7 #(true) 1.5)"
    wrong = call("order_total", lines=[{"count": 2.5}])
    assert "`lines[0].count` must be an integer, not 2.5" in failure(wrong)
    told(call("evaluate", expression="PharoMcp removeTool: 'order_total'"))


def test_a_schema_that_not_every_client_takes_is_refused_where_it_is_written(call: Call) -> None:
    refused = failure(call("evaluate", expression=UNTYPED))
    assert "Each part of an input schema must have a type" in refused


@pytest.mark.parametrize("blank", ["", "  "])
def test_an_empty_name_of_what_must_be_named_is_refused(booth: Call, blank: str) -> None:
    refused = booth("edit_code", text=f"Object << #Booth package: '{blank}'")
    assert "The package of Booth must have a name." in failure(refused)
    assert "Booth, a class in package Fair\n" in told(booth("get_class", class_name="Booth"))
    assert "`class_name` must not be empty" in failure(booth("get_class", class_name=blank))
    assert "edit_code needs text or remove" in failure(booth("edit_code", text=blank))
    assert "`remove[0]` must not be empty" in failure(booth("edit_code", remove=[blank]))


@pytest.mark.parametrize("blank", ["", "  "])
def test_an_empty_argument_that_may_be_left_out_is(booth: Call, blank: str) -> None:
    shown = told(booth("get_class", class_name="Booth", include=blank))
    assert "{ #till }" in shown
    added = f"after{len(blank)}"
    edited = booth("edit_code", text=f"Booth >> {added} [ ^ 3 ]", tests=blank, evaluate=blank, remove=blank)
    assert told(edited).startswith(f"Added Booth>>{added}.")
    assert "Booth (Fair)" in told(booth("search", query="Booth", kind="classes", package=blank, match=blank))


def test_the_arguments_of_prompts_may_be_empty_if_they_may_be_left_out(ask: Ask) -> None:
    [message] = ask("prompts/get", name="review-class", arguments={"className": "Point", "focus": ""})[
        "messages"
    ]
    assert "Point" in message["content"]["text"]


def test_all_classes_and_traits_that_a_definition_needs_are_named(booth: Call) -> None:
    refused = failure(booth("edit_code", text="Stall << #Kiosk traits: TShut + TOpen; package: 'Fair'"))
    assert "There are no classes or traits named Stall, TOpen and TShut, neither in" in refused
