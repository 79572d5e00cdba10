"""What would take all memory is ended by OutOfMemory, in the process that asked for it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import cast

import pytest

from pharo_practice.compiling.compiler import evaluate as evaluate_in
from pharo_practice.machine.limits import STATM, give_back_garbage, resident_memory
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import EvaluationLost
from pharo_practice.model.classes import forget_code
from pharo_practice.model.objects import CompiledMethod, Value
from practice_evaluation import Evaluate, Printing, Signalling


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (
            "| f | f := nil. f := [ :n | 1 + (f value: n - 1) ]. [ f "
            "value: 1 ] on: OutOfMemory do: [ :e | #deep ]",
            "#deep",
        ),
        (
            "| f | f := nil. f := [ :n | n = 0 ifTrue: [ 0 ] ifFalse: [ "
            "1 + (f value: n - 1) ] ]. f value: 50000",
            "50000",
        ),
        ("[ Array new: 1000000000000 ] on: OutOfMemory do: [ :e | #large ]", "#large"),
        ("[ 10 raisedTo: 1000000000 ] on: Error do: [ :e | #large ]", "#large"),
    ],
)
def test_a_process_can_handle_out_of_memory_and_the_image_continues(
    printing: Printing, source: str, printed: str
) -> None:
    assert printing(source) == printed


def test_deep_recursion_in_a_method_is_caught_as_well(evaluate: Evaluate) -> None:
    evaluate("Object compile: 'primDescend ^ self primDescend' classified: 'private - primitives'")
    try:
        assert evaluate("[ 3 primDescend ] on: OutOfMemory do: [ :e | #deep ]") == "deep"
    finally:
        evaluate("Object removeSelector: #primDescend")


def test_a_primitive_that_meets_what_it_is_not_made_for_fails(signalling: Signalling) -> None:
    assert signalling("Processor primReadyAt: 1000") == (
        "PrimitiveFailed",
        "primitive #primReadyAt: in ProcessorScheduler failed",
    )


def test_endless_recursion_is_out_of_memory_where_it_went_too_deep(evaluate: Evaluate) -> None:
    assert evaluate(
        """| down |
        down := nil.
        down := [ :n | (down value: n + 1) + 1 ].
        [ down value: 1 ] on: OutOfMemory do: [ :error |
            { error receiver. error signalerContext selector asString.
              error signalerContext isBlockContext. error signalContext selector asString } ]"""
    ) == [None, "DoIt", True, "signal"]


def test_a_process_resumed_after_out_of_memory_continues(evaluate: Evaluate) -> None:
    assert (
        evaluate(
            """| down |
            down := nil.
            down := [ :n | n = 310000 ifTrue: [ 0 ] ifFalse: [ (down value: n + 1) + 1 ] ].
            [ down value: 1 ] on: OutOfMemory do: [ :error | error resume: nil ]"""
        )
        == 309_999
    )


@pytest.mark.parametrize(
    "source",
    [
        "(2 raisedTo: 10000000) printString",
        "1 bitShift: 10000000",
        "Array new: 100000000",
        "| x | x := 3. [ true ] whileTrue: [ x := x * x ]",
        "| x | x := 3. [ true ] whileTrue: [ x := x * 1000000000000 ]",
    ],
)
def test_work_that_python_cannot_interrupt_is_out_of_memory(signalling: Signalling, source: str) -> None:
    assert signalling(source) == ("OutOfMemory", "")


def test_a_large_integer_has_its_bytes_as_elements(evaluate: Evaluate) -> None:
    assert evaluate("100 factorial size") == 66
    assert evaluate("{ (1 bitShift: 64) at: 9. (1 bitShift: 64) negated at: 1 }") == [1, 0]


def test_long_literals_are_read(evaluate: Evaluate) -> None:
    assert evaluate("9" * 5_000 + " numberOfDigits") == 5_000


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
def test_released_memory_is_no_longer_counted(evaluate: Evaluate) -> None:
    grown, let_go = cast(
        "list[int]",
        evaluate(
            """| before large grown |
            before := Smalltalk vm memorySize.
            large := ByteArray new: 50000000 withAll: 1.
            grown := Smalltalk vm memorySize - before.
            large := nil.
            { grown. Smalltalk vm memorySize - before }"""
        ),
    )
    assert grown > 40_000_000
    assert let_go < 10_000_000


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
def test_garbage_does_not_count_against_the_limit(vm: Machine, evaluate: Evaluate) -> None:
    with bounded(vm, 500_000_000):
        assert (
            evaluate(
                """[ 1 to: 200 do: [ :each |
                [ :large | | kept | kept := [ large. kept ]. 1000 timesRepeat: [ 3 + 4 ] ]
                    value: (ByteArray new: 5000000 withAll: 1) ].
            #done ] on: OutOfMemory do: [ :error | #blamed ]"""
            )
            == "done"
        )


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
def test_the_garbage_of_a_process_that_ran_out_of_memory_does_not_count(
    vm: Machine, evaluate: Evaluate
) -> None:
    hoard = """| all |
        all := OrderedCollection new.
        all add: all.
        [ [ true ] whileTrue: [ all add: (ByteArray new: 1000) ] ] on: OutOfMemory do: [ :error | #caught ]"""
    with bounded(vm):
        assert evaluate(hoard) == "caught"
        assert evaluate("(1 to: 300000) inject: 0 into: [ :sum :each | sum + each ]") == 45_000_150_000
        assert evaluate("((1 to: 10) collect: [ :each | ByteArray new: 1000000 ]) size") == 10


