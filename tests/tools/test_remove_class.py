"""Tool `remove_class`."""

from image.servers import Remembering, asking
from pharo_mcp.protocol import Call
from pharo_mcp.tools.remove_class import remove_class_tool
from tools.calling import answering, structured_as_described, text
from tools.refactoring import IMPACT, PREVIEW, assert_the_image_decides_about_a_preview, done

DEPENDED_ON = IMPACT | {
    "subclasses": {"total": 51, "names": ["Aviary", "Vivarium"]},
    "users": {"total": 1, "names": ["Ark"]},
}
DEPENDENTS = [
    "Subclasses, which move up to its superclass (51): Aviary, Vivarium, …",
    "Users of the trait, which lose its methods (1): Ark",
]


def test_dependents_of_a_class_are_listed_before_and_after_its_removal() -> None:
    preview = answering(preview=True, impact=DEPENDED_ON)
    words = text(remove_class_tool, "class/remove", preview, class_name="Zoo").splitlines()
    assert words[2:] == [*DEPENDENTS, "To make the change, call again with preview: false and force: true."]
    done = answering(preview=False, impact=DEPENDED_ON, changes=[4])
    words = text(
        remove_class_tool, "class/remove", done, class_name="Zoo", preview=False, force=True
    ).splitlines()
    assert words[3:] == DEPENDENTS


def test_force_is_sent_only_if_given() -> None:
    remove = Remembering(PREVIEW)
    with asking(**{"class/remove": remove}) as image:
        remove_class_tool(image, structured=False).call({"class_name": "Zoo", "force": True}, Call())
        image.changes.remove_class("Zoo")
    assert remove.asked == [{"className": "Zoo", "force": True}, {"className": "Zoo"}]


def test_it_leaves_it_to_the_image_whether_to_preview() -> None:
    body = {"className": "Zoo", "force": False}
    assert_the_image_decides_about_a_preview(
        remove_class_tool, "class/remove", {"class_name": "Zoo"}, {**body}
    )


def test_it_says_what_was_removed() -> None:
    line = done(remove_class_tool, "class/remove", {"class_name": "Zoo"})
    assert line == "Removed Zoo. Affected: 0 references in 0 classes."


def test_its_structured_result_matches_its_schema() -> None:
    depended_on = answering(preview=True, impact=DEPENDED_ON)
    assert structured_as_described(remove_class_tool, "class/remove", depended_on, class_name="Zoo")
    assert structured_as_described(remove_class_tool, "class/remove", PREVIEW, class_name="Zoo")
