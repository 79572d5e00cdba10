"""Processes: priorities, semaphores, time, termination, variables of their own."""

import pytest

from pharo_practice.compiling.compiler import evaluate as run
from pharo_practice.machine.execution import run_until
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import NothingToRun, OutOfTurns
from practice_evaluation import Evaluate, Printing, Signalling


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (
            "| log | log := OrderedCollection new. [ log add: 1 ] forkAt: 50. log add: 2. "
            "[ log add: 3 ] forkAt: 30. log add: 4. (Delay forMilliseconds: 1) wait. log asArray",
            "#(1 2 4 3)",
        ),
        ("| s r | s := Semaphore new. [ r := 5. s signal ] fork. s wait. r", "5"),
        (
            "| log | log := OrderedCollection new. [ log add: 1 ] fork. "
            "Processor yield. log add: 2. log asArray",
            "#(1 2)",
        ),
        ("Semaphore new waitTimeoutMilliseconds: 5", "true"),
        ("Semaphore new signal waitTimeoutMilliseconds: 5", "false"),
        ("Semaphore new waitTimeoutMilliseconds: 0", "true"),
        (
            "| s | s := Semaphore new. [ (Delay forMilliseconds: 1) "
            "wait. s signal ] fork. s waitTimeoutMilliseconds: 9000",
            "false",
        ),
        ("[ [ true ] whileTrue ] valueWithin: 20 milliSeconds onTimeout: [ #late ]", "#late"),
        ("[ (Delay forSeconds: 50) wait ] valueWithin: 20 milliSeconds onTimeout: [ #late ]", "#late"),
        ("[ 5 ] valueWithin: 9 seconds onTimeout: [ #late ]", "5"),
        ("| m | m := Mutex new. m critical: [ m critical: [ 5 ] ]", "5"),
        (
            "| s | s := Semaphore forMutualExclusion. [ s critical: [ "
            "1/0 ] ] on: ZeroDivide do: [ :e | ]. s critical: [ 3 ]",
            "3",
        ),
        (
            "| p | p := [ ] newProcess. { p isSuspended. p resume; "
            "yourself. Processor yield. p isTerminated }",
            "a",
        ),
        ("Processor activePriority", "40"),
        ("| p | p := [ ] newProcess. p priority: 33. p priority", "33"),
    ],
)
def test_processes_are_as_in_pharo(printing: Printing, source: str, printed: str) -> None:
    assert printing(source).startswith(printed)


def test_a_loop_without_sends_gives_way_to_a_higher_priority(evaluate: Evaluate) -> None:
    source = (
        "| done | done := false. [ (Delay forMilliseconds: 5) wait. done := true ] forkAt: 50. "
        "[ done ] whileFalse. done"
    )
    assert evaluate(source) is True


def test_a_loop_without_end_does_not_keep_a_higher_priority_waiting(evaluate: Evaluate) -> None:
    source = (
        "| loop | loop := [ [ true ] whileTrue ] forkAt: 30. (Delay forMilliseconds: 5) wait. "
        "loop terminate. loop isTerminated"
    )
    assert evaluate(source) is True


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (
            "| p log | log := OrderedCollection new. p := [ [ Semaphore "
            "new wait ] ensure: [ log add: 1 ] ] fork. "
            "Processor yield. p terminate. log add: p isTerminated. log asArray",
            "#(1 true)",
        ),
        (
            "| p log | log := OrderedCollection new. p := [ [ [ log add: "
            "1 ] ensure: [ log add: 2. Processor yield. "
            "log add: 3 ] ] ensure: [ log add: 4 ] ] fork. Processor yield. p terminate. log asArray",
            "#(1 2 3 4)",
        ),
        (
            "| p log | log := OrderedCollection new. p := [ [ Semaphore new wait ] ensure: [ "
            "(Delay forMilliseconds: 2) wait. log add: 1 ] ] fork. "
            "Processor yield. p terminate. log add: 2. log asArray",
            "#(1 2)",
        ),
        (
            "| p log | log := OrderedCollection new. p := [ [ thisProcess terminate. log add: 1 ] "
            "ensure: [ log add: 2 ] ] fork. Processor yield. log add: p isTerminated. log asArray",
            "#(2 true)",
        ),
        (
            "| s p | s := Semaphore forMutualExclusion. p := [ s critical: [ Semaphore new wait ] ] fork. "
            "Processor yield. p terminate. s critical: [ 3 ]",
            "3",
        ),
        (
            "| s p | s := Semaphore new. p := [ s critical: [ 5 ] ] "
            "fork. Processor yield. p terminate. s isSignaled",
            "false",
        ),
        ("| p | p := [ 3 ] newProcess. p terminate. p isTerminated", "true"),
        ("| p | p := [ 3 ] fork. Processor yield. p terminate. p isTerminated", "true"),
    ],
)
def test_termination_unwinds_and_waits(printing: Printing, source: str, printed: str) -> None:
    assert printing(source) == printed


