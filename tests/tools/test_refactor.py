"""Tool `refactor`."""

from typing import Any

import pytest

from image.servers import Remembering, asking
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.changing import refactor as refactor_tool
from tools.calling import answering, result, text

CLASS: dict[str, Any] = {"kind": "rename_class", "class_name": "Zoo", "new_name": "Ark"}
RENAMED: dict[str, Any] = {
    "kind": "rename_method",
    "class_name": "Zoo",
    "selector": "cages",
    "new_name": "rooms",
    "only": ["Zoo", "Keeper>>feed"],
}
MOVED: dict[str, Any] = {
    "kind": "move_method",
    "class_name": "Zoo",
    "selector": "cages",
    "side": "class",
    "to_class": "Ark",
}
REWRITTEN: dict[str, Any] = {
    "kind": "rewrite",
    "pattern": "`@x isNil ifTrue: `@b",
    "replacement": "`@x ifNil: `@b",
    "only": ["Zoo"],
}
EXTRACTED: dict[str, Any] = {
    "kind": "extract_method",
    "class_name": "Zoo",
    "selector": "open",
    "code": "3 + 4",
    "new_name": "seven",
}
REPAIRED: dict[str, Any] = {"kind": "repair", "only": ["Zoo"]}
SITE = {"className": "Zoo", "side": "instance", "selector": "open"}
PREVIEW = answering(
    preview=True,
    number=7,
    impact={"sends": 12, "classes": 3, "items": [SITE]},
    warnings=["Zoo has subclasses."],
)
REQUESTS = [
    ("class/rename", CLASS, {"className": "Zoo", "newName": "Ark"}),
    (
        "method/rename",
        RENAMED,
        {"className": "Zoo", "selector": "cages", "newSelector": "rooms", "only": ["Zoo", "Keeper>>feed"]},
    ),
    ("method/move", MOVED, {"className": "Zoo", "selector": "cages", "side": "class", "toClass": "Ark"}),
    (
        "code/rewrite",
        REWRITTEN,
        {"rules": [["`@x isNil ifTrue: `@b", "`@x ifNil: `@b"]], "only": ["Zoo"]},
    ),
    ("code/repair", REPAIRED, {"only": ["Zoo"]}),
    (
        "refactoring",
        EXTRACTED,
        {
            "kind": "extract_method",
            "className": "Zoo",
            "selector": "open",
            "code": "3 + 4",
            "newName": "seven",
        },
    ),
]


def test_a_difference_that_does_not_fit_into_a_result_is_not_shown() -> None:
    part = {"name": "Zoo>>open", "before": "open", "after": "open\n" + "x" * 10_000}
    preview = answering(preview=True, number=7, impact={"sends": 1, "classes": 1, "items": []}, parts=[part])
    lines = text(refactor_tool, "refactoring", preview, **EXTRACTED).splitlines()
    assert "1 more part would change; preview fewer at once." in lines
    assert max(map(len, lines)) < 200


@pytest.mark.parametrize(("path", "arguments", "body"), REQUESTS)
def test_the_image_decides_about_a_preview(
    path: str, arguments: dict[str, Any], body: dict[str, Any]
) -> None:
    asked = Remembering(PREVIEW)
    with asking(**{path: asked}) as image:
        for given in ({}, {"preview": True}, {"preview": False}):
            refactor_tool.make(image).call({**arguments, **given}, Call())
    assert asked.asked == [body, {**body, "preview": True}, {**body, "preview": False}]


def test_a_preview_lists_the_methods_and_the_next_step() -> None:
    assert text(refactor_tool, "method/rename", PREVIEW, **RENAMED).splitlines() == [
        "Preview; nothing was changed. Affected: 12 methods in 3 classes.",
        "    Zoo>>open",
        "Warnings:",
        "    Zoo has subclasses.",
        "To make this change, call refactor with kind: rename_method, apply: 7.",
    ]


def test_a_preview_of_a_rewriting_shows_what_would_change() -> None:
    part = {"name": "Zoo>>open", "before": "open\n\t^ 3", "after": "open\n\t^ 4"}
    new = {"name": "Zoo>>shut", "before": "", "after": "shut"}
    impact = {"sends": 1, "classes": 1, "items": [SITE], "places": 2}
    preview = answering(preview=True, number=7, impact=impact, parts=[part, new])
    assert text(refactor_tool, "code/rewrite", preview, **REWRITTEN).splitlines() == [
        "Preview; nothing was changed. Affected: 2 places in 1 method in 1 class.",
        "",
        "Zoo>>open:",
        "    @@ -1,2 +1,2 @@",
        "     open",
        "    -\t^ 3",
        "    +\t^ 4",
        "",
        "Zoo>>shut (new)",
        "    @@ -0,0 +1 @@",
        "    +shut",
        "",
        "To make this change, call refactor with kind: rewrite, apply: 7.",
    ]


