"""Tools `list_changes`, `undo_change` and `save_image`."""

import pytest

from image.servers import Remembering, Reply, asking, failure
from pharo_mcp.image import RequestRefused
from pharo_mcp.protocol import Call, ToolError
from pharo_mcp.tools import list_changes_tool, save_image_tool, undo_change_tool
from tools.calling import answering, structured, structured_as_described, text

AT = "2026-07-31T12:00:00"
CLASS = {"change": 1, "tool": "/class/define", "action": "addedClass", "className": "Zoo", "at": AT}
METHOD = {
    "change": 2,
    "tool": "evaluate",
    "action": "changedMethod",
    "className": "Zoo",
    "side": "class",
    "selector": "new",
    "at": AT,
    "undone": True,
    "before": "new\n\t^ nil",
    "after": "new\n\t^ super new",
    "protocolBefore": "x",
    "protocolAfter": "y",
}


def test_changes_are_listed_newest_first_with_what_made_them() -> None:
    answer = answering(total=9, dropped=1, changes=[METHOD, CLASS])
    assert text(list_changes_tool, "changes", answer, details=True, limit=2).splitlines() == [
        "9 changes, newest first. undo_change takes one back, or all down to a number.",
        f"    2: changedMethod Zoo class>>new, by evaluate at {AT} (undone)",
        "        before, in protocol x:",
        "            new",
        "            \t^ nil",
        "        after, in protocol y:",
        "            new",
        "            \t^ super new",
        f"    1: addedClass Zoo, by define_class at {AT}",
        "7 more; next cursor: p2",
        "Older ones that are not kept any more: 1.",
    ]


def test_what_an_undo_did_is_not_said_to_be_undone() -> None:
    answer = answering(total=1, dropped=0, changes=[{**METHOD, "change": 3, "tool": "/undo"}])
    assert text(list_changes_tool, "changes", answer).splitlines()[1].endswith(f"by undo_change at {AT}")


def long_change(number: int, before: int, after: int) -> dict[str, object]:
    return {**METHOD, "change": number, "before": "b" * before, "after": "a" * after}


def test_long_sources_of_a_change_are_cut_and_say_where_they_are_whole() -> None:
    answer = answering(total=1, dropped=0, changes=[long_change(1, 100_000, 10_000)])
    words = text(list_changes_tool, "changes", answer, details=True)
    assert (
        words.count(
            "Characters 1 to 10,000 of 100,000. The resource pharo://changes (the newest changes) holds all."
        )
        == 1
    )
    assert words.count("a" * 10_000) == 1
    assert len(words) < 21_000


def test_a_page_of_details_ends_before_it_is_too_long_and_the_next_one_goes_on_there() -> None:
    answer = answering(total=9, dropped=0, changes=[long_change(n, 100_000, 9_000) for n in (9, 8, 7, 6)])
    words = text(list_changes_tool, "changes", answer, details=True, cursor="p2")
    assert len(words) < 21_000
    assert words.splitlines()[-2:] == [
        "The page ends here, before it gets too long; a smaller limit makes shorter ones.",
        "6 more; next cursor: p3",
    ]


def test_programs_are_told_the_same_page() -> None:
    answer = answering(total=9, dropped=0, changes=[long_change(n, 100_000, 9_000) for n in (9, 8, 7, 6)])
    page = structured(list_changes_tool, "changes", answer, details=True)
    assert page["total"] == 9
    [change] = page["changes"]
    assert change["before"] == "b" * 10_000 + "\n\n" + (
        "Characters 1 to 10,000 of 100,000. The resource pharo://changes (the newest changes) holds all."
    )


def test_no_change_is_said() -> None:
    answer = answering(total=0, dropped=0, changes=[])
    assert text(list_changes_tool, "changes", answer).startswith("These tools changed no code")


@pytest.mark.parametrize("arguments", [{}, {"change": 1, "to": 0}])
def test_what_to_undo_is_said_in_one_way(arguments: dict[str, object]) -> None:
    with asking() as image, pytest.raises(ToolError, match="give either change or to"):
        undo_change_tool(image, structured=False).handler(arguments, Call())


def test_what_was_undone_is_named() -> None:
    words = text(undo_change_tool, "undo", answering(undone=[3, 2], changes=[4, 5]), to=1)
    assert words.startswith("Undone: 3, 2. run_tests tells ")
    assert text(undo_change_tool, "undo", answering(undone=[]), to=9).startswith("There was nothing to undo")


def test_what_the_user_changed_meanwhile_is_a_conflict_and_nothing_is_undone() -> None:
    def refuse(_: object) -> Reply:
        conflicts = [{"change": 3, "reason": "one"}, {"change": 2, "reason": "two"}]
        error = {"kind": "conflict", "messageText": "Nothing was undone: one", "conflicts": conflicts}
        return 409, {"ok": False, "error": error}

    with pytest.raises(RequestRefused) as raised:
        text(undo_change_tool, "undo", refuse, change=2)
    lines = raised.value.message.splitlines()
    assert lines[:2] == ["Nothing was undone: one", "    change 2: two"]
    assert lines[2].startswith("Look at what is there now")


def test_a_change_that_is_not_kept_says_where_the_numbers_are() -> None:
    with pytest.raises(RequestRefused, match="list_changes tells the numbers"):
        text(
            undo_change_tool,
            "undo",
            lambda _: failure(404, "unknownChange", "There is no change 9."),
            change=9,
        )


def test_the_image_is_saved_only_if_that_is_confirmed() -> None:
    save = Remembering(answering(saving=True))
    with asking(save=save) as image:
        tool = save_image_tool(image, structured=False)
        tool.call({}, Call())
        result = tool.call({"confirm": True}, Call())
    assert save.asked == [{"confirm": False}, {"confirm": True}]
    assert not result.is_error


def test_for_programs_they_repeat_themselves_as_their_schemas_say() -> None:
    log = answering(total=9, dropped=1, changes=[METHOD])
    assert structured_as_described(list_changes_tool, "changes", log)
    assert structured_as_described(undo_change_tool, "undo", answering(undone=[1]), change=1)
    assert structured_as_described(save_image_tool, "save", answering(saving=True), confirm=True)