@pytest.mark.parametrize("beginning", ["", "Semaphore new wait"])
def test_terminating_does_not_wait_for_ensure_blocks_that_fail(evaluate: Evaluate, beginning: str) -> None:
    """Be it that the block runs already or only because of the end."""
    evaluate("(Object << #FreezesProcesses package: 'Freezing') install")
    evaluate(
        "(Smalltalk at: #FreezesProcesses) compile: 'handleError: anError Processor activeProcess suspend'"
    )
    source = f"""| victim |
    victim := [ [ {beginning} ] ensure: [ (Delay forMilliseconds: 2) wait. 1 / 0 ] ] newProcess.
    victim errorHandler: FreezesProcesses new.
    victim priority: 30; resume.
    (Delay forMilliseconds: 1) wait.
    victim terminate.
    victim isSuspended"""
    try:
        assert evaluate(source) is True
    finally:
        evaluate("(Smalltalk at: #FreezesProcesses) removeFromSystem")


def test_the_terminator_lends_its_priority(evaluate: Evaluate) -> None:
    source = (
        "| p seen | p := [ [ Semaphore new wait ] ensure: [ seen := thisProcess priority ] ] forkAt: 20. "
        "(Delay forMilliseconds: 1) wait. p terminate. seen"
    )
    assert evaluate(source) == 40


def test_a_suspended_process_keeps_its_place(evaluate: Evaluate) -> None:
    source = (
        "| p n | n := 0. p := [ [ n := n + 1. Processor yield ] repeat ] fork. Processor yield. p suspend. "
        "Processor yield. { n. p isSuspended. p resume; yourself. Processor yield. n. p terminate }"
    )
    answer = evaluate(source)
    assert isinstance(answer, list)
    assert (answer[0], answer[1], answer[4]) == (1, True, 2)


def test_a_process_of_an_anonymous_class_runs_and_is_not_listed(evaluate: Evaluate) -> None:
    made = (
        "| class process ran | class := Process newAnonymousSubclass. "
        "class addSelectorSilently: #mark withMethod: (Process >> #name) copy. "
        "process := class forContext: [ ran := true. Processor terminateRealActive ] asContext priority: 50. "
        "process name: 'it'; resume. "
    )
    told = (
        "{ ran. process mark. class isAnonymous. Process subclasses includes: class. "
        "Process allSubclasses includes: class. Process allSubInstances includes: process. "
        "class allInstances includes: process. class superclass == Process. class name asString }"
    )
    assert (
        evaluate(f"{made} ({told}) printString")
        == "#(true 'it' true false false false true true 'a subclass of Process')"
    )


