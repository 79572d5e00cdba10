"""What would take all memory is ended by OutOfMemory, in the process that asked for it."""

import pytest

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
