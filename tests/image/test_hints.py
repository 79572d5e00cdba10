"""Messages name no tool that the session does not have."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import pharo_mcp
from image.servers import asking, exchange, failure, running
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.image.hints import session_without, usable, usable_line
from pharo_mcp.protocol.call import Call
from pharo_mcp.tools.all import NAMES

SOURCE = Path(pharo_mcp.__file__).parent
HINTS = {"usable", "usable_line", "RequestRefused", "NOTES", "ADVICE", "FIND_NAMES", "_advice"}
"""What a text that names a tool is passed to, or the name of its constant or function."""
OTHERS = {"ToolError", "_interrupted", "OPENED_AGAIN", "chosen_tools"}
"""Errors in which a tool names itself, a notice that is shown as a hint, and what a person reads."""
UNIQUE = re.compile(rf"\b({'|'.join(name for name in NAMES if '_' in name)})\b")
"""The tools whose names are no English words."""


def test_a_sentence_about_a_tool_that_is_absent_is_left_out() -> None:
    text = "Still running; get_evaluation waits for it; stop_evaluation ends it. Repeat the call.\nOr not."
    with session_without({"get_evaluation"}):
        assert usable(text) == "Still running; stop_evaluation ends it. Repeat the call.\nOr not."
    with session_without({"get_evaluation", "stop_evaluation"}):
        assert usable("evaluation_id: e-1; get_evaluation waits for it.") == "evaluation_id: e-1"
        assert list(usable_line("stop_evaluation ends it.")) == []
    assert usable(text) == text


@pytest.mark.parametrize("tools", ["evaluate", "evaluate,get_evaluation", "all"])
def test_the_results_of_a_session_name_its_tools_alone(tools: str) -> None:
    named: set[str] = set()
    for answer in (
        running(3.0),
        exchange("evaluate_object"),
        exchange("evaluate_keyword_definition"),
        lambda _: failure(404, "unknownClass", "There is no class Zork."),
    ):
        with asking(evaluate=answer) as image:
            found = catalog_for(image, tools=tools).find_tool("evaluate")
            assert found
            contents = found.call({"expression": "3 + 4"}, Call()).contents
            named |= NAMES.intersection(re.findall(r"\w+", str(contents).replace("\\n", " ")))
    if tools == "all":
        assert named >= {"get_evaluation", "stop_evaluation", "inspect_object", "search"}
    else:
        assert named <= set(tools.split(","))


def test_a_session_that_cannot_wait_for_a_result_is_told_how_to_keep_it() -> None:
    with asking(evaluate=running(3.0)) as image:
        found = catalog_for(image, tools="evaluate").find_tool("evaluate")
        assert found
        contents = found.call({"expression": "x := 3 + 4"}, Call()).contents
    assert "keep such results in a variable" in str(contents)


def test_no_description_of_an_argument_names_a_tool() -> None:
    with asking() as image:
        for tool in catalog_for(image).tools:
            properties = tool.input_schema.definition["properties"]
            assert isinstance(properties, Mapping)
            for name, rule in properties.items():
                assert not UNIQUE.search(str(rule.get("description"))), f"{tool.name}: {name}"


def names_of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            yield name
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)]):
            yield name


def texts_in(node: ast.AST, around: frozenset[str] = frozenset()) -> Iterator[tuple[str, frozenset[str]]]:
    """Each string in the code but docstrings, with the names of all that is around it."""
    around = around.union(names_of(node))
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.Constant(value=str(text)):
                yield text, around
            case _:
                yield from texts_in(child, around)


def test_every_text_that_names_a_tool_is_a_hint() -> None:
    stray = []
    for path in sorted([*SOURCE.glob("image/**/*.py"), *SOURCE.glob("tools/*.py")]):
        code = ast.parse(path.read_text("utf-8"))
        used = {name for node in ast.walk(code) if isinstance(node, ast.Call) for name in hinted(node)}
        for text, around in texts_in(code):
            named = set(UNIQUE.findall(text)) - around
            if named and around.isdisjoint(HINTS | OTHERS | used) and text not in NAMES:
                stray.append(f"{path.name}: {text}")
    assert not stray


def hinted(call: ast.Call) -> Iterator[str]:
    """The constants that a call shows as a hint."""
    if HINTS.intersection(names_of(call)):
        yield from (node.id for each in call.args for node in ast.walk(each) if isinstance(node, ast.Name))
