"""Tools that ask the image's refactoring engine."""

from collections.abc import Callable

import pytest

from image.servers import Remembering, asking, failure
from pharo_mcp.image import ImageClient, RequestRefused
from pharo_mcp.protocol import Call, Tool
from pharo_mcp.tools import (
    move_method_tool,
    remove_class_tool,
    remove_method_tool,
    rename_class_tool,
    rename_method_tool,
)
from tools.calling import answering, structured_as_described, text

SITE = {"className": "Zoo", "side": "instance", "selector": "open"}
IMPACT = {"sends": 12, "classes": 3, "items": [SITE]}
PREVIEW = answering(preview=True, impact=IMPACT, warnings=["Zoo has subclasses."])
METHOD = {"class_name": "Zoo", "selector": "cages"}
WIRED = {"className": "Zoo", "selector": "cages"}

Make = Callable[..., Tool]


def test_the_impact_comes_first_and_nothing_is_done() -> None:
    assert text(
        rename_class_tool, "class/rename", PREVIEW, class_name="Zoo", new_name="Ark"
    ).splitlines() == [
        "Nothing is changed yet. It concerns 12 references in 3 classes.",
        "    Zoo>>open",
        "Warnings:",
        "    Zoo has subclasses.",
        "Call again with preview: false to do it.",
    ]


def test_what_was_done_can_be_undone() -> None:
    done = answering(preview=False, impact={"sends": 1, "classes": 1, "items": []}, changes=[4, 5, 6])
    words = text(rename_class_tool, "class/rename", done, class_name="Zoo", new_name="Ark", preview=False)
    assert words.splitlines() == [
        "Done. It concerned 1 reference in 1 class.",
        "Changes 4 to 6; undo_change with to: 3 takes all of them back.",
    ]


DEPENDED_ON = IMPACT | {
    "subclasses": {"total": 51, "names": ["Aviary", "Vivarium"]},
    "users": {"total": 1, "names": ["Ark"]},
}
DEPENDENTS = [
    "Subclasses, moved below its superclass (51): Aviary, Vivarium, …",
    "Users of the trait, which lose its methods (1): Ark",
]


def test_what_depends_on_a_class_is_told_before_it_is_removed_and_after() -> None:
    preview = answering(preview=True, impact=DEPENDED_ON)
    words = text(remove_class_tool, "class/remove", preview, class_name="Zoo").splitlines()
    assert words[2:] == [*DEPENDENTS, "Call again with preview: false and force: true to do it."]
    done = answering(preview=False, impact=DEPENDED_ON, changes=[4])
    words = text(
        remove_class_tool, "class/remove", done, class_name="Zoo", preview=False, force=True
    ).splitlines()
    assert words[3:] == DEPENDENTS


def test_force_is_left_to_the_image_unless_it_is_given() -> None:
    remove = Remembering(PREVIEW)
    with asking(**{"class/remove": remove}) as image:
        remove_class_tool(image, structured=False).call({"class_name": "Zoo", "force": True}, Call())
        image.changes.remove_class("Zoo")
    assert remove.asked == [{"className": "Zoo", "force": True, "preview": True}, {"className": "Zoo"}]


@pytest.mark.parametrize(
    ("make", "path", "arguments", "body"),
    [
        (remove_class_tool, "class/remove", {"class_name": "Zoo"}, {"className": "Zoo", "force": False}),
        (remove_method_tool, "method/remove", METHOD, WIRED),
        (
            rename_class_tool,
            "class/rename",
            {"class_name": "Zoo", "new_name": "Ark"},
            {"className": "Zoo", "newName": "Ark"},
        ),
        (
            rename_method_tool,
            "method/rename",
            {**METHOD, "new_selector": "rooms", "packages": ["*"]},
            {**WIRED, "newSelector": "rooms", "packages": ["*"]},
        ),
        (move_method_tool, "method/move", {**METHOD, "to_class": "Ark"}, {**WIRED, "toClass": "Ark"}),
    ],
)
def test_each_asks_its_endpoint_for_a_preview_unless_told_otherwise(
    make: Make, path: str, arguments: dict[str, object], body: dict[str, object]
) -> None:
    refactor = Remembering(PREVIEW)
    with asking(**{path: refactor}) as image:
        tool = make(image, structured=False)
        tool.call(arguments, Call())
        tool.call({**arguments, "preview": False}, Call())
    assert refactor.asked == [{**body, "preview": True}, {**body, "preview": False}]


def test_an_image_without_an_engine_says_so_and_nothing_changed() -> None:
    def refuse(_: object) -> tuple[int, dict[str, object]]:
        status, body = failure(501, "unavailable", "This image has no refactoring engine; nothing changed.")
        return status, dict(body)

    with asking(**{"class/remove": refuse}) as image, pytest.raises(RequestRefused, match="no refactoring"):
        image.changes.remove_class("Zoo")


def test_for_programs_they_repeat_themselves_as_their_schema_says() -> None:
    depended_on = answering(preview=True, impact=DEPENDED_ON)
    assert structured_as_described(remove_class_tool, "class/remove", depended_on, class_name="Zoo")
    assert structured_as_described(remove_class_tool, "class/remove", PREVIEW, class_name="Zoo")


def test_a_class_whose_name_is_taken_is_refused_in_the_images_words() -> None:
    def ask(image: ImageClient) -> object:
        return image.changes.rename_class("Zoo", "Object")

    with (
        asking(**{"class/rename": lambda _: failure(409, "nameTaken", "There is a class Object.")}) as image,
        pytest.raises(RequestRefused, match="There is a class Object"),
    ):
        ask(image)
