"""The parser of the checks: what it accepts, and where it says that something is wrong."""

from pathlib import Path

import pytest

from pharo_api.parser import Parser
from pharo_api.small_projects import assert_are, check, class_file, method
from pharo_api.syntax_tree import Body, Send
from pharo_api.tokens import SmalltalkSyntaxError

ACCEPTED = [
    "| a b | a := 3 + 4 factorial max: 5. b := a. ^ b foo; bar: 2; + 3; yourself",
    "^ #(1 -2 #(2 $a foo:bar: #[1 2 16rFF]) nil true #sym 'it''s' + (a b)) , #[255] , {1. 2 . }",
    "[ :x :y || z | z := x--4. z ] value: 3-4 value: -5 abs",
    "|| ^ #+ -> #at:put: -> #'a b' -> ##(1) -> #x::",
    "^ { 16rff. 2r1e8. 1.5e10. 3.2s2. 1/2. 1e-3. 36rZZ. 1_000. $ . $'. $\". $] }",
    '"a ""quoted"" comment" <primitive: 60 error: ec> "x" | t | t := ec. ^ "here" t "there" foo: "]" 1',
    "<foo: #(1 2) bar: 'x'> <script> [ ^ 1 ] ensure: [ ]. ^ thisContext",
    "a := b := 1. . ^ a",
    "^ [ :a | ] value: 1",
    "",
]

REFUSED = [
    ("^ (1 + 2", 8, "closing parenthesis"),
    ("^ 1 +", 5, "expected an expression"),
    ("x foo; ", 7, "after the semicolon"),
    ("x; foo", 1, "cascade needs"),
    ("'abc", 0, "unterminated string"),
    ('^ 1 "abc', 4, "unterminated comment"),
    ("| a b", 5, "after the temporaries"),
    ("[ :x y ] value", 5, "after the block arguments"),
    ("self := 3", 5, "cannot assign"),
    ("^ #[ 256 ]", 5, "byte"),
    ("^ #[ 12e3 ]", 5, "byte"),
    ("^ 2r12", 2, "digit"),
    ("^ #(1 (2)", 9, "literal array"),
    ("a 3", 2, "expected a period"),
    ("a := ", 5, "expected an expression"),
    ("{ 1. 2", 6, "closing brace"),
]


def parsed(source: str) -> Body:
    """The body of a method, up to the end of the text."""
    parser = Parser(source)
    body = parser.body()
    assert parser.kind == "end"
    return body


@pytest.mark.parametrize("source", ACCEPTED)
def test_valid_smalltalk_is_accepted(source: str) -> None:
    parsed(source)


@pytest.mark.parametrize(("source", "position", "message"), REFUSED)
def test_a_syntax_error_has_a_place(source: str, position: int, message: str) -> None:
    with pytest.raises(SmalltalkSyntaxError, match=message) as caught:
        parsed(source)
    assert caught.value.position == position


def test_unary_messages_come_before_binary_and_these_before_keyword_messages() -> None:
    [send] = parsed("a b: c d + e f").statements
    assert isinstance(send, Send)
    assert send.message.selector == "b:"
    [plus] = send.message.arguments
    assert isinstance(plus, Send)
    assert plus.message.selector == "+"
    assert isinstance(plus.receiver, Send)
    assert plus.receiver.message.selector == "d"
    [last] = plus.message.arguments
    assert isinstance(last, Send)
    assert last.message.selector == "f"


def test_a_syntax_error_does_not_hide_the_next_method(tmp_path: Path) -> None:
    text = class_file(method("Foo >> one", "\t^ (1") + "\n" + method("Foo >> two", "\t^ self numerator"))
    assert_are(
        check(tmp_path, {"Foo.class.st": text}),
        "14:1: error: syntax: expected a closing parenthesis",
        "18:9: error: Foo does not understand #numerator",
    )


def test_a_last_method_that_does_not_end_is_found_once(tmp_path: Path) -> None:
    text = class_file(method("Foo >> one", "\t^ 1")).rstrip().removesuffix("]")
    assert_are(check(tmp_path, {"Foo.class.st": text}), "error: syntax: expected the method to end with ]")


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("Klass { }", "no Tonel header"),
        ("Class { #name : ", "malformed STON header"),
        ("Class { #superclass : 'Object' }", "the header has no #name"),
        ("Class { #name 'Foo' }", "expected : in the STON header"),
    ],
)
def test_a_header_that_cannot_be_read_is_an_error(tmp_path: Path, header: str, message: str) -> None:
    assert_are(check(tmp_path, {"Foo.class.st": header}), message)
