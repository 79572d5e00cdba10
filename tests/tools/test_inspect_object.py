"""Tool `inspect_object`."""

from image.servers import Remembering, asking, exchange, value
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.evaluating import inspect_object as inspect_object_tool

DICTIONARY = {
    "objectId": "o-17",
    "path": ["table", 2],
    "className": "Dictionary",
    "printString": "a Dictionary(#a->1 #b->2 )",
    "size": 2,
    "variables": [{"name": "tally", "className": "SmallInteger", "printString": "2"}],
    "elements": [{"key": "#a", "className": "Zoo", "printString": "a Zoo", "objectId": "o-19"}],
    "elementCount": 2,
    "foundId": "o-18",
}

TEXT = """\
a Dictionary(#a->1 #b->2 )
Class: Dictionary
object_id: o-18
Size: 2

Instance variables:
    tally: 2 (SmallInteger)

Elements 1 to 1 of 2:
    #a: a Zoo (Zoo, o-19)
For more elements, use offset 1."""


def test_it_shows_class_variables_and_a_page_of_elements() -> None:
    inspect = Remembering(lambda _: value(DICTIONARY))
    with asking(inspect=inspect) as image:
        tool = inspect_object_tool.make(image)
        result = tool.call({"object_id": "o-17", "path": ["table", 2], "limit": 1}, Call())
    assert inspect.asked == [{"objectId": "o-17", "path": ["table", 2], "offset": 0, "limit": 1}]
    assert result.contents == (TextContent(TEXT),)


def test_an_object_without_variables_is_shown_with_none() -> None:
    plain = {"path": [], "variables": [], "elements": [], "elementCount": 0, "size": None, "foundId": None}
    with asking(inspect=lambda _: value({**DICTIONARY, **plain})) as image:
        result = inspect_object_tool.make(image).call({"object_id": "o-17"}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines()[2:] == ["object_id: o-17", "", "Instance variables: (none)"]


WINDOW = """\
Browser Point>>x, active

Text, not accepted:
    x ^ x
Selected, characters 3 to 5:
    ^ x

class: Point (Point class, o-2)
method: Point>>#x (CompiledMethod, o-3)
object_id: {window}"""


def test_a_window_shows_its_text_and_what_is_selected() -> None:
    with asking(inspect=exchange("inspect_window")) as image:
        tool = inspect_object_tool.make(image)
        result = tool.call({"object_id": "o-17"}, Call())
    assert result.contents == (TextContent(WINDOW),)


def test_a_test_that_shows_an_error_is_text_for_edit_code() -> None:
    draft = {"frame": 2, "text": "ZooTest >> testOpen [\n\treceiver open\n]\n", "missing": ["receiver"]}
    inspect = Remembering(lambda _: value(draft))
    with asking(**{"inspect/test": inspect}) as image:
        result = inspect_object_tool.make(image).call({"error_id": "error-3", "as_test": True}, Call())
    assert inspect.asked == [{"errorId": "error-3"}]
    assert result.contents == (
        TextContent(
            "ZooTest >> testOpen [\n\treceiver open\n]\n\n"
            "Missing, so fill in: receiver.\n"
            "It sends the message of frame 2 again. Nothing was changed."
        ),
    )


def test_a_test_is_written_of_an_error_only() -> None:
    with asking() as image:
        result = inspect_object_tool.make(image).call({"object_id": "o-3", "as_test": True}, Call())
    assert result.is_error
