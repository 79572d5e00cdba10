"""Tool `search`."""

import pytest

from image.servers import Answer, Remembering, asking, exchange
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent, ToolError
from pharo_mcp.tools.browsing import search as search_tool
from tools.calling import answering, text

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
                "3 classes:",
                "    PmcExampleDisc (PharoMcp-Core-Tests): I am a disc, for the tests of class details.",
                "1 more; next_cursor: p2",
            ],
        ),
        (
            exchange("search_selectors"),
            "selectors",
            [
                "2 selectors (number of implementors):",
                "    radius (1)",
                "    radius: (2)",
            ],
        ),
        (
            page("senders", 1, 0, SENDER),
            "senders",
            ["1 sender, all in Zoos:", "    Zoo class>>new:"],
        ),
        (
            page("source", 1, 0, {**SENDER, "line": 3, "text": "\t^ self basicNew"}, atLeast=True),
            "source",
            [
                "At least 1 method:",
                "Zoos:",
                "    Zoo class>>new:, line 3: ^ self basicNew",
                "The search was stopped before its end. Limit the search to a package, hierarchy or class.",
            ],
        ),
    ],
)
def test_results_are_counted_and_listed(answer: Answer, kind: str, lines: list[str]) -> None:
    assert text(search_tool, "search", answer, query="it", kind=kind).splitlines() == lines


def test_methods_are_listed_by_package_in_the_order_of_the_first_of_each() -> None:
    elsewhere = {**SENDER, "selector": "open", "package": "Cages"}
    found = page("senders", 3, 0, SENDER, elsewhere, {**SENDER, "selector": "close"})
    assert text(search_tool, "search", found, query="it", kind="senders").splitlines() == [
        "3 senders:",
        "Zoos:",
        "    Zoo class>>new:",
        "    Zoo class>>close",
        "Cages:",
        "    Zoo class>>open",
    ]


def test_a_page_does_not_claim_that_all_are_in_its_package() -> None:
    lines = text(search_tool, "search", page("senders", 2, 0, SENDER), query="it", kind="senders")
    assert lines.splitlines() == ["2 senders:", "Zoos:", "    Zoo class>>new:", "1 more; next_cursor: p1"]


def test_without_results_similar_names_are_suggested() -> None:
    lines = text(
        search_tool, "search", exchange("search_nothing_near"), query="PmcExampleCircel", kind="classes"
    ).splitlines()
    assert lines == [
        "No classes found for PmcExampleCircel.",
        "Similar names: PmcExampleCircle",
    ]


def test_without_results_it_says_what_would_find_more() -> None:
    answer = page("implementors", 0, 0, near=["radius"], hints={"elsewhere": 2})
    asked = {"query": "radius:", "kind": "implementors", "class_name": "PmcExampleDisc"}
    assert text(search_tool, "search", answer, **asked).splitlines()[1:] == [
        "PmcExampleDisc has none; 2 elsewhere: omit class_name."
    ]
    asked = {"query": "PmcExampleDisc >> radius:", "kind": "implementors"}
    assert text(search_tool, "search", answer, **asked).splitlines()[1:] == [
        "PmcExampleDisc has none; 2 elsewhere: omit the class."
    ]


def test_without_results_other_matches_and_kinds_are_named() -> None:
    hints = {"substring": 1_200, "classes": 3, "senders": 1}
    answer = page("implementors", 0, 0, near=[], hints=hints)
    assert text(search_tool, "search", answer, query="radiu", kind="implementors").splitlines()[1:] == [
        "match: substring finds 1,200.",
        "Other kinds find more: classes (3), senders (1).",
    ]


def test_a_package_of_the_name_is_named_with_the_tool_that_reads_it() -> None:
    answer = exchange("search_package")
    words = text(search_tool, "search", answer, query="pharomcp-browsing", kind="classes")
    assert words.splitlines() == [
        "No classes found for pharomcp-browsing.",
        "PharoMcp-Browsing is a package; read_code reads it.",
    ]


def test_an_incomplete_search_without_results_is_reported() -> None:
    words = text(
        search_tool, "search", page("source", 0, 0, atLeast=True, near=[]), query="it", kind="source"
    )
    assert words.splitlines()[1].startswith("The search was stopped before its end")


