"""Superinstructions do what their instructions do one by one."""

from __future__ import annotations

import pytest

from pharo_practice.compiling import superinstruction_code
from pharo_practice.compiling.superinstruction_code import make
from pharo_practice.compiling.superinstructions import VISITS, VISITS_OF_EXPRESSION
from pharo_practice.compiling.templates import OPERATION, WRITERS, Template
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import CompiledMethod
from pharo_practice.model.reshaping import forget_code
from practice_evaluation import Answering, Evaluate

DEFINITION = """(Object << #MadeFused slots: #( one other ) ; package: 'Made') install.
(Smalltalk globals at: #MadeFused) compile: 'one: first other: second one := first. other := second'"""
BODIES = [
    "run: x with: y ^ x + y",
    "run: x with: y ^ x < y ifTrue: [ 'less' ] ifFalse: [ 'more' ]",
    "run: x with: y x > 2 ifTrue: [ ^ 'large' ]. ^ y",
    "run: x with: y | sum | sum := x + 1. sum := sum bitOr: y. ^ sum - 1",
    "run: x with: y ^ x == y",
    "run: x with: y ^ x = y",
    "run: x with: y ^ x ~= 3 and: [ y isNil not ]",
    "run: x with: y one := x. other := y. ^ one = other",
    "run: x with: y other := 7. ^ other + x",
    "run: x with: y ^ self yourself run: x with: y then: 3",
    "run: x with: y ^ one ifNil: [ x ] ifNotNil: [ y ]",
    "run: x with: y ^ x ifNil: [ y printString ]",
    "run: x with: y ^ x isString ifTrue: [ x size ] ifFalse: [ x printString ]",
    "run: x with: y x isNumber ifFalse: [ ^ self ]. ^ x max: y",
    "run: x with: y | text | text := x printString. text := text , y printString. ^ text",
    "run: x with: y x ifTrue: [ ^ 1 ]. ^ 2",
    "run: x with: y ^ (x at: 1) zork: y",
    "run: x with: y | i | i := 1. [ i <= 3 ] whileTrue: [ i := i + 1 ]. ^ i + x",
    "run: x with: y x printString. self one: x other: y. ^ other",
    "run: x with: y ^ [ x foo ] on: MessageNotUnderstood do: [ :error | error return: y ]",
    "run: x with: y ^ #( 1 2 ) collect: [ :each | each + x ]",
    "run: x with: y ^ String new: x withAll: y",
]
ARGUMENTS = [
    "3. 4",
    "4. 3",
    "2.5. 3",
    "nil. 4",
    "'ab'. $c",
    "true. false",
    "SmallInteger maxVal. 1",
    "#( 9 ). nil",
]


@pytest.fixture(scope="module")
def made(vm: Machine) -> Machine:
    """A machine with a class whose methods are compiled by the tests."""
    from practice_evaluation import evaluator

    evaluator(vm)(DEFINITION)
    return vm


def method_of(vm: Machine) -> CompiledMethod:
    return vm.classes["MadeFused"].methods["run:with:"]


def do_deferred(vm: Machine) -> None:
    """Have the machine do what it has deferred."""
    while vm.scheduler.deferred_work.pending:
        vm.scheduler.deferred_work.do_next()


@pytest.mark.parametrize("body", BODIES)
def test_a_method_answers_the_same_before_and_after(
    made: Machine, evaluate: Evaluate, answering: Answering, body: str
) -> None:
    do_deferred(made)
    evaluate("(Smalltalk globals at: #MadeFused) compile: '" + body.replace("'", "''") + "'. nil")
    calls = [
        f"(Smalltalk globals at: #MadeFused) new run: ({first}) with: ({second})" for first, second in pairs()
    ]
    before = []
    for call in calls:
        made.compile(method_of(made))
        before.append(answering(call))
        assert OPERATION not in makers(method_of(made))
    for _ in range(3):  # what is reached after a superinstruction gets its own in the next round
        for call in calls:
            answering(call)
        do_deferred(made)
    assert OPERATION in makers(method_of(made))
    assert [answering(call) for call in calls] == before


def pairs() -> list[tuple[str, str]]:
    return [(first, second) for first, second in (each.split(". ") for each in ARGUMENTS)]