def test_a_subclass_of_process_may_have_states_of_its_own(evaluate: Evaluate) -> None:
    made = (
        "| class process | class := Process newAnonymousSubclass. "
        "class addSelectorSilently: #state withMethod: (Process >> #name) copy. "
        "process := class forContext: [ ] asContext priority: 50. "
    )
    told = "process name: {0}. {{ process isSuspended. process isTerminated }}"
    assert evaluate(made + told.format("#suspended")) == [True, False]
    assert evaluate(made + told.format("#terminated")) == [False, True]


def test_process_specific_values_that_are_read_only_are_not_changed(signalling: Signalling) -> None:
    process = "Process forContext: [ ] asContext priority: 50"
    used = "DynamicVariable value: nil during: [ ]. "  # before a first variable is used there are no keys
    values = "process psValueAt: 1 put: 3. (process instVarNamed: #env) beReadOnlyObject. "
    failed = signalling(
        f"{used} [ | process | process := {process}. {values} process psValueAt: 1 put: 4 ] value"
    )
    assert failed[0] == "ModificationForbidden"


def test_a_dynamic_variable_holds_while_its_block_runs(evaluate: Evaluate) -> None:
    evaluate("(DynamicVariable << #PracticeVariable package: 'Practice-Tests') install")
    try:
        evaluate("PracticeVariable class compile: 'isInheritable ^ true' classified: 'accessing'")
        source = (
            "| inherited | { PracticeVariable value. PracticeVariable value: 3 during: [ "
            "[ inherited := PracticeVariable value ] fork. Processor yield. PracticeVariable value ]. "
            "inherited. PracticeVariable value }"
        )
        assert evaluate(source) == [None, 3, 3, None]
    finally:
        evaluate("PracticeVariable removeFromSystem")


def test_waiting_for_ever_is_reported(vm: Machine) -> None:
    with pytest.raises(NothingToRun):
        run(vm, "Semaphore new wait")


def test_an_evaluation_can_be_bounded(vm: Machine) -> None:
    with pytest.raises(OutOfTurns):
        run(vm, "[ true ] whileTrue", turns=20)
    assert run(vm, "3 + 4") == 7


def test_delays_convert_their_units(evaluate: Evaluate) -> None:
    assert evaluate(
        "{ Delay forSeconds: 1. Delay forMinutes: 1. Delay forHours: 1. Delay forDays: 1 } "
        "collect: [ :each | each millisecondDelayDuration ]"
    ) == [1_000, 60_000, 3_600_000, 86_400_000]


def test_waiting_with_a_deadline_forks_no_process_and_misses_no_signal(evaluate: Evaluate) -> None:
    assert evaluate(
        """| semaphore answers |
        semaphore := Semaphore new.
        answers := (1 to: 20) collect: [ :each | semaphore waitTimeoutMilliseconds: 1 ].
        semaphore signal.
        answers copyWith: (semaphore waitTimeoutMilliseconds: 1)"""
    ) == [*[True] * 20, False]


def test_a_monitor_wakes_who_waits_for_an_event(evaluate: Evaluate) -> None:
    assert evaluate(
        """| monitor log |
        monitor := Monitor new.
        log := OrderedCollection new.
        [ monitor critical: [ monitor waitFor: #full. log add: #full ] ] fork.
        [ monitor critical: [ monitor wait. log add: #any ] ] fork.
        Processor yield.
        monitor critical: [ monitor signal: #empty ].
        Processor yield.
        monitor critical: [ monitor signal: #full ].
        Processor yield.
        log asArray"""
    ) == ["any", "full"]


@pytest.mark.parametrize(
    "wait",
    [
        "(Delay forSeconds: (10 raisedTo: 30)) wait",
        "(Delay forMilliseconds: (10 raisedTo: 400)) wait",
        "Semaphore new waitTimeoutSeconds: (10 raisedTo: 400)",
    ],
)
def test_a_delay_of_ages_is_waited_for(vm: Machine, evaluate: Evaluate, wait: str) -> None:
    assert evaluate(f"[ {wait} ] valueWithin: 5 milliSeconds onTimeout: [ #late ]") == "late"
    with pytest.raises(OutOfTurns):
        run(vm, wait, turns=20)