def test_a_long_query_or_cursor_is_cut_when_repeated() -> None:
    query = "x" * 20_000
    words = text(search_tool, "search", page("source", 0, 0), query=query, kind="source")
    assert words.startswith(f"No methods found for {'x' * 100}…")
    with asking() as image:
        [refused] = (
            search_tool.make(image)
            .call({"query": "zoo", "kind": "classes", "cursor": query}, Call())
            .contents
        )
    assert isinstance(refused, TextContent)
    assert len(words) + len(refused.text) < 500


def test_a_trait_is_marked() -> None:
    trait = {"className": "TZoo", "kind": "trait", "package": "Zoos", "comment": ""}
    assert "    TZoo (trait, Zoos)" in text(
        search_tool, "search", page("classes", 1, 0, trait), query="zoo", kind="classes"
    )


def test_a_cursor_leads_to_the_next_page_of_the_same_scope() -> None:
    search = Remembering(page("classes", 0, 50))
    with asking(search=search) as image:
        search_tool.make(image).call(
            {"query": "zoo", "kind": "classes", "class_name": "Zoo", "cursor": "p50"}, Call()
        )
    [asked] = search.asked
    assert asked == {
        "query": "zoo",
        "kind": "classes",
        "class": "Zoo",
        "offset": 50,
    }


def test_an_unknown_cursor_is_refused_without_a_request() -> None:
    with asking() as image, pytest.raises(ToolError, match="Unknown cursor 50") as raised:
        search_tool.make(image).handler({"query": "zoo", "kind": ["classes"], "cursor": "50"}, Call())
    assert raised.value.kind == "badRequest"


def test_there_are_no_pages_after_the_last() -> None:
    words = text(search_tool, "search", page("classes", 9, 99), query="zoo", kind="classes", cursor="p99")
    assert words.splitlines()[1] == "There are no more pages."


def test_two_scopes_are_refused_without_a_request() -> None:
    scopes = {"hierarchy": "Zoo", "class_name": "Zoo"}
    with asking() as image, pytest.raises(ToolError, match="at most one of package, hierarchy, class_name"):
        search_tool.make(image).handler({"query": "zoo", "kind": ["classes"], **scopes}, Call())


def test_an_unknown_package_is_refused_with_similar_names() -> None:
    with pytest.raises(RequestRefused, match="Similar names: PharoMcp-Core-Tests"):
        text(search_tool, "search", exchange("search_package_unknown"), query="area", kind="implementors")


def test_several_names_are_searched_for_in_one_call() -> None:
    search = Remembering(page("senders", 1, 0, SENDER), page("senders", 0, 0, near=[]))
    with asking(search=search) as image:
        asked = {"query": "Zoo class >> new:  close", "kind": "senders"}
        lines = "".join(
            content.text
            for content in search_tool.make(image).call(asked, Call()).contents
            if isinstance(content, TextContent)
        )
    assert lines.splitlines() == [
        "Zoo class >> new: 1 sender, all in Zoos:",
        "    Zoo class>>new:",
        "No senders found for close.",
    ]
    assert [each["query"] for each in search.asked] == ["Zoo class >> new:", "close"]


def test_several_queries_of_documentation_have_semicolons_between() -> None:
    search = Remembering(page("documentation", 0, 0, near=[]))
    with asking(search=search) as image:
        search_tool.make(image).call({"query": "cut pieces; sort;", "kind": "documentation"}, Call())
    assert [each["query"] for each in search.asked] == ["cut pieces", "sort"]


def test_a_text_may_have_spaces() -> None:
    search = Remembering(page("source", 1, 0, {**SENDER, "line": 1, "text": "a b"}))
    with asking(search=search) as image:
        search_tool.make(image).call({"query": "a b", "kind": "source"}, Call())
    assert [each["query"] for each in search.asked] == ["a b"]


def test_references_of_a_selector_are_its_senders() -> None:
    search = Remembering(page("senders", 1, 0, SENDER), page("references", 1, 0, SENDER))
    with asking(search=search) as image:
        search_tool.make(image).call({"query": "Zoo>>close Zoo", "kind": "references"}, Call())
    assert [each["kind"] for each in search.asked] == ["senders", "references"]


