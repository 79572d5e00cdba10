"""Tool `undo_change`."""

import pytest

from image.servers import Reply, asking, failure
from pharo_mcp.image.errors import RequestRefused
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ToolError
from pharo_mcp.tools.changing import undo_change as undo_change_tool
from tools.calling import answering, text


@pytest.mark.parametrize("arguments", [{}, {"change": 1, "to": 0}])
def test_it_needs_either_change_or_to(arguments: dict[str, object]) -> None:
    with asking() as image, pytest.raises(ToolError, match="needs either change or to"):
        undo_change_tool.make(image).handler(arguments, Call())


def test_undone_changes_are_named_with_what_they_changed() -> None:
    answer = answering(undone=[*range(401, 1, -1)], changes=[*range(402, 802)])
    assert text(undo_change_tool, "undo", answer, to=1).splitlines() == [
        "Undone 2\N{EN DASH}401; undo_change 801 redoes it.",
    ]
    assert text(undo_change_tool, "undo", answering(undone=[9, 3, 2]), to=1).startswith(
        "Undone 2\N{EN DASH}3, 9."
    )
    places = [{"className": "Zoo", "side": "class", "selector": "new"}, {"className": "Zoo"}]
    answer = answering(undone=[3, 2], places=places, changes=[4])
    assert text(undo_change_tool, "undo", answer, to=1).startswith(
        "Undone 2\N{EN DASH}3: Zoo class>>new, Zoo; undo_change 4 redoes it."
    )
    assert text(undo_change_tool, "undo", answering(undone=[]), to=9).startswith("There was nothing to undo")


def test_an_undo_says_which_selectors_are_sent_but_no_longer_implemented() -> None:
    answer = answering(undone=[1], changes=[2], noImplementors=["size", "a:"])
    lines = text(undo_change_tool, "undo", answer, change=1).splitlines()
    assert lines[1] == "Sent, but no longer implemented: size, a:"


def test_a_change_that_is_already_undone_leads_to_the_undo() -> None:
    answer = answering(undone=[], changes=[], undoneBy=7)
    assert text(undo_change_tool, "undo", answer, change=3) == (
        "It is already undone; undo_change 7 redoes it."
    )


def test_an_undo_that_takes_long_returns_an_id_and_reports_its_progress() -> None:
    answer = answering(
        running=True, evaluation="e-1", elapsed=41.0, progress=900, total=4000, message="900 changes checked"
    )
    assert text(undo_change_tool, "undo", answer, to=0).splitlines()[0] == (
        "Still running after 41.0 seconds, 900 changes checked; evaluation_id: e-1"
    )


def test_an_undo_reports_how_many_changes_are_undone() -> None:
    reported: list[tuple[float, str | None, float | None]] = []
    call = Call(1, lambda progress, message, total: reported.append((progress, message, total)))
    so_far = answering(
        running=True, evaluation="e-1", elapsed=1.0, progress=900, total=4000, message="900 changes checked"
    )
    with asking(undo=so_far, evaluation=answering(undone=[2, 1], changes=[3, 4])) as image:
        result = undo_change_tool.make(image).call({"to": 0}, call)
    assert not result.is_error
    assert reported == [(900, "900 changes checked", 4000)]


def test_a_later_change_by_the_user_is_a_conflict_and_nothing_is_undone() -> None:
    def refuse(_: object) -> Reply:
        conflicts = [{"change": 3, "reason": "one"}, {"change": 2, "reason": "two"}]
        error = {"kind": "conflict", "messageText": "Nothing was undone: one", "conflicts": conflicts}
        return 409, {"ok": False, "error": error}

    with pytest.raises(RequestRefused) as raised:
        text(undo_change_tool, "undo", refuse, change=2)
    lines = raised.value.message.splitlines()
    assert lines[:2] == ["Nothing was undone: one", "    change 2: two"]
    assert lines[2].startswith("read_code shows the current code")


def test_an_unknown_change_is_refused_with_a_hint_at_list_changes() -> None:
    with pytest.raises(RequestRefused, match="list_changes lists the changes"):
        text(
            undo_change_tool,
            "undo",
            lambda _: failure(404, "unknownChange", "There is no change 9."),
            change=9,
        )
