"""Arguments as clients and models send them, over standard input and over HTTP."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Protocol

import pytest

from end_to_end.answers import failure, found, texts, whole
from over_http.serving import TOKEN, Web, serving
from over_http.serving import call as calling
from programs import Client, LiveImage

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


class Door(Protocol):
    """Calls a tool."""

    def __call__(self, tool: str, **arguments: object) -> Any:
        """The result."""


@contextmanager
def over_stdio(image: LiveImage) -> Iterator[Door]:
    with Client(env=image.env()) as client:
        client.shake_hands()
        yield client.call


@contextmanager
def over_http(image: LiveImage) -> Iterator[Door]:
    ids = count(1)

    def call(tool: str, **arguments: object) -> Any:
        return web.post(calling(next(ids), tool, **arguments), Accept="application/json").json["result"]

    with serving(image.home, PHARO_MCP_HTTP_TOKEN=TOKEN) as (_, [line]):
        web = Web(line.split()[-1])
        web.initialize()
        yield call


@pytest.fixture(scope="module", params=[over_stdio, over_http], ids=["stdio", "HTTP"])
def call(request: pytest.FixtureRequest, image: LiveImage) -> Iterator[Door]:
    """Calls of one conversation."""
    with request.param(image) as call:
        yield call


@pytest.fixture
def booth(call: Door) -> Iterator[Door]:
    """Calls in an image that has a class Booth; what they change is undone in the end."""
    newest = re.search(r"^    (\d+): ", whole(call("list_changes", limit=1)), re.MULTILINE)
    told(call("define_class", class_name="Booth", slots=["till"], package="Fair"))
    yield call
    told(call("undo_change", to=newest[1] if newest else 0))


def told(result: Any) -> str:
    """What a result says that must not be an error."""
    assert not result.get("isError"), whole(result)
    return whole(result)


def test_null_is_left_out(call: Door) -> None:
    nothing = dict.fromkeys(("timeout_seconds", "workspace", "receiver", "error_id", "frame", "process"))
    assert texts(call("evaluate", expression="3 + 4", **nothing)) == ["7"]
    assert "expression` must be a string, not null" in failure(call("evaluate", expression=None))


@pytest.mark.parametrize("seconds", ["1", "1.0", 1.0])
def test_a_number_may_be_text(call: Door, seconds: object) -> None:
    result = call("evaluate", expression="Semaphore new wait", timeout_seconds=seconds)
    assert "terminated after 1 second" in failure(result)


def test_a_number_that_is_none_is_refused(call: Door) -> None:
    for words in ("soon", "1s", "NaN"):
        result = call("evaluate", expression="3 + 4", timeout_seconds=words)
        assert f'`timeout_seconds` must be a number, not "{words}"' in failure(result)


@pytest.mark.parametrize(
    "slots",
    [["coins", "notes"], '["coins", "notes"]', '\n[ "coins","notes" ] '],
    ids=["array", "text", "spaced"],
)
def test_an_array_may_be_text(booth: Door, slots: object) -> None:
    assert "#coins . #notes" in told(booth("define_class", class_name="Booth", slots=slots))


def test_an_array_of_one_may_be_its_item(booth: Door) -> None:
    assert "{ #coins }" in told(booth("define_class", class_name="Booth", slots="coins"))
    compiled = told(booth("compile_methods", class_name="Booth", sources="coins ^ coins"))
    assert "Booth>>coins" in compiled
    compiled = told(
        booth("compile_methods", class_name="Booth", sources={"source": "two ^ 2", "side": "class"})
    )
    assert "Booth class>>two" in compiled


def test_an_array_with_a_mistake_is_refused_and_changes_nothing(booth: Door) -> None:
    for slots in ("['coins']", '["coins"', "{ #coins }"):
        assert "`slots` must be an array, not " in failure(
            booth("define_class", class_name="Booth", slots=slots)
        )
    assert "{ #till }" in told(booth("get_class", class_name="Booth"))


def test_a_boolean_may_be_text(booth: Door) -> None:
    for true in ("true", "True", True):
        assert "Object << #Booth" in told(booth("list_changes", details=true, limit=1))
    for false in ("false", False, None):
        assert "Object << #Booth" not in told(booth("list_changes", details=false, limit=1))
    assert "`details` must be a boolean" in failure(booth("list_changes", details="yes"))


def test_a_whole_float_is_an_integer(call: Door) -> None:
    shown = told(call("evaluate", expression="'abcdef'", max_characters=3.0))
    assert shown.startswith("Characters 1 to 3 of 8.")
    for broken in (2.5, "2.5"):
        result = call("evaluate", expression="'abcdef'", max_characters=broken)
        assert "`max_characters` must be an integer, not " in failure(result)


def test_a_path_may_have_indexes_as_numbers_or_as_text(call: Door) -> None:
    shown = call("evaluate", expression="OrderedCollection with: 3 / 4")
    object_id = found(r"o-\d+", shown)
    for path in ([1, "numerator"], [1.0, "numerator"], ["1", "numerator"], '[1, "numerator"]'):
        assert told(call("inspect_object", object_id=object_id, path=path)).startswith("3\n")


def test_the_arguments_of_registered_tools_are_understood_likewise(call: Door) -> None:
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
