"""The compiler as Smalltalk sees it: notices, bindings, and errors where nobody reads the notices."""

from __future__ import annotations

import pytest

from practice_evaluation import Evaluate

NOTICES = """
| compiler |
compiler := Smalltalk compiler.
compiler source: {source}; isScripting: true.
(compiler parse allNotices select: [ :each | each isError ]) asArray collect: [ :each |
    String streamContents: [ :out |
        out print: each position; space; nextPutAll: each messageText.
        each isSyntaxError ifTrue: [ out nextPutAll: ' (syntax)' ].
        each isUndeclaredNotice ifTrue: [
            out nextPutAll: ' (undeclared '; nextPutAll: each node name.
            each node isWrite ifTrue: [ out nextPutAll: ' written' ].
            out nextPut: $) ] ] ]
"""


def smalltalk(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@pytest.mark.parametrize(
    ("source", "notices"),
    [
        ("3 + 4", []),
        ("| a b | a := 1. b := 2. ^ a + b", []),
        ("3 + foo", ["5 Undeclared variable (undeclared foo)"]),
        ("foo := 3", ["1 Undeclared variable (undeclared foo written)"]),
        (
            "foo := bar",
            ["8 Undeclared variable (undeclared bar)", "1 Undeclared variable (undeclared foo written)"],
        ),
        ("(3 + 4", ["7 ')' expected (syntax)"]),
        ("#(1 2", ["6 ')' expected (syntax)"]),
        ("'abc", ["5 Unmatched ' in string literal. (syntax)"]),
        ("3 +", ["4 Variable or expression expected (syntax)"]),
    ],
)
def test_notices_report_what_is_wrong(evaluate: Evaluate, source: str, notices: list[str]) -> None:
    found = evaluate(NOTICES.format(source=smalltalk(source)))
    assert isinstance(found, list)
    assert sorted(found) == sorted(notices)


@pytest.mark.parametrize(
    ("source", "value"), [("3 + 4", 7), ("| a | a := 3. a * a", 9), ("^ 5. 6", 5), ("self isNil", True)]
)
def test_a_source_is_evaluated(evaluate: Evaluate, source: str, value: object) -> None:
    assert evaluate(f"Smalltalk compiler evaluate: {smalltalk(source)}") == value


def test_a_receiver_is_self(evaluate: Evaluate) -> None:
    assert evaluate("Smalltalk compiler source: 'x + self y'; receiver: 3 @ 4; evaluate") == 7


def test_a_source_with_errors_is_an_error(evaluate: Evaluate) -> None:
    source = "[ Smalltalk compiler evaluate: '3 + foo' ] on: Error do: [ :error | {shown} ]"
    assert evaluate(source.format(shown="error class name")) == "OCCodeError"
    assert evaluate(source.format(shown="error messageText")) == "Undeclared variable"
    assert evaluate(source.format(shown="error position")) == 5
    assert evaluate(source.format(shown="error sourceCode")) == "3 + foo"


def test_a_syntax_error_is_reported_before_anything_else(evaluate: Evaluate) -> None:
    source = (
        "[ Smalltalk compiler evaluate: 'foo (' ] on: OCCodeError do: [ :each | each notice isSyntaxError ]"
    )
    assert evaluate(source) is True


def test_an_undeclared_variable_may_be_permitted(evaluate: Evaluate) -> None:
    source = """
    | told |
    [ Smalltalk compiler source: 'foo isNil'; isScripting: true; permitUndeclared: true; compile ]
        on: OCUndeclaredVariableWarning do: [ :warning | told := warning node name. warning resume ].
    told
    """
    assert evaluate(source) == "foo"


def test_given_bindings_are_read_and_written(evaluate: Evaluate) -> None:
    source = """
    | binding |
    binding := AdditionalBinding key: #x value: 3.
    Smalltalk compiler source: 'x := x + 1'; isScripting: true; bindings: { binding }; evaluate.
    binding value
    """
    assert evaluate(source) == 4


def test_given_associations_are_only_read(evaluate: Evaluate) -> None:
    source = """
    | association value |
    association := #x -> 3.
    value := Smalltalk compiler source: 'x := x + 1. x'; bindings: { association }; evaluate.
    value -> association value = (4 -> 3)
    """
    assert evaluate(source) is True


def test_a_binding_hides_a_global(evaluate: Evaluate) -> None:
    binding = "AdditionalBinding key: #Object value: 3"
    assert evaluate(f"Smalltalk compiler source: 'Object'; bindings: {{ {binding} }}; evaluate") == 3


def test_a_parsed_method_knows_its_parts(evaluate: Evaluate) -> None:
    source = "(Object compiler source: {source}; parse) {question}"
    method = smalltalk("at: a put: b\n\t| t |\n\tt := a. ^ [ :x | b yourself; yourself ]")
    assert evaluate(source.format(source=method, question="selector")) == "at:put:"
    assert evaluate(source.format(source=method, question="argumentNames")) == ["a", "b"]
    assert evaluate(source.format(source=method, question="statements last isReturn")) is True


def test_a_node_knows_its_source(evaluate: Evaluate) -> None:
    tree = "(Smalltalk compiler source: '3 + (4 * 5)'; isScripting: true; parse)"
    assert evaluate(f"{tree} statements first arguments first sourceCode") == "(4 * 5)"
