"""Exceptions to the corners: handlers, resumption, unwinding."""

import pytest

from practice_evaluation import Evaluate, Printing, Signalling


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        ("[ 1/0 ] on: ZeroDivide do: [ :e | 5 ]", "5"),
        ("[ (1/0) + 1 ] on: ZeroDivide do: [ :e | e resume: 5 ]", "6"),
        ("[ 1/0 ] on: ZeroDivide do: [ :e | e return: 8. 9 ]", "8"),
        ("[ 1/0 ] on: ZeroDivide do: [ :e | e return ]", "nil"),
        ("| n | n := 0. [ n := n + 1. n < 3 ifTrue: [ 1/0 ]. n ] on: ZeroDivide do: [ :e | e retry ]", "3"),
        ("[ 1/0 ] on: ZeroDivide do: [ :e | e retryUsing: [ 42 ] ]", "42"),
        ("[ [ 1/0 ] on: ZeroDivide do: [ :e | e pass ] ] on: ZeroDivide do: [ :e | e return: 8 ]", "8"),
        (
            "[ [ 1/0 ] on: ZeroDivide do: [ :e | e outer + 10 ] ] on: ZeroDivide do: [ :e | e resume: 8 ]",
            "18",
        ),
        ("[ [ 1/0 ] on: ZeroDivide do: [ :e | e signal. 3 ] ] on: ZeroDivide do: [ :e | e return: 4 ]", "4"),
        (
            "[ [ 1/0 ] on: ZeroDivide do: [ :e | e resignalAs: (Warning new messageText: 'w') ] ] "
            "on: Warning do: [ :w | w messageText ]",
            "'w'",
        ),
        ("[ 1/0 ] on: ZeroDivide , MessageNotUnderstood do: [ :e | e class ]", "ZeroDivide"),
        (
            "[ [ nil foo ] on: Error - MessageNotUnderstood do: [ :e | 1 "
            "] ] on: MessageNotUnderstood do: [ :e | 2 ]",
            "2",
        ),
        ("[ [ 1/0 ] on: ZeroDivide do: [ :e | nil foo ] ] on: MessageNotUnderstood do: [ :e | 77 ]", "77"),
        (
            "[ [ 1/0 ] on: Error do: [ :e | Error signal: 'in' ] ] on: Error do: [ :e | e messageText ]",
            "'in'",
        ),
        (
            "[ Error signal. 5 ] on: Error do: [ :e | [ e resume: 3 ] "
            "on: IllegalResumeAttempt do: [ :i | #no ] ]",
            "#no",
        ),
        ("Notification signal: 'x'", "nil"),
        ("[ Notification signal + 1 ] on: Notification do: [ :n | n resume: 4 ]", "5"),
        ("[ Warning signal: 'w'. 5 ] on: Warning do: [ :w | w resume: nil ]", "5"),
        ("[ self halt. 4 ] on: Halt do: [ :h | h resume ]", "4"),
        ("[ 1/0 ] on: UnhandledException do: [ :u | u exception class ]", "ZeroDivide"),
        ("[ self halt ] on: UnhandledException do: [ :u | u exception class ]", "Halt"),
        ("[ Warning signal ] on: UnhandledException do: [ :u | u exception class ]", "Warning"),
        ("[ ProvideAnswerNotification signal ] on: UnhandledException do: [ :u | 1 ]", "nil"),
        ("[ nil foo: 2 bar: 3 ] on: MessageNotUnderstood do: [ :e | e message arguments ]", "#(2 3)"),
        ("[ nil foo ] on: MessageNotUnderstood do: [ :e | e resume: 9 ]", "9"),
        ("[ 1/0 ] on: ZeroDivide do: [ :e | e signalerContext printString ]", "'SmallInteger>>/'"),
        ("[ 1/0 ] on: ZeroDivide do: [ :e | e receiver ]", "1"),
        ("[ 1/0 ] on: ZeroDivide do: [ :e | e description ]", "'ZeroDivide'"),
        ("[ Error signal: 'abc' ] on: Error do: [ :e | e description ]", "'Error: abc'"),
        ("[ Error new signal: 'abc' ] on: Error do: [ :e | e isNested ]", "false"),
        ("[ 5 ] ensure: [ 6 ]", "5"),
        ("[ [ Error signal ] ensure: [ 1/0 ] ] on: Error do: [ :e | e class ]", "ZeroDivide"),
    ],
)
def test_handlers_are_as_in_pharo(printing: Printing, source: str, printed: str) -> None:
    assert printing(source) == printed


