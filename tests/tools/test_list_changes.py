"""Tool `list_changes`."""

from pharo_mcp.tools.changing import list_changes as list_changes_tool
from tools.calling import answering, text

AT = "2026-07-31T12:00:00"
CLASS = {"change": 1, "tool": "/code/edit", "action": "addedClass", "className": "Zoo", "at": AT}
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


def test_changes_are_listed_newest_first_with_the_tools_that_made_them() -> None:
    answer = answering(total=9, dropped=1, changes=[METHOD, CLASS])
    assert text(list_changes_tool, "changes", answer, details=True, limit=2).splitlines() == [
        "Changes, newest first:",
        f"    2: changedMethod Zoo class>>new, by evaluate at {AT} (undone)",
        "        before, in protocol x:",
        "            new",
        "            \t^ nil",
        "        after, in protocol y:",
        "            new",
        "            \t^ super new",
        f"    1: addedClass Zoo, by edit_code at {AT}",
        "7 more; next_cursor: p2",
        "Older changes that are no longer kept: 1.",
    ]


def added(selector: str, side: str = "instance", **more: str) -> dict[str, object]:
    method = {"change": 1, "tool": "/code/edit", "action": "addedMethod", "className": "Zoo", "at": AT}
    return {**method, "side": side, "selector": selector, **more}


def test_parts_of_a_change_that_were_changed_alike_share_a_line() -> None:
    parts = [added("open"), CLASS, added("close"), added("new", "class")]
    answer = answering(total=4, dropped=0, changes=parts)
    assert text(list_changes_tool, "changes", answer).splitlines()[1:] == [
        f"    1: 4 parts, by edit_code at {AT}",
        "        addedMethod Zoo>>open, Zoo>>close, Zoo class>>new.",
        "        addedClass Zoo.",
    ]


def test_many_methods_of_a_change_are_counted_by_class_and_named_with_their_sources() -> None:
    parts = [added(f"open{n}") for n in range(13)]
    [_, _, line] = text(
        list_changes_tool, "changes", answering(total=13, dropped=0, changes=parts)
    ).splitlines()
    assert line == "        addedMethod 13 methods: 13 in Zoo."
    detailed = [{**each, "after": "^ 1"} for each in parts]
    words = text(list_changes_tool, "changes", answering(total=13, dropped=0, changes=detailed), details=True)
    assert "        addedMethod Zoo>>open12\n        after:\n            ^ 1" in words


def test_a_page_has_all_of_a_large_change_whose_methods_are_counted() -> None:
    parts = [added(f"open{n}") for n in range(400)]
    answer = answering(total=401, dropped=0, changes=[*parts, {**CLASS, "change": 0}])
    *_, methods, before = text(list_changes_tool, "changes", answer).splitlines()
    assert methods == "        addedMethod 400 methods: 400 in Zoo."
    assert before == f"    0: addedClass Zoo, by edit_code at {AT}"


def test_changes_from_before_the_image_was_opened_are_set_apart() -> None:
    heading = "Made before the image was opened, and saved with it; undo_change can undo these, too:"
    answer = answering(
        total=2, dropped=0, openedAfter=1, changes=[{**METHOD, "before": None, "after": None}, CLASS]
    )
    assert text(list_changes_tool, "changes", answer).splitlines()[2] == heading
    answer = answering(total=2, dropped=0, openedAfter=5, changes=[METHOD, CLASS])
    assert text(list_changes_tool, "changes", answer).splitlines()[1] == heading
    answer = answering(total=1, dropped=0, changes=[CLASS])
    assert heading not in text(list_changes_tool, "changes", answer)


def test_changes_made_by_an_undo_are_not_marked_as_undone() -> None:
    answer = answering(total=1, dropped=0, changes=[{**METHOD, "change": 3, "tool": "/undo"}])
    assert text(list_changes_tool, "changes", answer).splitlines()[1].endswith(f"by undo_change at {AT}")


def test_the_list_says_when_nothing_is_in_effect() -> None:
    answer = answering(total=2, dropped=0, inEffect=0, changes=[METHOD, {**METHOD, "tool": "/undo"}])
    assert text(list_changes_tool, "changes", answer).splitlines()[1] == (
        "Nothing is in effect: the code is as it was when the session began."
    )
    answer = answering(total=2, dropped=5, inEffect=0, changes=[METHOD])
    assert text(list_changes_tool, "changes", answer).splitlines()[1].startswith("None of them is in effect")


def long_change(number: int, before: int, after: int) -> dict[str, object]:
    return {**METHOD, "change": number, "before": "b" * before, "after": "a" * after}


def test_long_sources_of_a_change_are_cut_with_a_hint_at_the_resource() -> None:
    answer = answering(total=1, dropped=0, changes=[long_change(1, 100_000, 9_000)])
    words = text(list_changes_tool, "changes", answer, details=True)
    assert (
        words.count(
            "Characters 1 to 9,000 of 100,000. "
            "The resource pharo://changes (the newest changes) has all of it."
        )
        == 1
    )
    assert words.count("a" * 9_000) == 1
    assert len(words) < 21_000


def test_a_long_page_of_details_ends_early_and_the_next_one_continues_there() -> None:
    answer = answering(total=9, dropped=0, changes=[long_change(n, 100_000, 9_000) for n in (9, 8, 7, 6)])
    words = text(list_changes_tool, "changes", answer, details=True, cursor="p2")
    assert len(words) < 21_000
    assert words.splitlines()[-2:] == [
        "This page ends early because its sources are long.",
        "6 more; next_cursor: p3",
    ]


def test_an_empty_list_of_changes_is_reported() -> None:
    answer = answering(total=0, dropped=0, changes=[])
    assert text(list_changes_tool, "changes", answer).startswith("These tools have changed no code")
