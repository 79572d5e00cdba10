"""Tool `define_class`."""

import pytest

from image.servers import Answer, Remembering, asking, failure, value
from pharo_mcp.image import RequestRefused
from pharo_mcp.protocol import Call, TextContent, ToolResult
from pharo_mcp.tools.define_class import define_class_tool
from tools.calling import answering, structured, structured_as_described, text

DEFINED = answering(
    className="Zoo",
    created=True,
    definition="Object << #Zoo\n\tslots: {};\n\tpackage: 'Zoos'",
    changes=[7],
)


def test_a_new_class_is_shown_with_its_definition_and_its_change() -> None:
    assert text(
        define_class_tool, "class/define", DEFINED, class_name="Zoo", package="Zoos"
    ).splitlines() == [
        "Created the class Zoo:",
        "Object << #Zoo",
        "\tslots: {};",
        "\tpackage: 'Zoos'",
        "Change 7.",
    ]


def test_an_existing_class_is_changed() -> None:
    answer = answering(className="Zoo", created=False, definition="…", changes=[8, 9])
    assert text(define_class_tool, "class/define", answer, class_name="Zoo").splitlines() == [
        "Changed the class Zoo:",
        "…",
        "Changes 8\N{EN DASH}9.",
    ]


LOSSES = [
    {"kind": "slots", "total": 2, "names": ["a", "b"], "instances": 3},
    {"kind": "classVariables", "total": 1, "names": ["Sum"]},
    {"kind": "traits", "total": 1, "names": ["TFoo"], "methods": 4},
    {"kind": "superclass", "total": 1, "names": ["Animal"], "methods": 1},
    {"kind": "methods", "total": 51, "names": ["Zoo>>size", "Zoo>>a"]},
]


def test_what_a_definition_takes_away_is_named_first() -> None:
    answer = answering(className="Zoo", created=False, definition="…", losses=LOSSES, changes=[8])
    assert text(define_class_tool, "class/define", answer, class_name="Zoo", slots=[]).splitlines() == [
        "The class Zoo lost:",
        "    2 slots: a, b (values in 3 instances)",
        "    1 class variable: Sum",
        "    1 trait: TFoo (with 4 methods)",
        "    1 superclass: Animal (with 1 method)",
        "    51 methods no longer compile: Zoo>>size, Zoo>>a, …",
        "Changed the class Zoo:",
        "…",
        "Change 8.",
    ]


def test_a_preview_says_that_nothing_was_changed() -> None:
    answer = answering(className="Zoo", created=False, definition="…", losses=LOSSES[:1], preview=True)
    assert text(define_class_tool, "class/define", answer, class_name="Zoo", preview=True).splitlines() == [
        "The class Zoo would lose:",
        "    2 slots: a, b (values in 3 instances)",
        "Preview; nothing was changed. This would change the class Zoo:",
        "…",
        "To make the change, call again without preview.",
    ]


def test_a_definition_that_changes_nothing_is_not_called_a_change() -> None:
    answer = answering(className="Zoo", created=False, definition="…", changes=[])
    first, *_ = text(define_class_tool, "class/define", answer, class_name="Zoo").splitlines()
    assert first == "Nothing to change in the class Zoo:"


METHODS = ["open ^ 1", {"source": "new ^ 2", "side": "class", "protocol": "making"}]
OPEN = {"className": "Zoo", "side": "instance", "selector": "open", "created": True, "protocol": "opening"}
FAILED: dict[str, object] = {"error": {"kind": "syntax", "messageText": "Expression expected"}}


def compiling(*methods: dict[str, object], changes: list[int]) -> Answer:
    """Return what the image answers for the methods."""
    return lambda _: value(
        {"className": "Zoo", "side": "instance", "methods": list(methods), "changes": changes}
    )


def defined_with(compile_methods: Answer, **more: object) -> ToolResult:
    """Return the result of defining a class with two methods."""
    with asking(**{"class/define": DEFINED, "methods/compile": compile_methods}) as image:
        tool = define_class_tool(image, structured=True)
        result = tool.call({"class_name": "Zoo", "package": "Zoos", "methods": METHODS, **more}, Call())
    assert tool.output_schema is not None
    if result.structured:
        tool.output_schema.check(result.structured)
    return result


def lines_of(result: ToolResult) -> list[str]:
    """Return the lines of a result of one text."""
    [content] = result.contents
    assert isinstance(content, TextContent)
    return content.text.splitlines()


def test_methods_are_compiled_into_the_class_and_reported_with_one_range_of_changes() -> None:
    compile_methods = Remembering(compiling({**OPEN, "changes": [8]}, changes=[8]))
    result = defined_with(compile_methods, confirm=True)
    assert not result.is_error
    assert lines_of(result)[4:] == [
        "Compiled 1 method in Zoo.",
        "    Zoo>>open (opening, new)",
        "Changes 7\N{EN DASH}8.",
    ]
    sent = [{"source": "open ^ 1"}, {"source": "new ^ 2", "side": "class", "protocol": "making"}]
    assert compile_methods.asked == [{"className": "Zoo", "methods": sent, "confirm": True}]
    assert result.structured
    assert result.structured["changes"] == [7, 8]


