"""Control structures, inlined and not, closures and their variables."""

import pytest

from pharo_practice.machine.machine import Machine
from practice_evaluation import Evaluate, Printing, Signalling


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("3 > 2 ifTrue: [ 1 ]", "1"),
        ("3 > 2 ifFalse: [ 1 ]", "nil"),
        ("3 > 2 ifFalse: [ 1 ] ifTrue: [ 2 ]", "2"),
        ("(3 > 2 and: [ 2 > 1 ]) or: [ nil foo ]", "true"),
        ("(3 < 2 or: [ false ]) ifTrue: [ 1 ] ifFalse: [ 2 ]", "2"),
        ("(true and: [ nil ])", "nil"),
        ("| b | b := [ 1 ]. true ifTrue: b", "1"),
        ("nil ifNil: [ 3 ]", "3"),
        ("4 ifNil: [ 3 ]", "4"),
        ("4 ifNotNil: [ :x | x + 1 ]", "5"),
        ("nil ifNotNil: [ :x | x ]", "nil"),
        ("nil ifNil: [ 1 ] ifNotNil: [ :x | 2 ]", "1"),
        ("| n | n := 0. [ n < 5 ] whileTrue: [ n := n + 1 ]. n", "5"),
        ("| n | n := 0. [ n := n + 1. n >= 5 ] whileFalse. n", "5"),
        ("[ 3 > 4 ] whileTrue: [ 1 ]", "nil"),
        ("| n | n := 0. [ n := n + 1. n = 7 ifTrue: [ ^ n ] ] repeat", "7"),
        ("1 to: 5 do: [ :i | i ]", "1"),
        ("| s | s := 0. 10 to: 1 by: -3 do: [ :i | s := s + i ]. s", "22"),
        ("| s | s := 0. 1 to: 2 by: 1/2 do: [ :i | s := s + i ]. s", "(9/2)"),
        ("| n | n := 0. 5 timesRepeat: [ n := n + 1 ]. n", "5"),
        ("5 timesRepeat: [ ]", "5"),
        (
            "| b | b := OrderedCollection new. 1 to: 3 do: [ :i | b add: "
            "[ i ] ]. b asArray collect: [ :e | e value ]",
            "#(1 2 3)",
        ),
        (
            "| b i | i := 0. b := OrderedCollection new. [ i < 3 ] whileTrue: [ | t | t ifNil: [ t := i ]. "
            "i := i + 1. b add: [ t ] ]. b asArray collect: [ :e | e value ]",
            "#(0 1 2)",
        ),
        (
            "| o | o := OrderedCollection new. 1 to: 3 do: [ :i | | t | "
            "t ifNil: [ t := i ]. o add: t ]. o asArray",
            "#(1 2 3)",
        ),
        ("#(1 2 3) do: [ :x | x = 2 ifTrue: [ ^ x * 10 ] ]", "20"),
        ("[ ^ 5 ] value. 6", "5"),
        ("[ :a :b | a + b ] valueWithArguments: #(1 2)", "3"),
        ("[ 7 ] cull: 3", "7"),
        (
            "| f | f := nil. f := [ :n | n < 2 ifTrue: [ n ] ifFalse: [ "
            "(f value: n - 1) + (f value: n - 2) ] ]. f value: 15",
            "610",
        ),
        ("3 perform: #between:and: with: 1 with: 5", "true"),
        ("3 perform: #+ withArguments: #(4)", "7"),
        ("(OrderedCollection new) add: 3; add: 4; yourself", "an OrderedCollection(3 4)"),
        ("{ 1. 2 + 3. #(4) }", "#(1 5 #(4))"),
        ("#(true foo #(nil)) last first isNil", "true"),
        ("[ ] value", "nil"),
        ("", "nil"),
        ("thisContext printString", "'UndefinedObject>>DoIt'"),
        ("[ thisContext printString ] value", "'[ thisContext printString ] in UndefinedObject>>DoIt'"),
        ("thisProcess == Processor activeProcess", "true"),
    ],
)
def test_control_is_as_in_pharo(printing: Printing, source: str, printed: str) -> None:
    assert printing(source) == printed


