"""What the parser and the analysis make of source: trees with places, or a notice in Pharo's words."""

import pytest

from pharo_practice.compiling.compiler import parse
from pharo_practice.machine.machine import Machine
from pharo_practice.reading.nodes import (
    CascadeNode,
    LiteralNode,
    MessageNode,
    MethodNode,
    Notice,
    VariableNode,
)
from pharo_practice.reading.parser import parse_source


def tree(source: str, *, is_doit: bool = True) -> MethodNode:
    node, notice = parse_source(source, is_doit=is_doit)
    assert node is not None, notice
    return node


def fault(source: str, *, is_doit: bool = True) -> Notice:
    node, notice = parse_source(source, is_doit=is_doit)
    assert node is None
    assert notice is not None
    return notice


@pytest.mark.parametrize(
    ("source", "message", "position"),
    [
        ("3 + ", "Variable or expression expected", 5),
        ("(3 + 4", "')' expected", 7),
        ("[ 3", "']' expected", 4),
        ("{ 3", "'}' expected", 4),
        ("#( 3", "')' expected", 5),
        ("#[ 3", "']' expected", 5),
        ("#[ 300 ]", "8-bit integer expected", 4),
        ("| a b", "'|' or variable expected", 6),
        ("[ :x 3 ]", "'|' or parameter expected", 6),
        ("[ : ]", "Variable name expected", 5),
        ("foo ]", "Missing opener for closer: ]", 5),
        (")", "Missing opener for closer: )", 1),
        ("3 4", "End of statement expected", 3),
        (":= 3", "variable expected in assigment", 1),
        ("3; foo", "Message expected", 2),
        ("3 foo; ", "Cascade message expected", 8),
        (":x", "Unexpected block parameter", 1),
        ("'abc", "Unmatched ' in string literal.", 5),
        ('3 "abc', 'Unmatched " in comment.', 7),
        ("3 + $", "Character expected", 6),
        ("#", "Literal expected", 2),
        ("3 + \u20ac", "Unknown character", 5),
        ("<primitive: 3", "'>' expected", 14),
        ("16r", "a digit between 0 and F expected", 4),
    ],
)
def test_a_syntax_error_has_pharos_text_and_place(source: str, message: str, position: int) -> None:
    notice = fault(source)
    assert (notice.message, notice.position) == (message, position)
    assert notice.is_syntax_error


@pytest.mark.parametrize("source", ["3", "+", "foo: 3", "(foo)"])
def test_a_method_needs_a_pattern(source: str) -> None:
    assert fault(source, is_doit=False).message in ("Message pattern expected", "Variable name expected")


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("16r1F", 31),
        ("2r-101", -5),
        ("-5", -5),
        ("1e3", 1000),
        ("1.5e3", 1500.0),
        ("#foo:bar:", "foo:bar:"),
        ("#+", "+"),
        ("#'two words'", "two words"),
        ("'it''s'", "it's"),
        (
            "#(1 foo: #bar nil (true $a) #[1 2] 'x' + {)",
            (1, "foo:", "bar", None, (True, 97), b"\1\2", "x", "+", "{"),
        ),
        ("##foo", "foo"),
    ],
)
def test_a_literal_has_its_value(source: str, value: object) -> None:
    literal = tree(source).statements[0]
    assert isinstance(literal, LiteralNode)
    assert literal.value == value
    assert (literal.start, literal.stop) == (1, len(source))


@pytest.mark.parametrize(
    ("source", "receiver", "selector"),
    [
        ("3 -4", "3", "-"),
        ("3-4", "3", "-"),
        ("-5 abs", "-5", "abs"),
        ("a nil", "a", "nil"),
        ("a --b", "a", "--"),
    ],
)
def test_a_minus_belongs_to_the_number_only_where_no_operator_can_stand(
    source: str, receiver: str, selector: str
) -> None:
    message = tree(source).statements[0]
    assert isinstance(message, MessageNode)
    assert message.selector == selector
    assert source[message.receiver.start - 1 : message.receiver.stop] == receiver


def test_nodes_know_their_place() -> None:
    source = "foo  bar: (a + b) ; baz"
    cascade = tree(source).statements[0]
    assert isinstance(cascade, CascadeNode)
    assert (cascade.start, cascade.stop) == (1, len(source))
    argument = cascade.messages[0].arguments[0]
    assert source[argument.start - 1 : argument.stop] == "(a + b)"


def test_comments_and_pragmas_are_kept() -> None:
    node = tree('foo "why" <a> <b: 3 c: #x> "because" ^ 1 "end"', is_doit=False)
    assert [pragma.selector for pragma in node.pragmas] == ["a", "b:c:"]
    assert [comment.contents for comment in node.comments] == ["why", "because", "end"]


@pytest.mark.parametrize("opener", ["(", "[", "{", "#("])
def test_source_nested_too_deeply_gives_a_notice(opener: str) -> None:
    assert fault(opener * 100_000).message.startswith("Nested too deeply")


@pytest.mark.parametrize("source", ["3" + " foo" * 4_000, "3" + " + 3" * 4_000, "a := " * 300 + "3"])
def test_a_long_chain_is_compiled_without_recursion(vm: Machine, source: str) -> None:
    parsed = parse(vm, f"| a | {source}", cls=vm.classes["Object"], is_doit=True)
    assert not [notice for notice in parsed.notices if notice.is_error]


@pytest.mark.parametrize(
    ("source", "notices"),
    [
        ("zork foo", [("Undeclared variable", 1, "zork")]),
        ("zork := 3", [("Undeclared variable", 1, "zork")]),
        (
            "Zork new",
            [("Undeclared variable (the practice image has no global of this name; Pharo may)", 1, "Zork")],
        ),
        ("self := 3", [("Assignment to read-only variable", 1, "self")]),
        ("[ :x | x := 3 ]", [("Assignment to read-only variable", 8, "x")]),
        ("| a | [ :a | a ]", [("Name already defined", 10, "a")]),
    ],
)
def test_a_misused_name_gives_a_notice(vm: Machine, source: str, notices: list[tuple[str, int, str]]) -> None:
    parsed = parse(vm, source, cls=vm.classes["Object"], is_doit=True)
    assert [(each.message, each.position, name_of(each)) for each in parsed.notices] == notices


def name_of(notice: Notice) -> str:
    assert isinstance(notice.node, VariableNode)
    return notice.node.name


def test_a_written_undeclared_variable_is_marked(vm: Machine) -> None:
    parsed = parse(vm, "zork := zork", cls=vm.classes["Object"], is_doit=True)
    assert [(each.position, each.is_write) for each in parsed.notices] == [(9, False), (1, True)]