def test_a_process_that_ran_when_the_machine_was_left_goes_on_when_it_is_entered_again(
    vm: Machine, evaluate: Evaluate
) -> None:
    evaluate(
        "Smalltalk at: #PracticeLeft put: (Semaphore forMutualExclusion). "
        "[ (Smalltalk at: #PracticeLeft) critical: [ 1 to: 200000 do: [ :each | each ] ] ] fork"
    )
    run_until(vm, lambda: True)
    try:
        assert evaluate("(Smalltalk at: #PracticeLeft) critical: [ 7 ]") == 7
    finally:
        evaluate("Smalltalk globals removeKey: #PracticeLeft")


def test_a_process_that_begins_to_wait_while_somebody_asks_is_not_suspended(evaluate: Evaluate) -> None:
    source = """
    | worker asking said |
    said := Set new.
    0 to: 60 do: [ :steps |
        worker := [ Semaphore new wait ] forkAt: 10.
        asking := [ said add: worker isSuspended ] newProcess.
        steps timesRepeat: [ asking isTerminated ifFalse: [ asking step ] ].
        (Delay forMilliseconds: 1) wait.
        asking isTerminated ifFalse: [ asking priority: 50; resume ].
        worker terminate ].
    said asArray = #( false )
    """
    assert evaluate(source) is True


@pytest.mark.parametrize(
    ("stepped", "printed"),
    [
        ("[ p isTerminated ] whileFalse: [ p step ]. p step", "#PrimitiveFailed"),
        ("[ p isTerminated ] whileFalse: [ p step ]. p resume", "#PrimitiveFailed"),
        ("thisContext step", "#PrimitiveFailed"),
        ("p suspendedContext pop", "#PrimitiveFailed"),
    ],
)
def test_a_context_that_cannot_be_stepped_is_an_error(printing: Printing, stepped: str, printed: str) -> None:
    assert (
        printing(f"| p | p := [ 3 ] newProcess. [ {stepped} ] on: Error do: [ :e | e class name ]") == printed
    )


def test_a_stepped_process_that_asks_for_too_much_memory_gets_the_error_itself(evaluate: Evaluate) -> None:
    assert (
        evaluate(
            "| p r | p := [ [ Array new: 500000000 ] on: OutOfMemory do: [ :e | r := 5 ] ] newProcess. "
            "[ p isTerminated ] whileFalse: [ p step ]. r"
        )
        == 5
    )


def test_a_process_specific_variable_may_have_a_default_and_a_value_of_its_own(
    printing: Printing, evaluate: Evaluate
) -> None:
    evaluate("(DynamicVariable << #PracticeDefault package: 'Practice-Tests') install")
    read = "{ PracticeDefault value. PracticeDefault value: 3 during: [ PracticeDefault value ] }"
    assert printing(read) == "#(nil 3)"
    evaluate("PracticeDefault compile: 'default ^ 7'")
    assert printing(read) == "#(7 3)"
    evaluate("PracticeDefault compile: 'value ^ super value * 2'")
    assert printing(read) == "#(14 6)"
    evaluate("PracticeDefault removeFromSystem")


def test_an_option_comes_from_the_nearest_options_that_have_it(printing: Printing) -> None:
    read = "ZnCurrentOptions at: #maximumEntitySize"
    assert printing(read) == "16777216"
    assert printing(f"ZnOptions globalDefault clone during: [ {read} ]") == "16777216"
    own = "ZnOptions globalDefault clone at: #maximumEntitySize put: 5; yourself"
    assert printing(f"({own}) clone during: [ {read} ]") == "5"
    missing = "[ ZnCurrentOptions at: #missing ] on: KeyNotFound do: [ :error | error key ]"
    assert printing(f"ZnOptions globalDefault clone during: [ {missing} ]") == "#missing"
