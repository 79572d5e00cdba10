"""Tool `get_class`."""

import pytest

from image.servers import Remembering, asking, exchange, value
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.browsing import get_class as get_class_tool

TEXT = """\
PmcExampleCircle, a class in package PharoMcp-Core-Tests, tag Examples

Definition:
PmcExampleShape << #PmcExampleCircle
	traits: {TPmcExampleColored};
	slots: { #radius };
	sharedVariables: { #Pi };
	tag: 'Examples';
	package: 'PharoMcp-Core-Tests'

Comment:
I am a circle, for the tests of class details.

Superclasses: PmcExampleShape > Object > ProtoObject
Subclasses: PmcExampleDisc
Traits: TPmcExampleColored
Slots: radius
Class-side slots: unit
Class variables: Pi

Methods:
    accessing: color, radius, radius:
    measuring: area

Class-side methods:
    accessing: unit
    instance creation: radius:"""


def test_its_parts_are_shown_in_order() -> None:
    with asking(**{"class": exchange("class_details")}) as image:
        result = get_class_tool.make(image).call({"class_name": "PmcExampleCircle"}, Call())
    assert result.contents == (TextContent(TEXT),)


def test_the_first_of_hundreds_of_subclasses_are_named() -> None:
    _, body = exchange("class_details")(None)
    many = [f"Zoo{n}" for n in range(105)]
    with asking(**{"class": lambda _: value({**body["value"], "subclasses": many})}) as image:
        result = get_class_tool.make(image).call({"class_name": "Zoo"}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert "Zoo98, Zoo99, … and 5 more\n" in content.text


def test_a_long_comment_is_cut_with_a_hint_at_the_resource() -> None:
    _, body = exchange("class_details")(None)
    with asking(**{"class": lambda _: value({**body["value"], "comment": "x" * 100_000})}) as image:
        result = get_class_tool.make(image).call({"class_name": "Zoo"}, Call())
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert "of 100,000. The resource pharo://class/PmcExampleCircle has all of it.\n" in content.text
    assert len(content.text) < 11_000


def test_only_the_requested_parts_are_shown() -> None:
    details = Remembering(exchange("class_include"))
    given = {"class_name": "PmcExampleCircle", "include": ["comment", "variables"]}
    with asking(**{"class": details}) as image:
        result = get_class_tool.make(image).call(given, Call())
    assert details.asked == [{"className": "PmcExampleCircle", "include": ["comment", "variables"]}]
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines() == [
        "PmcExampleCircle, a class in package PharoMcp-Core-Tests, tag Examples",
        "",
        "Comment:",
        "I am a circle, for the tests of class details.",
        "",
        "Traits: TPmcExampleColored",
        "Slots: radius",
        "Class-side slots: unit",
        "Class variables: Pi",
    ]


def test_an_unknown_class_is_refused_with_similar_names() -> None:
    with asking(**{"class": exchange("class_unknown")}) as image:
        tool = get_class_tool.make(image)
        with pytest.raises(RequestRefused, match="Similar names: PmcExampleCircle"):
            tool.call({"class_name": "PmcExampleCircel"}, Call())
