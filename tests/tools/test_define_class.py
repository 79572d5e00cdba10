"""Tool `define_class`."""

import pytest

from image.servers import Remembering, asking, failure
from pharo_mcp.image import RequestRefused
from pharo_mcp.protocol import Call, TextContent
from pharo_mcp.tools import define_class_tool
from tools.calling import answering, structured, structured_as_described, text

DEFINED = answering(
    className="Zoo",
    created=True,
    definition="Object << #Zoo\n\tslots: {};\n\tpackage: 'Zoos'",
    changes=[7],
)


def test_a_new_class_is_answered_with_its_definition_and_what_comes_next() -> None:
    assert text(
        define_class_tool, "class/define", DEFINED, class_name="Zoo", package="Zoos"
    ).splitlines() == [
        "Zoo is a new class:",
        "Object << #Zoo",
        "\tslots: {};",
        "\tpackage: 'Zoos'",
        "Change 7; undo_change takes it back.",
        "compile_method gives it methods.",
    ]


def test_a_class_that_was_there_is_said_to_be_defined_anew() -> None:
    answer = answering(className="Zoo", created=False, definition="…", changes=[8, 9])
    assert text(define_class_tool, "class/define", answer, class_name="Zoo").splitlines() == [
        "Zoo is defined anew:",
        "…",
        "Changes 8 to 9; undo_change with to: 7 takes all of them back.",
    ]


def test_of_a_long_definition_the_beginning_is_answered_to_programs_too() -> None:
    answer = answering(className="Zoo", created=False, definition="x" * 100_000, changes=[8])
    words = text(define_class_tool, "class/define", answer, class_name="Zoo")
    told = structured(define_class_tool, "class/define", answer, class_name="Zoo")["definition"]
    assert told in words
    assert told.endswith("Characters 1 to 10,000 of 100,000. The resource pharo://class/Zoo holds all.")


def test_a_trait_is_called_one() -> None:
    answer = answering(className="TZoo", created=True, definition="Trait << #TZoo", changes=[7])
    first, *_ = text(define_class_tool, "class/define", answer, definition="Trait << #TZoo").splitlines()
    assert first == "TZoo is a new trait:"


@pytest.mark.parametrize(
    "given", [{}, {"definition": "Object << #Zoo", "class_name": "Zo"}, {"slots": ["a"]}]
)
def test_it_must_be_said_in_one_way(given: dict[str, object]) -> None:
    with asking() as image:
        result = define_class_tool(image, structured=False).call(given, Call())
    assert result.is_error
    assert result.contents == (
        TextContent("Nothing was changed: give either a definition or class_name and the other arguments."),
    )


def test_only_what_is_given_is_asked() -> None:
    define = Remembering(DEFINED)
    with asking(**{"class/define": define}) as image:
        tool = define_class_tool(image, structured=False)
        tool.call({"definition": "Object << #Zoo package: 'Zoos'"}, Call())
        tool.call({"class_name": "Zoo", "package": "Zoos", "slots": ["cages"]}, Call())
    assert define.asked == [
        {"definition": "Object << #Zoo package: 'Zoos'"},
        {"className": "Zoo", "package": "Zoos", "slots": ["cages"]},
    ]


def test_what_is_no_definition_is_refused_in_the_images_words() -> None:
    with pytest.raises(RequestRefused, match="no definition"):
        text(
            define_class_tool,
            "class/define",
            lambda _: failure(400, "badRequest", "This is no definition of a class."),
            definition="3 + 4",
        )


def test_for_programs_it_repeats_itself_as_its_schema_says() -> None:
    assert structured_as_described(define_class_tool, "class/define", DEFINED, class_name="Zoo")