def searched(search: Remembering, **arguments: object) -> list[str]:
    """Return the lines of a search in an image that remembers what it was asked."""
    return text(search_tool, "search", search, **arguments).splitlines()


def test_several_kinds_have_a_section_each_for_each_name() -> None:
    search = Remembering(
        page("implementors", 1, 0, SENDER),
        page("senders", 0, 0),
        page("implementors", 0, 0),
        page("senders", 60, 0, SENDER),
    )
    assert searched(search, query="new: close", kind=["implementors", "senders"]) == [
        "new: 1 implementor, all in Zoos:",
        "    Zoo class>>new:",
        "No senders found for new:.",
        "No implementors found for close.",
        "close: 60 senders:",
        "Zoos:",
        "    Zoo class>>new:",
        "59 more; next_cursor: p1",
    ]
    asked = [(each["query"], each["kind"]) for each in search.asked]
    assert asked == [
        ("new:", "implementors"),
        ("new:", "senders"),
        ("close", "implementors"),
        ("close", "senders"),
    ]


def test_each_of_several_kinds_reads_the_query_its_own_way() -> None:
    line = {**SENDER, "line": 3, "text": "^ self basicNew"}
    search = Remembering(
        page("senders", 1, 0, SENDER),
        page("senders", 0, 0),
        page("source", 1, 0, line),
        page("documentation", 0, 0),
    )
    assert searched(search, query="cut pieces", kind=["senders", "source", "documentation"]) == [
        "cut: 1 sender, all in Zoos:",
        "    Zoo class>>new:",
        "No senders found for pieces.",
        "cut pieces in source: 1 method, all in Zoos:",
        "    Zoo class>>new:, line 3: ^ self basicNew",
        "No documented places found for cut pieces.",
    ]
    assert [each["query"] for each in search.asked] == ["cut", "pieces", "cut pieces", "cut pieces"]


def test_no_search_is_made_twice() -> None:
    search = Remembering(page("senders", 1, 0, SENDER), page("senders", 0, 0), page("references", 0, 0))
    searched(search, query="close Zoo close", kind=["senders", "references", "senders"])
    asked = [(each["query"], each["kind"]) for each in search.asked]
    assert asked == [("close", "senders"), ("Zoo", "senders"), ("Zoo", "references")]


def test_without_results_no_kind_is_named_that_was_searched_for_too() -> None:
    hints = {"classes": 3, "senders": 1}
    search = Remembering(page("implementors", 0, 0, hints=hints), page("senders", 1, 0, SENDER))
    lines = searched(search, query="close", kind=["implementors", "senders"])
    assert lines[1] == "Other kinds find more: classes (3)."


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"kind": ["senders", "example"], "receiver": "3"}, "example cannot be combined with other kinds"),
        ({"query": "a b", "kind": ["senders"], "cursor": "p50"}, "A cursor needs one name and one kind"),
        ({"kind": ["senders", "source"], "cursor": "p50"}, "A cursor needs one name and one kind"),
        (
            {"query": " ".join("abcdefghijklmnopqrstuvwxyz"), "kind": ["senders", "implementors"]},
            "These names and kinds need 52 searches; a call makes at most 50",
        ),
    ],
)
def test_what_does_not_fit_into_a_call_is_refused_without_a_request(
    arguments: dict[str, object], why: str
) -> None:
    with asking() as image, pytest.raises(ToolError, match=f"{why}.* Nothing was searched.") as raised:
        search_tool.make(image).handler({"query": "a", **arguments}, Call())
    assert raised.value.kind == "badRequest"


def test_an_unknown_kind_is_refused_with_the_known_ones() -> None:
    with asking() as image:
        [refused] = search_tool.make(image).call({"query": "a", "kind": "zork"}, Call()).contents
    assert isinstance(refused, TextContent)
    assert '`kind[0]` must be one of "documentation", "usage", "classes", ' in refused.text


