"""Tool `refactor` with `kind: "migrate"`."""

from typing import Any

from image.servers import Answer, Remembering, Reply, asking, failure
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.changing import refactor
from tools.calling import answering

MIGRATE: dict[str, Any] = {"kind": "migrate", "to": 14, "only": ["Zoo"]}
IMPACT = {"sends": 1, "classes": 1, "items": [{"className": "Zoo", "side": "instance", "selector": "open"}]}
PREVIEWED = answering(preview=True, number=7, impact=IMPACT)


def use(selector: str | None, *names: str, overrides: bool = False) -> dict[str, Any]:
    """A method of a class Zoo that uses some names; without selector the class itself."""
    return {
        "className": "Zoo",
        "side": "instance",
        "selector": selector,
        "names": names,
        "overrides": overrides,
    }


def migrated(
    *uses: dict[str, Any],
    version: int = 13,
    missing: tuple[str, ...] = (),
    rewriting: Answer = PREVIEWED,
    **options: object,
) -> list[str]:
    """The lines of the result where an image of a version uses names so."""
    found = answering(version=version, methods=9, uses=uses, missing=missing)
    with asking(**{"code/uses": found, "code/rewrite": rewriting}) as image:
        result = refactor.make(image).call({**MIGRATE, **options}, Call())
    assert not result.is_error
    return [
        line
        for content in result.contents
        if isinstance(content, TextContent)
        for line in content.text.splitlines()
    ]


def test_what_is_certain_is_rewritten_in_the_methods_that_use_it() -> None:
    asked = Remembering(answering(preview=False, impact=IMPACT, changes=[4]))
    lines = migrated(use("open", "haltOnRead", "RBNode"), rewriting=asked, preview=False)
    patterns = [["RBNode", "OCNode"], ["`@receiver haltOnRead", "`@receiver breakOnRead"]]
    assert asked.asked == [{"rules": patterns, "only": ["Zoo>>open"], "preview": False}]
    assert lines[-3:-1] == ["Changed the code. Affected: 1 method in 1 class.", "Change 4."]


def test_each_name_is_listed_with_the_methods_that_use_it() -> None:
    lines = migrated(use("open", "haltOnRead"), use("shut", "haltOnRead", "shortStack"), use("ask", "Gofer"))
    assert lines[:8] == [
        "Found 3 names in 9 methods of Zoo that Pharo 14 lacks or deprecates.",
        "Certain:",
        "    Object>>haltOnRead (deprecated in 14) → breakOnRead",
        "        Zoo>>open, Zoo>>shut",
        "To look at:",
        "    Gofer (gone in 13): Use Metacello, or MCWorkingCopy and Iceberg.",
        "        Zoo>>ask",
        "    Context>>shortStack (deprecated in 14): stackTraceString.",
    ]
    assert lines[-1] == "To make this change, call refactor with kind: migrate, apply: 7."


def test_what_an_image_lacks_is_not_used_in_a_rewrite() -> None:
    lines = migrated(use("open", "RBNode"), missing=("OCNode",))
    assert lines[1:] == [
        "To rewrite after the move, since this image lacks the replacement:",
        "    RBNode (deprecated in 13) → OCNode",
        "        Zoo>>open",
    ]


def test_what_means_another_thing_before_is_only_rewritten_in_the_new_version() -> None:
    heading = "To rewrite after the move, since this image lacks the replacement:"
    assert migrated(use("open", "isInteractiveGraphic"))[1] == heading
    assert migrated(use("open", "isInteractiveGraphic"), version=14)[1] == "Certain:"


def test_a_method_of_a_class_side_matters_where_the_class_is_named() -> None:
    assert "Found 0 names" in migrated(use("open", "epsilon"))[0]
    assert "Found 1 name" in migrated(use("open", "epsilon", "Float"))[0]


def test_a_method_that_overrides_what_is_gone_is_listed() -> None:
    lines = migrated(use("workspace", overrides=True))
    assert lines[1:] == [
        "Overridden, but no longer sent or deprecated:",
        "    workspace (gone in 13)",
        "        Zoo>>workspace",
    ]


def test_without_a_rewriter_there_is_the_list() -> None:
    def refused(_: object) -> Reply:
        return failure(501, "unavailable", "This image has no parse tree rewriter.")

    lines = migrated(use("open", "haltOnRead"), rewriting=refused)
    assert lines[-2:] == ["", "This image has no parse tree rewriter."]


def test_the_extensions_of_a_class_with_another_name_are_listed_apart() -> None:
    extension = {**use("isTemp", "RBNode"), "className": "RBNode"}
    assert migrated(extension)[1:] == [
        "Extensions, which may be lost where the class has its new name:",
        "    RBNode (deprecated in 13) → OCNode",
        "        RBNode>>isTemp",
    ]


def test_a_superclass_is_not_rewritten() -> None:
    assert migrated(use(None, "RBNode"))[1:] == [
        "Superclasses, to change in the definitions:",
        "    RBNode (deprecated in 13) → OCNode",
        "        Zoo",
    ]
