"""Random methods do the same whether their arithmetic is computed in place or sent."""

from __future__ import annotations

import re
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharo_practice.machine.machine import Machine
from pharo_practice.model.object_memory import FAST
from practice_evaluation import Evaluate, evaluator

BOUNDED = settings(max_examples=100, derandomize=True, deadline=None, database=None)

DEFINITION = """\
(Object << #MadeRandom slots: #( one other log ) ; sharedVariables: #( Shared ) ; package: 'Made') install.
(Smalltalk globals at: #MadeRandom)
    compile: 'note: value
        log add: value printString.
        ^ value';
    compile: 'noteFrames: signaler
        | context |
        context := signaler.
        [ context home method selector == #start:with:resumingWith: ] whileFalse: [
            context home method selector == #run:with: ifTrue: [
                self note: { context pc. (1 to: context stackPtr) collect: [ :at | context tempAt: at ] } ].
            context := context sender ]';
    compile: 'start: x with: y resumingWith: value
        | result |
        Shared := 4.
        log := OrderedCollection new.
        result := [ self run: x with: y ] on: Error do: [ :error |
            self note: error class; note: error messageText; noteFrames: error signalerContext.
            log size > 60 | error isResumable not ifTrue: [ error return: #ended ].
            error resume: value ].
        self beWritableObject.
        ^ { result printString. one printString. other printString. log asArray }'
"""
"""A class that keeps a log of what its method ``run:with:`` does, and of its frames at each error."""

VALUES = [
    "3",
    "-1",
    "0",
    "2.5",
    "1/2",
    "SmallInteger maxVal",
    "nil",
    "true",
    "false",
    "'ab'",
    "$c",
    "#( 7 nil )",
]
LEAVES = ["x", "y", "a", "b", "one", "other", "Shared"] * 2 + VALUES
LEAVES += ["self", "Array", "{ a. b }", "thisContext stackPtr", "thisContext pc", "(Array new: 1 << 50)"]
UNARY = ["printString", "isNil", "not", "size", "class", "yourself", "zork", "negated", "copy", "value"]
BINARY = ["+", "-", "*", "//", "<", ">", "<=", ">=", "=", "~=", "=="]
BINARY += ["bitAnd:", "bitOr:", "bitXor:", ",", "max:"]
EXPRESSIONS = [
    *(f"(<e> {selector})" for selector in UNARY),
    *(f"(<e> {selector} <e>)" for selector in BINARY),
    "(<e> ifTrue: [ <e> ] ifFalse: [ <e> ])",
    "(<e> and: [ <e> ])",
    "(<e> ifNil: [ <e> ])",
    "(<e> ifNotNil: [ :it | <e> ])",
    "(<e> between: <e> and: <e>)",
    "(<e> perform: #+ with: <e>)",
    "(self note: <e>; note: <e>; yourself)",
    "(self note: <e>)",
    "([ :p | a := p. <e> ] value: <e>)",
    "(#( 1 nil ) collect: [ :each | [ b := each. <e> ] value ])",
    "[ <e> ]",
]
SIMPLE_STATEMENTS = [
    "a := <e>",
    "b := <e>",
    "one := <e>",
    "other := <e>",
    "Shared := <e>",
    "a := b := one := other",
    "self note: <e>",
    "<e> ifTrue: [ ^ <e> ]",
    "self beReadOnlyObject. one := <e>. self note: other",
    "self beWritableObject",
    "thisContext tempAt: 3 put: <e>",
    "[ self note: b ] fork. Processor yield",
    "[ [ Processor activeProcess terminate. a := 1 ] ensure: [ self note: b ] ] fork. Processor yield",
]
STATEMENTS = [
    "<s>. <s>",
    "<e> ifTrue: [ <s> ] ifFalse: [ <s> ]",
    "1 to: 3 do: [ :i | a := i. <s> ]",
    "1 to: 3 do: [ :i | [ b := i + a. <s> ] value ]",
    "c := 0. [ (c := c + 1) < 4 ] whileTrue: [ <s> ]",
    "[ <s> ] ensure: [ self note: one ]",
    "[ :p | [ [ <s> ] value ] value ] value: <e>",
    "#( 1 2 ) do: [ :each | <s>. self note: each ]",
]

Source: TypeAlias = st.SearchStrategy[str]


def filled(patterns: list[str], expression: Source, statement: Source) -> Source:
    """Any of the patterns, with something in the place of each <e> and <s>."""

    def fill(pattern: str) -> Source:
        fixed = re.split("<[es]>", pattern)
        parts = [expression if part == "<e>" else statement for part in re.findall("<[es]>", pattern)]
        return st.tuples(*parts).map(
            lambda found: "".join(map("".join, zip(fixed, [*found, ""], strict=True)))
        )

    return st.sampled_from(patterns).flatmap(fill)


def expressions() -> Source:
    """Expressions, many of which signal errors."""
    return st.recursive(
        st.sampled_from(LEAVES), lambda inner: filled(EXPRESSIONS, inner, st.nothing()), max_leaves=6
    )


def statements() -> Source:
    """Statements."""
    return st.recursive(
        filled(SIMPLE_STATEMENTS, expressions(), st.nothing()),
        lambda inner: filled(STATEMENTS, expressions(), inner),
        max_leaves=5,
    )


@pytest.fixture(scope="module")
def made(vm: Machine) -> Evaluate:
    """Evaluates where there is the class."""
    evaluate = evaluator(vm)
    evaluate(DEFINITION)
    return evaluate


@BOUNDED
@given(
    body=st.builds("{}. ^ {}".format, statements(), expressions()),
    arguments=st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)),
    answer=st.sampled_from(["3", "true", "nil"]),
)
def test_a_random_method_does_the_same_whether_code_computes_or_sends(
    vm: Machine, made: Evaluate, body: str, arguments: tuple[str, str], answer: str
) -> None:
    source = f"run: x with: y | a b c | a := 5. {body}".replace("'", "''")
    first, second = arguments
    found = []
    for redefined in (set[str](), set(FAST)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(vm, "redefined", redefined)
            made(f"(Smalltalk globals at: #MadeRandom) compile: '{source}'. nil")
            run = f"start: {first} with: {second} resumingWith: {answer}"
            found.append(made(f"(Smalltalk globals at: #MadeRandom) new {run}"))
    assert found[0] == found[1]
