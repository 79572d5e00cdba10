"""What would take all memory is ended by OutOfMemory, in the process that asked for it."""

from typing import cast

import pytest

from pharo_standin.limits import STATM, resident_memory
from pharo_standin.machine import Machine
from standin_evaluation import Evaluate, Printing, Signalling


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
def test_a_process_may_catch_it_and_the_image_goes_on(printing: Printing, source: str, printed: str) -> None:
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


def test_a_process_resumed_after_running_out_of_memory_goes_on(evaluate: Evaluate) -> None:
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
def test_what_python_could_not_be_interrupted_in_is_out_of_memory(
    signalling: Signalling, source: str
) -> None:
    assert signalling(source) == ("OutOfMemory", "")


def test_a_large_integer_has_its_bytes_as_elements(evaluate: Evaluate) -> None:
    assert evaluate("100 factorial size") == 66
    assert evaluate("{ (1 bitShift: 64) at: 9. (1 bitShift: 64) negated at: 1 }") == [1, 0]


def test_long_literals_are_read(evaluate: Evaluate) -> None:
    assert evaluate("9" * 5_000 + " numberOfDigits") == 5_000


@pytest.mark.skipif(not STATM.exists(), reason="only the most that was ever held is told here")
def test_memory_that_was_let_go_is_told_no_more(evaluate: Evaluate) -> None:
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


@pytest.mark.skipif(not STATM.exists(), reason="only the most that was ever held is told here")
def test_what_nobody_can_reach_any_more_is_held_against_nobody(vm: Machine, evaluate: Evaluate) -> None:
    held, vm.limits.memory = vm.limits.memory, resident_memory() + 500_000_000
    try:
        assert (
            evaluate(
                """[ 1 to: 200 do: [ :each |
                [ :large | | kept | kept := [ large. kept ]. 1000 timesRepeat: [ 3 + 4 ] ]
                    value: (ByteArray new: 5000000 withAll: 1) ].
            #done ] on: OutOfMemory do: [ :error | #blamed ]"""
            )
            == "done"
        )
    finally:
        vm.limits.memory = held


def test_an_urgent_process_may_take_more_than_the_one_it_watches(vm: Machine, evaluate: Evaluate) -> None:
    held, vm.limits.memory = vm.limits.memory, resident_memory() * 9 // 10
    try:
        assert evaluate(
            """| said urgent greedy |
            greedy := [ [ [ true ] whileTrue ] on: OutOfMemory do: [ :error | said := #ended ] ] newProcess.
            greedy priority: Processor userBackgroundPriority; resume.
            [ 1 to: 100000 do: [ :each | Object new ]. urgent := #done ] forkAt: Processor lowIOPriority.
            [ said isNil ] whileTrue: [ (Delay forMilliseconds: 5) wait ].
            { said. urgent }"""
        ) == ["ended", "done"]
    finally:
        vm.limits.memory = held
