"""Tool `edit_code`."""

from typing import Any

from image.servers import Answer, Remembering, asking, exchange
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent, ToolResult
from pharo_mcp.tools.changing import edit_code as edit_code_tool
from tools.calling import answering, result, text

SOURCE = "ShOrder >> total [ ^ 3 ]"


def edited(**members: object) -> Answer:
    nothing: dict[str, Any] = {"classes": [], "methods": [], "removed": [], "unchanged": 0, "changes": []}
    return answering(**{**nothing, **members})


def called(arguments: dict[str, object], **answers: Answer) -> ToolResult:
    with asking(**answers) as image:
        return edit_code_tool.make(image).call(arguments, Call())


def texts(result: ToolResult) -> list[str]:
    return [content.text for content in result.contents if isinstance(content, TextContent)]


def method(selector: str, *, created: bool) -> dict[str, object]:
    return {"className": "ShOrder", "side": "instance", "selector": selector, "created": created}


def test_it_says_what_was_done_and_the_number_of_the_change() -> None:
    answer = edited(
        classes=[{"className": "ShOrder", "created": False}, {"className": "ShLine", "created": True}],
        methods=[method("total", created=False), method("add:", created=True)],
        removed=["ShOld"],
        unchanged=4,
        changes=[7],
    )
    assert text(edit_code_tool, "code/edit", answer, text=SOURCE).splitlines() == [
        "Created ShLine.",
        "Changed ShOrder.",
        "Added ShOrder>>add:.",
        "Replaced ShOrder>>total.",
        "Removed ShOld.",
        "Unchanged: 4.",
        "Change 7.",
    ]


def test_many_methods_are_counted_by_class() -> None:
    answer = edited(methods=[method(f"m{number}", created=True) for number in range(13)], changes=[7])
    assert text(edit_code_tool, "code/edit", answer, text=SOURCE).splitlines() == [
        "Added 13 methods: 13 in ShOrder.",
        "Change 7.",
    ]


def test_what_is_lost_comes_first() -> None:
    loss = {"kind": "slots", "total": 1, "names": ["lines"], "instances": 2}
    answer = edited(classes=[{"className": "ShOrder", "created": False, "losses": [loss]}], changes=[7])
    first, second, *_ = text(edit_code_tool, "code/edit", answer, text=SOURCE).splitlines()
    assert (first, second) == ("ShOrder has lost:", "    1 slot: lines (values in 2 instances)")


def test_a_text_that_changes_nothing_is_reported_as_such() -> None:
    assert text(edit_code_tool, "code/edit", edited(unchanged=6), text=SOURCE) == (
        "Nothing to change: the image already has all 6 parts of this text."
    )


def test_all_errors_are_shown_with_their_places_and_a_caret() -> None:
    failed = result(edit_code_tool, "code/edit", exchange("code_edit_wrong"), text=SOURCE)
    assert failed.is_error
    assert texts(failed)[0].splitlines() == [
        "Nothing was changed.",
        "",
        "PmcExampleCircle>>twice: Syntax error: Variable or expression expected (line 2, column 12)",
        "    \t^ radius *",
        "    \t          ^",
        "",
        "PmcMadeNothing>>half: There is no class or trait named PmcMadeNothing.",
        "",
        "PmcExampleCircle>>zork: PmcExampleCircle has no method named zork.",
        "",
        "With keep_going: true, the valid parts are applied.",
    ]


def test_a_preview_is_a_diff() -> None:
    lines = text(edit_code_tool, "code/edit", exchange("code_edit_preview"), text=SOURCE).splitlines()
    assert lines[0] == "Preview: nothing was changed."
    assert "    -\t^ radius" in lines
    assert "    +\t^ radius * 2" in lines


def test_the_expression_and_the_tests_follow_the_change() -> None:
    evaluate, tests = (
        Remembering(exchange("evaluate_three_plus_four")),
        Remembering(exchange("tests_of_several_names")),
    )
    arguments: dict[str, object] = {"text": SOURCE, "evaluate": "3 + 4", "tests": ["ShOrderTest"]}
    answers: dict[str, Answer] = {"code/edit": edited(changes=[7]), "evaluate": evaluate, "tests": tests}
    change, value, ran = texts(called(arguments, **answers))
    assert change == "Change 7."
    assert value.startswith("7")
    assert ran.startswith("2 tests: 1 passed, 1 skipped.")
    assert tests.asked[0]["tests"] == ["ShOrderTest"]


def test_affected_tests_are_those_that_reach_the_change() -> None:
    tests = Remembering(exchange("tests_of_several_names"))
    answers: dict[str, Answer] = {"code/edit": edited(changes=[7]), "tests": tests}
    called({"text": SOURCE, "tests": ["affected"]}, **answers)
    assert (tests.asked[0]["affected"], tests.asked[0]["since"]) == (True, 6)
    assert "tests" not in tests.asked[0]


def test_without_a_change_no_test_is_affected() -> None:
    assert not called({"text": SOURCE, "tests": ["affected"]}, **{"code/edit": edited(changes=[])}).is_error


def test_the_change_is_reported_even_if_its_tests_are_unknown() -> None:
    answers: dict[str, Answer] = {"code/edit": edited(changes=[7]), "tests": exchange("tests_unknown_class")}
    done = called({"text": SOURCE, "tests": ["Nope"]}, **answers)
    change, unknown = texts(done)
    assert change == "Change 7."
    assert unknown.startswith("There is no class")
    assert done.is_error


def test_affected_tests_are_not_named_beside_others() -> None:
    refused = called({"text": SOURCE, "tests": ["affected", "ShOrderTest"]}, **{"code/edit": edited()})
    assert texts(refused) == ["In tests, affected must be alone. Nothing was done."]


def test_a_preview_evaluates_nothing_and_runs_no_tests() -> None:
    arguments: dict[str, object] = {
        "text": SOURCE,
        "evaluate": "3",
        "tests": ["ShOrderTest"],
        "preview": True,
    }
    assert len(texts(called(arguments, **{"code/edit": exchange("code_edit_preview")}))) == 1


def test_few_of_many_warnings_are_shown() -> None:
    warnings = [f"No method named zork{n} exists in the image." for n in range(9)]

    def answer(_: object) -> Any:
        status, body = edited(changes=[7])(None)
        return status, {**body, "warnings": warnings}

    *_, shown = texts(called({"text": SOURCE}, **{"code/edit": answer}))
    assert shown.splitlines()[0] == "Warnings:"
    assert len(shown.splitlines()) == 7
    assert shown.endswith("… and 4 more")
