"""Tool `read_code`."""

from image.servers import Answer, Remembering, asking, exchange
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.browsing import read_code as read_code_tool
from tools.calling import answering, result, text

TOTAL = "ShOrder >> total [\n\n\t^ lines size\n]"


def page(offset: int, shown: int, total: int, text: str = TOTAL) -> Answer:
    return answering(text=text, total=total, offset=offset, shown=shown, missing=[])


def test_the_code_is_the_text() -> None:
    assert text(read_code_tool, "code", page(0, 1, 1), items=["ShOrder>>total"]) == TOTAL


def test_what_is_not_found_comes_first_with_similar_names() -> None:
    lines = text(read_code_tool, "code", exchange("code_read"), items=["PmcExampleCirle"]).splitlines()
    assert lines[0] == (
        "There is no class, trait or package named PmcExampleCirle. Similar names: PmcExampleCircle."
    )
    assert "PmcExampleCircle >> area [" in lines


def test_manifests_that_are_not_shown_are_named() -> None:
    answer = answering(
        text=TOTAL, total=1, offset=0, shown=1, superclasses=["ShThing"], omitted=["ManifestShop"], missing=[]
    )
    *_, last = text(read_code_tool, "code", answer, items=["Shop"]).splitlines()
    assert last == "Not shown (package metadata, subclasses of PackageManifest): ManifestShop"


def test_what_is_in_outline_is_named_with_how_to_read_it() -> None:
    answer = answering(text="Shop: 9 classes", total=1, offset=0, shown=1, missing=[], outlined=["Shop"])
    *_, last = text(read_code_tool, "code", answer, items=["Shop"]).splitlines()
    assert last == (
        "In outline, because it is longer than an answer: Shop. Read its classes or methods by name, or all "
        "of it, page by page, with detail: source."
    )


def test_an_answer_has_at_most_30_000_characters() -> None:
    code = Remembering(page(0, 1, 1))
    with asking(code=code) as image:
        for length in (9_000, 200_000):
            read_code_tool.make(image).call({"items": ["Shop"], "max_characters": length}, Call())
    assert [each["maxCharacters"] for each in code.asked] == [9_000, 30_000]


def test_nothing_found_is_an_error() -> None:
    answer = answering(
        text="", total=0, offset=0, shown=0, missing=[{"item": "Zork", "messageText": "No Zork."}]
    )
    assert result(read_code_tool, "code", answer, items=["Zork"]).is_error


def test_a_page_names_the_cursor_of_the_next() -> None:
    last = text(read_code_tool, "code", page(0, 1, 12), items=["Shop"]).splitlines()[-1]
    assert last == "11 more definitions and methods; next_cursor: p1"


def test_a_cursor_asks_for_the_next_page() -> None:
    code = Remembering(page(3, 1, 4))
    with asking(code=code) as image:
        read_code_tool.make(image).call({"items": ["Shop"], "cursor": "p3"}, Call())
    assert code.asked[0]["offset"] == 3
