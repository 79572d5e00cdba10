"""Random programs and broken source: the machine answers in Smalltalk's words, within bounds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharo_practice.compiling.compiler import EvaluationFailed, evaluate, parse
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import NothingToRun, OutOfTurns
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import class_of

TURNS = 50
PYTHON = re.compile(r"\b\w+Error in the practice image|Traceback|object has no attribute")
BOUNDED = settings(max_examples=150, derandomize=True, deadline=None, database=None)

WORDS = """
( ) [ ] { } #( #[ #{ ^ := _ . ; : :x | ! " ' ''' $ $a $' # #a #a:b: #+ #'' 3 -3 3.5 1e5 1e 16rFF 37r1 2r 3s2
nil true false self super thisContext x y Object Array OrderedCollection Dictionary foo foo: at: at:put: + -
, = == > ifTrue: ifFalse: and: whileTrue: to:do: timesRepeat: value value: on:do: ensure: Error signal new
<primitive: 1> <foo> <foo: 3> class printString perform: inject:into: collect: \u00e9 \u03bb \U0001f600 \x00
"""

LEAVES = [
    "3",
    "-7",
    "0",
    "2.5",
    "1/3",
    "'text'",
    "#sym",
    "$a",
    "nil",
    "true",
    "#(1 2 3)",
    "{ 1. 'a' }",
    "#[1 2]",
]
LEAVES += [
    "Object new",
    "OrderedCollection new",
    "Dictionary new",
    "String",
    "100 factorial",
    "1 to: 4",
    "''",
]
UNARY = (
    "size first last reversed printString class hash negated sqrt factorial asInteger asString asSymbol copy"
)
UNARY += " isNil value asArray asOrderedCollection asSet sorted squared floor asFloat signal new zork"
BINARY = "+ - * / // \\\\ = == < > , -> @ & | >= ~="
KEYWORD = [
    "at: {}",
    "at: {} put: {}",
    "ifNil: [ {} ]",
    "ifTrue: [ {} ] ifFalse: [ {} ]",
    "collect: [ :e | {} ]",
]
KEYWORD += ["inject: {} into: [ :a :b | {} ]", "perform: #{{}} size", "copyFrom: {} to: {}", "raisedTo: {}"]
KEYWORD += [
    "max: {}",
    "new: {}",
    "instVarAt: {}",
    "basicAt: {}",
    "indexOf: {}",
    "printStringBase: {}",
    "do: {}",
]
KEYWORD = [each.replace("#{{}} size", "#printString") for each in KEYWORD]


def programs() -> st.SearchStrategy[str]:
    """Expressions that parse, and mostly make no sense."""
    return st.recursive(
        st.sampled_from(LEAVES),
        lambda inner: st.one_of(
            st.builds("({}) {}".format, inner, st.sampled_from(UNARY.split())),
            st.builds("({}) {} ({})".format, inner, st.sampled_from(BINARY.split()), inner),
            st.builds(
                lambda receiver, keyword, one, two: f"({receiver}) " + keyword.format(f"({one})", f"({two})"),
                inner,
                st.sampled_from(KEYWORD),
                inner,
                inner,
            ),
            st.builds("[ {} ] on: Error do: [ :e | e messageText ]".format, inner),
            st.builds("[ {} ] ensure: [ {} ]".format, inner, inner),
        ),
        max_leaves=8,
    )


def broken_source() -> st.SearchStrategy[str]:
    """Words of the language in any order, or any text at all."""
    return st.one_of(
        st.lists(st.sampled_from(WORDS.split()), max_size=25).map(" ".join), st.text(max_size=40)
    )


@BOUNDED
@given(source=broken_source())
def test_broken_source_is_answered_with_notices(vm: Machine, source: str) -> None:
    parsed = parse(vm, source, cls=class_of(None), is_doit=True)
    assert parsed.node is not None or any(notice.is_error for notice in parsed.notices)
    assert all(1 <= notice.position <= len(source) + 1 for notice in parsed.notices)


@BOUNDED
@given(source=programs())
def test_a_random_program_ends_in_an_answer_or_an_error_of_smalltalk(vm: Machine, source: str) -> None:
    translate_errors = (
        f"[ ({source}) printString ] on: Exception do: [ :e | e return: e description asString ]"
    )
    try:
        answer = text_of(evaluate(vm, translate_errors, turns=TURNS))
    except (OutOfTurns, NothingToRun, EvaluationFailed):
        return
    assert not PYTHON.search(answer), answer


@pytest.mark.parametrize(
    "source",
    [
        "(" * 9999,
        "[" * 9999,
        "{ " * 9999,
        "#(" * 9999,
        "x := " * 9999,
        "1" + " + 1" * 9999,
        "1" + " foo" * 9999,
    ],
    ids=lambda source: source[:6],
)
def test_source_nested_without_end_is_refused(vm: Machine, source: str) -> None:
    with pytest.raises(EvaluationFailed):
        evaluate(vm, source, turns=TURNS)


@pytest.mark.parametrize(
    "source",
    [
        "| block | block := nil. block := [ block value ]. block value",
        "| array | array := Array new: 1. array at: 1 put: array. array hash",
        "[ true ] whileTrue",
        "2 raisedTo: 1000000000",
        "Array new: 10000000000",
        "String new: 100000000000",
        "'ab' repeat: 10000000000",
    ],
)
def test_a_program_without_end_or_bound_is_stopped(vm: Machine, source: str) -> None:
    with pytest.raises((OutOfTurns, SystemExit)):
        evaluate(vm, source, turns=2_000)
    assert evaluate(vm, "3 + 4", turns=TURNS) == 7