@pytest.mark.parametrize(
    ("source", "signalled"),
    [
        ("3 ifTrue: [ 4 ]", ("NonBooleanReceiver", "proceed for truth.")),
        ("nil and: [ true ]", ("NonBooleanReceiver", "proceed for truth.")),
        ("[ 3 ] whileTrue: [ 4 ]", ("NonBooleanReceiver", "proceed for truth.")),
        (
            "[ :x | x ] value: 1 value: 2",
            ("ArgumentsCountMismatch", "This block accepts 1 argument, but was called with 2 arguments."),
        ),
        ("3 perform: #+", ("Error", "incorrect number of arguments")),
        ("nil size", None),
        (
            "3 zork",
            (
                "MessageNotUnderstood",
                "Message not understood: SmallInteger >> #zork (no class in "
                "the practice image implements it; Pharo may)",
            ),
        ),
        ("nil factorial", ("MessageNotUnderstood", 'receiver of "factorial" is nil')),
        ("Object new: 3", None),
        ("(Array new: 2) at: 3", ("SubscriptOutOfBounds", "3 in #(nil nil)")),
        ("(Array new: 2) at: #a", None),
    ],
)
def test_a_mistake_is_an_error_of_pharos_class_and_text(
    signalling: Signalling, source: str, signalled: tuple[str, str] | None
) -> None:
    found = signalling(source)
    assert signalled is None or found == signalled


def test_a_redefined_arithmetic_method_is_run(vm: Machine, evaluate: Evaluate) -> None:
    source = "| x y | x := 3. y := 1 << 70. { x bitXor: 5. y bitXor: y }"
    assert evaluate(source) == [6, 0]
    original = vm.classes["SmallInteger"].methods["bitXor:"].source
    evaluate("SmallInteger compile: 'bitXor: other ^ 43' classified: 'bit manipulation'")
    try:
        assert evaluate(source) == [43, 0]
    finally:
        vm.classes["SmallInteger"].methods["bitXor:"].source = original
        vm.classes["SmallInteger"].methods["bitXor:"].is_compiled = False
        vm.flush_caches()
    assert evaluate(source) == [6, 0]


def test_a_temporary_variable_that_is_only_returned_is_nil(evaluate: Evaluate) -> None:
    printed = evaluate("(Object newAnonymousSubclass compile: 'it: x | a | ^ a'; yourself) new it: 3")
    assert printed is None


def test_a_condition_that_is_not_a_boolean_can_be_resumed_with_one(printing: Printing) -> None:
    resumed = "[ 3 ifTrue: [ #yes ] ifFalse: [ #no ] ] on: NonBooleanReceiver do: [ :e | e resume: %s ]"
    assert printing(resumed % "nil") == "#yes"
    assert printing(resumed % "false") == "#no"


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("a and: [ b or: [ c ] ]", "a & (b | c)"),
        ("(a or: [ b ]) and: [ c ]", "(a | b) & c"),
        ("(a and: [ b ]) or: [ b and: [ c or: [ a ] ] ]", "(a & b) | (b & (c | a))"),
        ("a or: [ | d | d := b. d and: [ c ] ]", "a | (b & c)"),
    ],
)
def test_conditions_within_conditions_choose_as_their_values_do(
    printing: Printing, condition: str, value: str
) -> None:
    source = f"""| both |
    both := {{ true. false }}.
    both allSatisfy: [ :a | both allSatisfy: [ :b | both allSatisfy: [ :c |
        | loops |
        loops := 0.
        [ loops = 0 and: [ {condition} ] ] whileTrue: [ loops := 1 ].
        [ loops = 2 or: [ {condition} ] ] whileFalse: [ loops := 2 ].
        {{ ({condition}) ifTrue: [ 1 ] ifFalse: [ 2 ]. ({condition}) ifFalse: [ 2 ]. {condition}. loops }}
            = ({value} ifTrue: [ {{ 1. nil. true. 1 }} ] ifFalse: [ {{ 2. 2. false. 2 }} ]) ] ] ]"""
    assert printing(source) == "true"


def test_what_is_not_a_boolean_within_a_condition_is_named_and_can_be_resumed(printing: Printing) -> None:
    within = "[ (true and: [ 3 ]) ifTrue: [ #yes ] ifFalse: [ #no ] ] on: NonBooleanReceiver do: [ :e | %s ]"
    assert printing(within % "e object") == "3"
    assert printing(within % "e resume: false") == "#no"
    first = "[ (nil or: [ false ]) ifTrue: [ #yes ] ifFalse: [ #no ] ] on: NonBooleanReceiver do: [ :e | %s ]"
    assert printing(first % "e object") == "nil"
    assert printing(first % "e resume: true") == "#yes"
