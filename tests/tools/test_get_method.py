"""Tool `get_method`."""

import pytest

from image.servers import Remembering, asking, exchange
from pharo_mcp.image import UnknownMethod
from pharo_mcp.protocol import Call
from pharo_mcp.tools.get_method import get_method_tool
from tools.calling import answering, structured, structured_as_described, text

METHOD = {
    "className": "Zoo",
    "side": "class",
    "selector": "new",
    "protocol": "instance creation",
    "package": "Zoos",
    "source": "new\n\n\t^ self subclassResponsibility",
    "isExtension": True,
    "abstract": True,
}


def test_its_protocol_and_package_come_before_its_source() -> None:
    words = text(
        get_method_tool, "method", exchange("method"), class_name="PmcExampleCircle", selector="area"
    )
    assert words.splitlines() == [
        "PmcExampleCircle>>area in protocol measuring of package PharoMcp-Tests",
        "It overrides PmcExampleShape>>area.",
        "",
        "area",
        "",
        "\t^ (Pi ifNil: [ Pi := 3.14 ]) * radius * radius",
    ]


def test_extensions_and_abstract_methods_are_marked() -> None:
    words = text(get_method_tool, "method", answering(**METHOD), class_name="Zoo", selector="new")
    assert words.splitlines()[:2] == [
        "Zoo class>>new in protocol instance creation of package Zoos, an extension",
        "It is abstract: subclasses must implement it.",
    ]


def test_a_method_of_a_trait_is_shown_with_the_trait() -> None:
    words = text(get_method_tool, "method", exchange("method_of_trait"), class_name="Zoo", selector="color")
    assert "It is defined in the trait TPmcExampleColored: compile it there" in words


@pytest.mark.parametrize(
    ("side", "selector", "uri"),
    [
        ("instance", "/", "pharo://class/Zoo/method/%2F"),
        ("class", "at:put:", "pharo://class/Zoo/class/method/at:put:"),
    ],
)
def test_a_long_source_is_cut_with_a_hint_at_the_resource(side: str, selector: str, uri: str) -> None:
    answer = answering(**{**METHOD, "side": side, "selector": selector, "source": "x" * 100_000})
    lines = text(get_method_tool, "method", answer, class_name="Zoo", selector=selector).splitlines()
    assert lines[-3:] == [
        "x" * 10_000,
        "",
        f"Characters 1 to 10,000 of 100,000. The resource {uri} has all of it.",
    ]


def test_a_long_source_is_cut_in_the_structured_result_too() -> None:
    answer = answering(**{**METHOD, "source": "x" * 100_000})
    source = structured(get_method_tool, "method", answer, class_name="Zoo", selector="new")["source"]
    assert source.startswith("x" * 10_000 + "\n\nCharacters 1 to 10,000 of 100,000. The resource ")


@pytest.mark.parametrize(
    ("found", "note"),
    [
        (
            "method_of_superclass",
            "PmcExampleDisc does not define area itself: it inherits this method from PmcExampleCircle.",
        ),
        (
            "method_of_other_side",
            "PmcExampleCircle class has no method named area: this one is on its instance side.",
        ),
    ],
)
def test_a_method_that_was_found_elsewhere_says_where(found: str, note: str) -> None:
    lines = text(get_method_tool, "method", exchange(found), class_name="Zoo", selector="area").splitlines()
    assert lines[:2] == [note, "PmcExampleCircle>>area in protocol measuring of package PharoMcp-Tests"]


def test_where_only_its_own_methods_count_the_class_that_has_it_is_named() -> None:
    with pytest.raises(UnknownMethod, match="get_method with class_name PmcExampleCircle reads it"):
        text(get_method_tool, "method", exchange("method_inherited"), class_name="Zoo", selector="area")


def test_an_unknown_selector_is_refused_with_similar_ones() -> None:
    with pytest.raises(UnknownMethod, match="Similar names: radius"):
        text(get_method_tool, "method", exchange("method_unknown"), class_name="Zoo", selector="raduis")


def test_the_side_is_given_by_the_class_name_or_by_an_argument() -> None:
    method = Remembering(exchange("method"))
    with asking(method=method) as image:
        tool = get_method_tool(image, structured=False)
        tool.call({"class_name": "Zoo class", "selector": "new"}, Call())
        tool.call({"class_name": "Zoo", "selector": "new", "side": "class"}, Call())
    assert method.asked == [
        {"className": "Zoo class", "selector": "new", "anywhere": True},
        {"className": "Zoo", "selector": "new", "side": "class", "anywhere": True},
    ]


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(
        get_method_tool, "method", exchange("method"), class_name="Zoo", selector="area"
    )
