"""Tool `search`."""

import pytest

from image.servers import Answer, Remembering, asking, exchange
from pharo_mcp.image import UnknownPackage
from pharo_mcp.protocol import Call, TextContent, ToolError
from pharo_mcp.tools import search_tool
from tools.calling import answering, structured, structured_as_described, text

SENDER = {
    "className": "Zoo",
    "side": "class",
    "selector": "new:",
    "protocol": "instance creation",
    "package": "Zoos",
}


def page(kind: str, total: int, offset: int, *items: object, **more: object) -> Answer:
    return answering(kind=kind, total=total, offset=offset, items=list(items), **more)


@pytest.mark.parametrize(
    ("answer", "kind", "lines"),
    [
        (
            exchange("search_classes"),
            "classes",
            [
                "3 classes for it. get_class shows one.",
                "    PmcExampleDisc (PharoMcp-Tests): I am a disc, for the tests of class details.",
                "1 more; next cursor: p2",
            ],
        ),
        (
            exchange("search_selectors"),
            "selectors",
            [
                "2 selectors for it. search with kind implementors shows who has one.",
                "    radius (1 implementor)",
                "    radius: (2 implementors)",
            ],
        ),
        (
            page("senders", 1, 0, SENDER),
            "senders",
            ["1 sender for it. get_method shows one.", "    Zoo class>>new: (Zoos)"],
        ),
        (
            page("source", 1, 0, {**SENDER, "line": 3, "text": "\t^ self basicNew"}, atLeast=True),
            "source",
            [
                "At least 1 method for it. get_method shows one.",
                "    Zoo class>>new: (Zoos) line 3: ^ self basicNew",
                "Not everything was looked at: search in one package, hierarchy or class.",
            ],
        ),
    ],
)
def test_what_was_found_is_a_line_each_and_says_how_many_there_are(
    answer: Answer, kind: str, lines: list[str]
) -> None:
    assert text(search_tool, "search", answer, query="it", kind=kind).splitlines() == lines


def test_of_a_long_line_of_source_the_beginning_is_shown_to_programs_too() -> None:
    answer = page("source", 1, 0, {**SENDER, "line": 3, "text": "\t" + "x" * 1_000})
    asked = {"query": "x", "kind": "source"}
    shown = "x" * 160 + "…"
    assert text(search_tool, "search", answer, **asked).endswith(f" line 3: {shown}")
    assert structured(search_tool, "search", answer, **asked)["items"][0]["text"] == shown


def test_nothing_found_suggests_similar_names_and_other_ways() -> None:
    lines = text(
        search_tool, "search", exchange("search_nothing_near"), query="PmcExampleCircel", kind="classes"
    ).splitlines()
    assert lines == [
        "Nothing was found: no classes for PmcExampleCircel.",
        "Similar names: PmcExampleCircle",
        "Try a shorter query, another kind, or a wider scope.",
    ]


def test_nothing_found_in_time_is_not_said_of_everything() -> None:
    words = text(
        search_tool, "search", page("source", 0, 0, atLeast=True, near=[]), query="it", kind="source"
    )
    assert words.splitlines()[1].startswith("Not everything was looked at")


def test_of_a_long_query_and_cursor_only_the_beginning_is_repeated() -> None:
    query = "x" * 20_000
    words = text(search_tool, "search", page("source", 0, 0), query=query, kind="source")
    assert words.startswith(f"Nothing was found: no methods for {'x' * 100}…")
    with asking() as image:
        [refused] = (
            search_tool(image, structured=False)
            .call({"query": "zoo", "kind": "classes", "cursor": query}, Call())
            .contents
        )
    assert isinstance(refused, TextContent)
    assert len(words) + len(refused.text) < 500


def test_a_trait_is_said_to_be_one() -> None:
    trait = {"className": "TZoo", "kind": "trait", "package": "Zoos", "comment": ""}
    assert "    TZoo (trait, Zoos)" in text(
        search_tool, "search", page("classes", 1, 0, trait), query="zoo", kind="classes"
    )


def test_a_cursor_leads_to_the_next_page_of_the_same_scope() -> None:
    search = Remembering(page("classes", 0, 50))
    with asking(search=search) as image:
        search_tool(image, structured=False).call(
            {"query": "zoo", "kind": "classes", "class_name": "Zoo", "cursor": "p50"}, Call()
        )
    [asked] = search.asked
    assert asked == {
        "query": "zoo",
        "kind": "classes",
        "match": "substring",
        "class": "Zoo",
        "offset": 50,
        "limit": 50,
    }


def test_a_cursor_that_no_page_told_reaches_no_image() -> None:
    with asking() as image, pytest.raises(ToolError, match="The cursor 50 is unknown") as raised:
        search_tool(image, structured=False).handler(
            {"query": "zoo", "kind": "classes", "cursor": "50"}, Call()
        )
    assert raised.value.kind == "badRequest"


def test_a_page_behind_the_last_one_is_said_to_be_so() -> None:
    words = text(search_tool, "search", page("classes", 9, 99), query="zoo", kind="classes", cursor="p99")
    assert words.splitlines()[1] == "This is behind the last page."


def test_two_scopes_reach_no_image() -> None:
    scopes = {"hierarchy": "Zoo", "class_name": "Zoo"}
    with asking() as image, pytest.raises(ToolError, match="at most one of package, hierarchy, class_name"):
        search_tool(image, structured=False).handler({"query": "zoo", "kind": "classes", **scopes}, Call())


def test_a_package_that_is_not_there_is_told_with_similar_names() -> None:
    with pytest.raises(UnknownPackage, match="Similar names: PharoMcp-Tests"):
        text(search_tool, "search", exchange("search_package_unknown"), query="area", kind="implementors")


def test_for_programs_it_repeats_itself_as_its_schema_says() -> None:
    assert structured_as_described(search_tool, "search", exchange("search_source"), query="x", kind="source")