def test_a_method_that_fails_keeps_neither_the_class_nor_the_others_back() -> None:
    result = defined_with(compiling({**OPEN, "changes": [8]}, FAILED, changes=[8]))
    assert result.is_error
    lines = lines_of(result)
    assert lines[0] == "Created the class Zoo:"
    assert "Compiled 1 of 2 methods in Zoo; 1 failed." in lines
    assert lines[-1] == "Changes 7\N{EN DASH}8."


def test_a_definition_that_changes_nothing_is_not_repeated_before_its_methods() -> None:
    unchanged = answering(className="Zoo", created=False, definition="…", changes=[])
    methods = compiling({**OPEN, "changes": [8]}, changes=[8])
    with asking(**{"class/define": unchanged, "methods/compile": methods}) as image:
        result = define_class_tool(image, structured=False).call(
            {"class_name": "Zoo", "methods": METHODS}, Call()
        )
    assert lines_of(result) == ["Compiled 1 method in Zoo.", "    Zoo>>open (opening, new)", "Change 8."]


def test_when_no_method_could_be_compiled_the_class_is_still_reported() -> None:
    result = defined_with(lambda _: failure(503, "busy", "Four requests are running"))
    assert result.is_error
    lines = lines_of(result)
    assert lines[0] == "Created the class Zoo:"
    assert lines[4:6] == [
        "Change 7.",
        "The class is defined, but compiling its methods failed:",
    ]
    assert "This request did not run." in lines[6]


def test_a_preview_compiles_nothing() -> None:
    preview = answering(className="Zoo", created=True, definition="…", preview=True)
    with asking(**{"class/define": preview}) as image:  # which compiles no methods
        tool = define_class_tool(image, structured=False)
        result = tool.call({"class_name": "Zoo", "methods": METHODS, "preview": True}, Call())
    assert not result.is_error
    assert lines_of(result)[-2:] == [
        "To make the change, call again without preview.",
        "That also compiles 2 methods; nothing was compiled now.",
    ]


def test_it_says_that_it_may_destroy() -> None:
    with asking() as image:
        assert define_class_tool(image, structured=False).annotations["destructiveHint"]


def test_a_long_definition_is_cut_in_the_structured_result_too() -> None:
    answer = answering(className="Zoo", created=False, definition="x" * 100_000, changes=[8])
    words = text(define_class_tool, "class/define", answer, class_name="Zoo")
    shown = structured(define_class_tool, "class/define", answer, class_name="Zoo")["definition"]
    assert shown in words
    assert shown.endswith("Characters 1 to 10,000 of 100,000. The resource pharo://class/Zoo has all of it.")


def test_a_trait_is_called_one() -> None:
    answer = answering(className="TZoo", created=True, definition="Trait << #TZoo", changes=[7])
    first, *_ = text(define_class_tool, "class/define", answer, definition="Trait << #TZoo").splitlines()
    assert first == "Created the trait TZoo:"


@pytest.mark.parametrize(
    "given", [{}, {"definition": "Object << #Zoo", "class_name": "Zo"}, {"slots": ["a"]}]
)
def test_it_needs_either_a_definition_or_a_class_name(given: dict[str, object]) -> None:
    with asking() as image:
        result = define_class_tool(image, structured=False).call(given, Call())
    assert result.is_error
    assert result.contents == (
        TextContent(
            "define_class needs either definition, or class_name and the other arguments. "
            "Nothing was changed."
        ),
    )


def test_only_given_arguments_are_sent() -> None:
    define = Remembering(DEFINED)
    with asking(**{"class/define": define}) as image:
        tool = define_class_tool(image, structured=False)
        tool.call({"definition": "Object << #Zoo package: 'Zoos'"}, Call())
        tool.call({"class_name": "Zoo", "package": "Zoos", "slots": ["cages"]}, Call())
        tool.call({"class_name": "Zoo", "class_variables": ["Sum"], "traits": [], "preview": True}, Call())
    assert define.asked == [
        {"definition": "Object << #Zoo package: 'Zoos'"},
        {"className": "Zoo", "package": "Zoos", "slots": ["cages"]},
        {"className": "Zoo", "classVariables": ["Sum"], "traits": [], "preview": True},
    ]


def test_an_invalid_definition_is_refused_in_the_words_of_the_image() -> None:
    with pytest.raises(RequestRefused, match="no definition"):
        text(
            define_class_tool,
            "class/define",
            lambda _: failure(400, "badRequest", "This is no definition of a class."),
            definition="3 + 4",
        )


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(define_class_tool, "class/define", DEFINED, class_name="Zoo")