ORDER = [
    (
        "unwound after the handler has run",
        "[ [ 1/0 ] ensure: [ log add: 2 ] ] on: ZeroDivide do: [ :e | log add: 1 ]. log add: 3",
        "#(1 2 3)",
    ),
    (
        "innermost first",
        "[ [ [ 1/0 ] ensure: [ log add: 1 ] ] ensure: [ log add: 2 ] ] on: ZeroDivide do: [ :e | ]",
        "#(1 2)",
    ),
    (
        "before a return leaves the method",
        "log add: ([ :b | [ b value: 5 ] ensure: [ log add: 1 ] ] value: [ :x | x ])",
        "#(1 5)",
    ),
    (
        "when a retry begins anew",
        "| n | n := 0. [ [ n := n + 1. n < 3 ifTrue: [ 1/0 ] ] ensure: [ log add: n ] ] "
        "on: ZeroDivide do: [ :e | e retry ]",
        "#(1 2 3)",
    ),
    (
        "only when curtailed",
        "[ 1 ] ifCurtailed: [ log add: 1 ]. [ [ 1/0 ] ifCurtailed: [ "
        "log add: 2 ] ] on: ZeroDivide do: [ :e | ]",
        "#(2)",
    ),
    (
        "not when resumed",
        "[ [ 1/0. log add: 1 ] ensure: [ log add: 2 ] ] on: ZeroDivide do: [ :e | e resume ]. log add: 3",
        "#(1 2 3)",
    ),
    (
        "all, though one of them fails",
        "[ [ [ 1/0 ] ensure: [ log add: 1. nil foo ] ] ensure: [ log "
        "add: 2 ] ] on: Error do: [ :e | log add: e class ]",
        "{ZeroDivide. 1. MessageNotUnderstood. 2}",
    ),
]


@pytest.mark.parametrize(("what", "source", "logged"), ORDER, ids=[what for what, _, _ in ORDER])
def test_unwind_blocks_run(printing: Printing, what: str, source: str, logged: str) -> None:
    declared = "| log n | " if "| n |" in source else "| log | "
    assert (
        printing(f"{declared}log := OrderedCollection new. {source.replace('| n | ', '')}. log asArray")
        == logged
    )


def test_a_return_through_ensure_blocks_runs_them(evaluate: Evaluate) -> None:
    evaluate("Smalltalk globals at: #PracticeLog put: OrderedCollection new")
    try:
        source = (
            "| log | log := Smalltalk globals at: #PracticeLog. "
            "[ [ #(1 2) do: [ :x | ^ x ] ] ensure: [ log add: 1 ] ] ensure: [ log add: 2 ]"
        )
        assert evaluate(source) == 1
        assert evaluate("(Smalltalk globals at: #PracticeLog) asArray") == [1, 2]
    finally:
        evaluate("Smalltalk globals removeKey: #PracticeLog")


def test_a_block_whose_method_has_returned_cannot_return(signalling: Signalling) -> None:
    assert (
        signalling("(Array compile: 'primEscaping ^ [ ^ 3 ]') -> #() primEscaping value")[0]
        == "BlockCannotReturn"
    )


def test_an_unhandled_error_ends_the_image(evaluate: Evaluate, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        evaluate("3 zork")
    assert ended.value.code == 1
    assert "did not understand #zork" in capfd.readouterr().err


def test_a_process_may_have_its_own_last_word(evaluate: Evaluate) -> None:
    source = (
        "| caught process | process := [ 1/0. caught := #went_on ] newProcess. "
        "process errorHandler: (Array with: 1). "
        "[ process errorHandler handleError: 3 ] on: MessageNotUnderstood do: [ :e | e message selector ]"
    )
    assert evaluate(source) == "handleError:"


@pytest.mark.parametrize(
    "surgery",
    [
        "thisContext privSender: thisContext",
        "thisContext sender privSender: thisContext",
        "thisContext insertSender: thisContext sender",
        "thisContext home privSender: 3",
        "[ thisContext ] value jump",
    ],
)
def test_senders_never_go_in_circles(signalling: Signalling, surgery: str) -> None:
    """Looking for a handler would have no end."""
    assert signalling(f"[ [ {surgery} ] value ] value")[0] == "PrimitiveFailed"