def test_documentation_is_searched_for_by_all_words_of_the_query() -> None:
    search = Remembering(exchange("search_documentation"))
    with asking(search=search) as image:
        lines = "".join(
            content.text
            for content in search_tool.make(image)
            .call({"query": "all words", "kind": "documentation"}, Call())
            .contents
            if isinstance(content, TextContent)
        )
    assert [each["query"] for each in search.asked] == ["all words"]
    assert lines.splitlines() == [
        "4 documented places:",
        "    PmcExampleGlossary>>words (PharoMcp-Core-Tests): All that I know.",
        "        #( 1 2 ) sum >>> 4 (does not hold here: answers 3)",
        "        Smalltalk garbageCollect >>> 0 (not tried)",
        "    PmcExampleGlossary (PharoMcp-Core-Tests): I explain words, for the tests of the search for "
        "documentation.",
        "2 more; next_cursor: p2",
    ]


def test_documentation_tells_what_it_lacks_and_what_was_not_read() -> None:
    example = {"source": "1 / 0\n>>> 0", "outcome": "failed", "messageText": "ZeroDivide"}
    package = {"kind": "package", "level": "text", "text": "of zoos", "package": "Zoos"}
    zoo = {**package, "kind": "class", "className": "Zoo", "missing": ["cage", "bar"]}
    method = {**zoo, "kind": "method", "side": "class", "selector": "open", "examples": [example]}
    code: dict[str, object] = {"kind": "test", "side": "instance", "selector": "testOpen", "line": 3}
    opened = {**method, **code, "missing": [], "examples": []}
    found = page("documentation", 3, 0, package, zoo, method, opened, atLeast=True, unread=1_200)
    assert text(search_tool, "search", found, query="it", kind="documentation").splitlines() == [
        "At least 3 documented places:",
        "    package Zoos: of zoos",
        "    Zoo (Zoos): of zoos (without: cage, bar)",
        "    Zoo class>>open (Zoos): of zoos (without: cage, bar)",
        "        1 / 0 >>> 0 (fails here: ZeroDivide)",
        "    test Zoo>>testOpen (Zoos), line 3: of zoos",
        "1,200 methods with some of the words not read. Limit the search to a package, hierarchy or class.",
    ]


def test_words_that_nothing_has_are_named() -> None:
    zoo = {
        "kind": "class",
        "level": "text",
        "text": "of zoos",
        "package": "Zoos",
        "className": "Zoo",
        "missing": ["cage"],
    }
    found = page("documentation", 9, 0, zoo, complete=0, unknown=["zork", "zorg"])
    assert text(search_tool, "search", found, query="it", kind="documentation").splitlines() == [
        "9 documented places, none with all words; try synonyms:",
        "    Zoo (Zoos): of zoos (without: cage)",
        "8 more; next_cursor: p1",
        "Nothing has zork, zorg.",
    ]


def test_a_use_is_shown_with_its_source() -> None:
    found = exchange("search_usage")
    assert text(search_tool, "search", found, query="it", kind="usage").splitlines() == [
        "2 uses:",
        "    PmcExampleGlossaryTests>>testReversed (PharoMcp-Core-Tests):",
        "        testReversed",
        "",
        "        \t| glossary |",
        "        \tglossary := PmcExampleGlossary new.",
        "        \tself assert: (glossary meaningOf: 'abc') equals: 'cba'",
        "1 more; next_cursor: p1",
    ]


def test_methods_by_example_say_how_to_find_fewer() -> None:
    doubled = {"className": "Integer", "selector": "double", "expression": "3 double"}
    found = answering(
        receiverClass="SmallInteger",
        total=30,
        items=[doubled],
        tried=102,
        failed=4,
        notTried={"total": 21, "names": ["halt", "inspect"]},
        complete=True,
    )
    assert text(search_tool, "method/find", found, query="6", kind="example", receiver="3").splitlines() == [
        "30 methods answer the result:",
        "    Integer>>double: 3 double",
        "    … and 29 more",
        "An example with another result finds fewer.",
        "Tried: 102 messages, of which 4 signalled an error; only methods that are known to have no side "
        "effects, on copies.",
        "Not tried: 21 other selectors with 0 arguments that SmallInteger understands: halt, inspect, … and "
        "19 more",
    ]
