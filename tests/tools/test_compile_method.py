"""Tool `compile_method`."""

import pytest

from image.servers import Reply, asking, exchange
from pharo_mcp.image import SmalltalkError
from pharo_mcp.protocol import Call, TextContent
from pharo_mcp.tools.compile_method import compile_method_tool
from tools.calling import answering, structured_as_described, text

COMPILED = {
    "className": "Zoo",
    "side": "class",
    "selector": "new",
    "created": False,
    "protocol": "instance creation",
    "changes": [3],
}


def test_a_compiled_method_is_shown_with_its_change_and_critiques() -> None:
    critiques = [{"rule": "Long methods", "text": "It has 30 statements."}]
    answer = answering(**COMPILED, critiques=critiques)
    assert text(compile_method_tool, "method/compile", answer, class_name="Zoo", source="x").splitlines() == [
        "Compiled Zoo class>>new, in protocol instance creation.",
        "Change 3.",
        "Critiques:",
        "    Long methods: It has 30 statements.",
    ]


def test_names_that_do_not_exist_are_warnings() -> None:
    answer = exchange("compile_method_unknown_names")
    words = text(compile_method_tool, "method/compile", answer, class_name="Zoo", source="x")
    assert words.splitlines()[2:5] == [
        "Warnings:",
        "    There is no class or global named PmcExampleCircel: it is nil until it is defined. "
        "Similar names: PmcExampleCircle.",
        "    No method named injekt:into: exists in the image. Similar names: inject:into:.",
    ]


def test_missing_critiques_are_reported_once() -> None:
    answer = answering(**{**COMPILED, "created": True}, unavailable="There is no Renraku here.")
    with asking(**{"method/compile": answer}) as image:
        tool = compile_method_tool(image, structured=True)
        first, second = (tool.call({"class_name": "Zoo", "source": "x"}, Call()) for _ in range(2))
    done = "Compiled the new method Zoo class>>new, in protocol instance creation.\nChange 3."
    assert first.contents == (TextContent(f"{done}\nThere is no Renraku here."),)
    assert second.contents == (TextContent(done),)
    assert first.structured == second.structured


def test_a_syntax_error_is_located_and_the_method_is_not_changed() -> None:
    def refuse(_: object) -> Reply:
        error = {
            "kind": "syntax",
            "messageText": "Variable or expression expected",
            "line": 2,
            "column": 8,
            "sourceLine": "\t^ 3 + ",
        }
        return 200, {"ok": False, "error": error}

    with pytest.raises(SmalltalkError) as raised:
        text(compile_method_tool, "method/compile", refuse, class_name="Zoo", source="x")
    assert raised.value.message.splitlines() == [
        "Syntax error: Variable or expression expected (line 2, column 8)",
        "    \t^ 3 + ",
        "    \t      ^",
        "The method was not changed.",
    ]


def test_its_structured_result_matches_its_schema() -> None:
    assert structured_as_described(
        compile_method_tool, "method/compile", answering(**COMPILED), class_name="Zoo", source="x"
    )