def test_clocks_run_while_memory_is_refused_again_and_again(evaluate: Evaluate) -> None:
    assert (
        evaluate(
            """| greedy |
            greedy := [
                [ [ String new: 4000000000 ] on: OutOfMemory do: [ :error | nil ] ] repeat ] newProcess.
            greedy priority: Processor userBackgroundPriority; resume.
            (Delay forMilliseconds: 5) wait.
            greedy terminate.
            #ended"""
        )
        == "ended"
    )


def test_an_urgent_process_may_take_more_than_the_one_it_watches(vm: Machine, evaluate: Evaluate) -> None:
    give_back_garbage()
    vm.limits.checks = 0  # the memory is not measured before the greedy process runs
    with bounded(vm, -resident_memory() // 10):
        assert evaluate(
            """| said urgent greedy |
            greedy := [ [ [ true ] whileTrue ] on: OutOfMemory do: [ :error | said := #ended ] ] newProcess.
            greedy priority: Processor userBackgroundPriority; resume.
            [ 1 to: 100000 do: [ :each | Object new ]. urgent := #done ] forkAt: Processor lowIOPriority.
            [ said isNil ] whileTrue: [ (Delay forMilliseconds: 5) wait ].
            { said. urgent }"""
        ) == ["ended", "done"]


ROOM = 30_000_000
"""Bytes that the image may grow by in the tests below."""
SLACK = 20_000_000
"""Bytes beyond the limit that small objects may take before they are counted."""

GREEDY = {
    "a string that doubles": "s := 'x'. 40 timesRepeat: [ s := s , s ]",
    "a wide string that doubles": "s := (Character value: 8364) asString. 40 timesRepeat: [ s := s , s ]",
    "an array that doubles": "s := #( 1 ). 40 timesRepeat: [ s := s , s ]",
    "strings in a collection": (
        "s := OrderedCollection new. [ true ] whileTrue: [ s add: (String new: 9000) ]"
    ),
    "short strings in a collection": (
        "s := OrderedCollection new. [ true ] whileTrue: [ s add: (String new: 900) ]"
    ),
    "small objects": "s := OrderedCollection new. [ true ] whileTrue: [ s add: Object new ]",
    "linked objects": "s := nil. [ true ] whileTrue: [ s := Link nextLink: s ]",
    "large integers": "s := OrderedCollection new. [ true ] whileTrue: [ s add: (1 bitShift: 400000) ]",
    "copies": "t := ByteArray new: 9000. s := OrderedCollection new. [ true ] whileTrue: [ s add: t copy ]",
    "a stream": "s := WriteStream on: String new. [ true ] whileTrue: [ s nextPutAll: 'abcdefghijklmnop' ]",
    "a stream of objects": "s := WriteStream on: Array new. [ true ] whileTrue: [ s nextPut: 7 ]",
    "a dictionary": "s := Dictionary new. t := 0. [ true ] whileTrue: [ s at: (t := t + 1) put: t ]",
    "a string joined of one again and again": (
        "t := String new: 1000000. s := (String new: 1) join: (Array new: 1000 withAll: t)"
    ),
    "a string cut into pieces": (
        "t := String new: 1000000 withAll: $x. 2 to: t size by: 2 do: [ :i | t at: i put: $  ]. "
        "s := t substrings: ' '"
    ),
    "a string repeated": "s := String new: 20000000. t := s copy",
    "a table for many": "s := Set new: 20000000",
    "room for many": "s := OrderedCollection new: 20000000",
    "an array for many": "s := Array new: 20000000",
    "bytes for many": "s := (1 to: 3) collect: [ :each | ByteArray new: 12000000 ]",
}


@contextmanager
def bounded(vm: Machine, room: int = ROOM) -> Iterator[None]:
    """Let the image grow by so much and no more."""
    held = vm.limits.memory
    give_back_garbage()
    vm.limits.memory = resident_memory() + room
    try:
        yield
    finally:
        vm.limits.memory = held


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
@pytest.mark.parametrize("how", GREEDY)
def test_growth_is_ended_soon_after_the_limit(vm: Machine, evaluate: Evaluate, how: str) -> None:
    source = f"| s t taken | taken := [ {GREEDY[how]}. #nothing ] on: OutOfMemory do: [ :error | "
    source += "Smalltalk vm memorySize ]. s := t := nil. taken"
    with bounded(vm):
        taken = evaluate(source)
        assert isinstance(taken, int)
        assert taken <= vm.limits.memory + SLACK
        assert evaluate("(String new: 1000000) size") == 1_000_000


MODEST = {
    "bytes filled": "ByteArray new: 10000000 withAll: 1",
    "a string filled": "String new: 10000000 withAll: $x",
    "bytes copied": "(ByteArray new: 10000000) replaceFrom: 1 to: 10000000 with: self startingAt: 1",
}


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
@pytest.mark.parametrize("what", MODEST)
def test_what_bytes_do_not_take_is_not_counted(vm: Machine, evaluate: Evaluate, what: str) -> None:
    many = evaluate("ByteArray new: 10000000 withAll: 1")
    source = f"| made | made := [ {MODEST[what]} ] on: OutOfMemory do: [ :error | #() ]. made size"
    with bounded(vm, 40_000_000):
        assert evaluate_in(vm, source, receiver=cast("Value", many)) == 10_000_000


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
def test_a_process_that_keeps_taking_memory_is_ended_and_others_continue(
    vm: Machine, evaluate: Evaluate
) -> None:
    with bounded(vm):
        assert (
            evaluate(
                """| all greedy |
            all := nil.
            greedy := [ [ [ true ] whileTrue: [ all := (Array new: 200) at: 1 put: all; yourself ] ]
                on: OutOfMemory do: [ :error | error resume: nil ] ] newProcess.
            greedy priority: Processor userBackgroundPriority; resume.
            [ greedy isTerminated ] whileFalse: [ (Delay forMilliseconds: 5) wait ].
            all := nil.
            (String new: 1000000) size"""
            )
            == 1_000_000
        )


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
def test_an_evaluation_that_keeps_taking_memory_is_ended(vm: Machine, evaluate: Evaluate) -> None:
    with bounded(vm), pytest.raises(EvaluationLost, match="ran out of memory"):
        evaluate_in(
            vm,
            "| all | all := nil. [ [ true ] whileTrue: [ "
            "all := (Array new: 200) at: 1 put: all; yourself ] ] "
            "on: OutOfMemory do: [ :error | error resume: nil ]",
        )
    assert evaluate("3 + 4") == 7


def test_a_recursion_that_even_running_out_of_memory_cannot_end_is_ended(
    vm: Machine, evaluate: Evaluate
) -> None:
    with pytest.raises(EvaluationLost):
        evaluate_in(
            vm,
            """| down |
            down := nil.
            down := [ [ down value + 1 ] on: OutOfMemory do: [ :error | down value ] ].
            down value""",
        )
    assert evaluate("3 + 4") == 7


@pytest.mark.skipif(not os.path.exists(STATM), reason="only the most that was ever held is told here")
def test_an_object_that_was_too_large_is_nil_where_its_process_goes_on(
    vm: Machine, evaluate: Evaluate
) -> None:
    with bounded(vm):
        assert evaluate(
            "| s | [ s := { 1. ByteArray new: 12000000. ByteArray new: 12000000. "
            "ByteArray new: 12000000. 5 } ] on: OutOfMemory do: [ :e | e resume: nil ]. "
            "{ s first. s second size. s fourth. s last }"
        ) == [1, 12_000_000, None, 5]


def test_a_send_that_runs_out_of_memory_in_the_compiler_leaves_the_stack_in_order(
    vm: Machine, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    evaluate("(Object << #PracticeGreedy package: 'Practice-Limits') install")
    evaluate("PracticeGreedy compile: 'other: x ^ x'; compile: 'run: x with: y ^ { y. self other: x. y }'")
    method = vm.classes["PracticeGreedy"].methods["other:"]
    compile_lazily = vm.compile_lazily

    def fail(vm: Machine, compiled: CompiledMethod) -> None:
        if compiled is method:
            monkeypatch.undo()
            raise MemoryError
        compile_lazily(vm, compiled)

    monkeypatch.setattr(vm, "compile_lazily", fail)
    forget_code(method)
    run = "[ PracticeGreedy new run: 3 with: 4 ] on: OutOfMemory do: [ :each | each resume: 5 ]"
    assert evaluate(run) == [4, 5, 4]
    evaluate("PracticeGreedy removeFromSystem")