def makers(method: CompiledMethod) -> set[str]:
    """The names of the functions that made the operations of a method; a superinstruction has its own."""
    return {operation.__qualname__.split(".")[0] for operation in method.code}


def test_a_method_compiled_again_gets_its_own_superinstructions(
    made: Machine, evaluate: Evaluate, answering: Answering
) -> None:
    run = "(Smalltalk globals at: #MadeFused) new run: 3 with: 4"
    for body in ("run: x with: y ^ x + y", "run: x with: y ^ x - y"):
        evaluate(f"(Smalltalk globals at: #MadeFused) compile: '{body}'. nil")
        for _ in range(VISITS):
            answering(run)
    do_deferred(made)
    assert answering(run)[0] == "-1"


def test_a_place_that_is_reached_once_gets_none(
    made: Machine, evaluate: Evaluate, answering: Answering
) -> None:
    evaluate("(Smalltalk globals at: #MadeFused) compile: 'run: x with: y ^ x + y'. nil")
    answering("(Smalltalk globals at: #MadeFused) new run: 3 with: 4")
    do_deferred(made)
    assert OPERATION not in makers(method_of(made))


def test_an_expression_gets_superinstructions_while_it_runs(evaluate: Evaluate, vm: Machine) -> None:
    do_deferred(vm)
    vm.operations.clear()
    vm.templates.clear()
    assert (
        evaluate(f"| x | x := 0. 1 to: {VISITS_OF_EXPRESSION} * 2 do: [ :i | x := i ]. x")
        == VISITS_OF_EXPRESSION * 2
    )
    assert any("loop" in shape for shape in vm.templates)
    assert not vm.scheduler.deferred_work.pending


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_each_instruction_can_be_written(name: str) -> None:
    details = {"send": ":2", "compute": ":+", "outer": ":1", "store_outer": ":2"}
    word = name + details.get(name, "")
    for shape in [word, f"self temporary constant {word}", f"self:object closure self {word}"]:
        compile(Template(shape).source(), "shape", "exec")


def test_a_method_can_run_with_a_receiver_of_another_class(
    made: Machine, evaluate: Evaluate, answering: Answering
) -> None:
    evaluate("(Smalltalk globals at: #MadeFused) compile: 'run: x with: y ^ self printString'. nil")
    for _ in range(VISITS):
        answering("(Smalltalk globals at: #MadeFused) new run: 3 with: 4")
    do_deferred(made)
    assert OPERATION in makers(method_of(made))
    foreign = "((Smalltalk globals at: #MadeFused) >> #run:with:) valueWithReceiver: {} arguments: #( 3 4 )"
    for receiver, printed in [("7", "'7'"), ("nil", "'nil'"), ("2.5", "'2.5'"), ("#( 1 )", "'#(1)'")]:
        assert answering(foreign.format(receiver)) == (printed, "")


def test_a_send_that_runs_out_of_memory_in_the_compiler_leaves_the_stack_in_order(
    made: Machine, evaluate: Evaluate, answering: Answering, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate("(Smalltalk globals at: #MadeFused) compile: 'run: x with: y ^ { y. self other: x. y }'. nil")
    evaluate("(Smalltalk globals at: #MadeFused) compile: 'other: x ^ x'. nil")
    call = "(Smalltalk globals at: #MadeFused) new run: 3 with: 4"
    resumed = f"[ {call} ] on: OutOfMemory do: [ :each | each resume: 5 ]"
    for _ in range(VISITS):
        assert answering(call) == ("#(4 3 4)", "")
    do_deferred(made)
    evaluate("(Smalltalk globals at: #MadeFused) compile: 'other: x ^ x'. nil")
    compile_lazily = made.compile_lazily

    def fail(vm: Machine, method: CompiledMethod) -> None:
        if method.selector == "other:":
            monkeypatch.undo()
            raise MemoryError
        compile_lazily(vm, method)

    monkeypatch.setattr(made, "compile_lazily", fail)
    forget_code(made.classes["MadeFused"].methods["other:"])
    assert answering(resumed) == ("#(4 5 4)", "")


def test_the_code_of_a_bounded_number_of_shapes_is_kept(vm: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(superinstruction_code, "MOST_SHAPES", 3)
    monkeypatch.setattr(vm, "templates", {})
    for length in range(1, 9):
        make(vm, "self " * length + "return", 1, ())
        assert 1 <= len(vm.templates) <= 3