def test_a_change_that_is_not_of_a_method_is_only_named() -> None:
    part = {"name": "Remove Zoo>>#open", "before": "", "after": ""}
    preview = answering(preview=True, number=7, impact={"sends": 1, "classes": 1, "items": []}, parts=[part])
    assert "Remove Zoo>>#open" in text(refactor_tool, "refactoring", preview, **EXTRACTED).splitlines()


def test_a_preview_of_repairs_numbers_them_and_lists_what_it_cannot_repair() -> None:
    part = {"name": "1. Zoo>>open: Use isNil", "before": "open\n\t^ 3", "after": "open\n\t^ 4"}
    remarks = {"remarks": ["Zoo: No class comment"], "remarkCount": 7}
    impact = {"sends": 1, "classes": 1, "items": [SITE], "places": 1, **remarks}
    preview = answering(preview=True, number=7, impact=impact, parts=[part])
    lines = text(refactor_tool, "code/repair", preview, **REPAIRED).splitlines()
    assert "1. Zoo>>open: Use isNil:" in lines
    assert lines[-3:] == [
        "Without a change of their own (7):",
        "    Zoo: No class comment",
        "To make this change, call refactor with kind: repair, apply: 7.",
    ]


def test_a_preview_without_a_change_offers_none() -> None:
    impact = {"sends": 0, "classes": 0, "places": 0, "remarks": ["Zoo: No class comment"], "remarkCount": 1}
    lines = text(refactor_tool, "code/repair", answering(preview=True, number=7, impact=impact), **REPAIRED)
    assert lines.splitlines()[-1] == "    Zoo: No class comment"


def test_some_of_the_repairs_are_made() -> None:
    asked = Remembering(answering(preview=False, impact={"sends": 1, "classes": 1}, changes=[4, 5]))
    with asking(**{"refactoring/apply": asked}) as image:
        refactor_tool.make(image).call({"kind": "repair", "apply": 7, "items": [1, 3]}, Call())
    assert asked.asked == [{"number": 7, "items": [1, 3]}]


def test_the_arguments_of_a_preview_may_be_repeated_when_it_is_carried_out() -> None:
    asked = Remembering(answering(preview=False, impact={"sends": 1, "classes": 1}, changes=[4]))
    with asking(**{"refactoring/apply": asked}) as image:
        refactor_tool.make(image).call({**CLASS, "apply": 7, "preview": False}, Call())
    assert asked.asked == [{"number": 7, "preview": False}]


def test_the_change_of_a_preview_is_made_by_its_number_and_not_shown_again() -> None:
    impact = {"sends": 1, "classes": 1, "remarks": ["Zoo: No class comment"], "remarkCount": 1}
    asked = Remembering(answering(preview=False, impact=impact, changes=[4], warnings=["Not shown before."]))
    done = text(refactor_tool, "refactoring/apply", asked, kind="rewrite", apply=7, confirm=True)
    assert asked.asked == [{"number": 7, "confirm": True}]
    assert done.splitlines() == [
        "Made the change of preview 7. Affected: 1 method in 1 class.",
        "Change 4.",
        "Warnings:",
        "    Not shown before.",
    ]


@pytest.mark.parametrize(
    ("path", "arguments", "done"),
    [
        ("class/rename", CLASS, "Renamed Zoo to Ark"),
        ("method/rename", RENAMED, "Renamed Zoo>>cages to rooms"),
        ("method/move", MOVED, "Moved Zoo class>>cages to Ark"),
        ("code/rewrite", REWRITTEN, "Changed the code"),
        ("refactoring", EXTRACTED, "Changed the code"),
    ],
)
def test_it_says_what_was_done(path: str, arguments: dict[str, Any], done: str) -> None:
    answer = answering(preview=False, impact={"sends": 0, "classes": 0, "items": []}, changes=[4])
    first, second = text(refactor_tool, path, answer, **arguments).splitlines()
    assert first == f"{done}. Affected: 0 methods in 0 classes."
    assert second == "Change 4."


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"kind": "rename_class", "class_name": "Zoo"}, "rename_class needs new_name. Nothing was changed."),
        ({"kind": "move_method", "class_name": "Zoo"}, "move_method needs selector and to_class."),
        ({**REWRITTEN, "only": []}, "rewrite needs only. Nothing was changed."),
        ({"kind": "migrate", "to": 13, "only": []}, "migrate needs only. Nothing was changed."),
        (
            {**CLASS, "selector": "cages"},
            "rename_class does not take selector. Nothing was changed. Leave that out and call again.",
        ),
    ],
)
def test_arguments_that_do_not_fit_the_kind_are_refused(arguments: dict[str, Any], why: str) -> None:
    refused = result(refactor_tool, "class/rename", PREVIEW, **arguments)
    assert refused.is_error
    assert why in str(refused.contents[0])
