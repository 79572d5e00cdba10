"""Primitives called with what they were not made for."""

from __future__ import annotations

import itertools
import re

import pytest

from pharo_standin.code import CompiledMethod
from pharo_standin.execution import evaluate as run
from pharo_standin.machine import BROKEN, Machine
from pharo_standin.primitive import PRIMITIVES
from standin_evaluation import TURNS, Evaluate, Signalling, simple

RECEIVERS = [
    "3",
    "-7",
    "(1 bitShift: 100)",
    "1.5",
    "Float nan",
    "$a",
    "'abc' copy",
    "(String with: (Character value: 955))",
    "#foo:bar:",
    "(Array with: 1 with: 2)",
    "(ByteArray with: 1 with: 2)",
    "[ :x | x ]",
    "[ thisContext ] value",
    "(1/2)",
    "Object new",
    "Semaphore new",
    "(Object >> #printString)",
    "(Set with: 3)",
    "(IdentityDictionary new at: #a put: 3; yourself)",
    "(OrderedCollection with: 3)",
    "'abc' readStream",
    "(WriteStream on: String new)",
]
ARGUMENTS = [
    "nil",
    "0",
    "-1",
    "2",
    "1.5",
    "'x'",
    "#x",
    "$x",
    "#(1 'x' nil)",
    "[ :x | x ]",
    "(1 bitShift: 90)",
    "Object new",
]
UNHARMED = {"jump", "wait", "insertSender:", "privSender:", "terminateTo:"}
"""What takes the tester's own process away, or leads it astray, when all goes well."""


def primitives_of(vm: Machine, receiver: str) -> list[CompiledMethod]:
    """The methods with a primitive that an object understands."""
    cls = vm.classes[vm.text(run(vm, f"{receiver} class name"))]
    found = {selector for behavior in cls.lineage() for selector in behavior.methods} - UNHARMED
    methods = [vm.lookup(cls, selector) for selector in sorted(found)]
    return [method for method in methods if method is not None and method.primitive is not None]


@pytest.mark.parametrize("receiver", RECEIVERS)
def test_a_primitive_of_the_wrong_arguments_answers_or_fails_as_smalltalk_does(
    vm: Machine, receiver: str
) -> None:
    for method in primitives_of(vm, receiver):
        for arguments in itertools.islice(itertools.product(ARGUMENTS, repeat=method.num_args), 60):
            source = (
                f"[ {receiver} perform: #{method.selector} withArguments: {{ {' . '.join(arguments)} }}. '' ]"
                " on: Exception do: [ :error | error return: error messageText asString ]"
            )
            text = simple(vm, run(vm, source, turns=TURNS))
            assert text != BROKEN, source


def test_the_kernel_names_every_primitive_and_no_other(vm: Machine) -> None:
    sides = [side for cls in vm.classes.values() for side in (cls, cls.cls)]
    sources = "".join(method.source for side in sides for method in side.methods.values())
    assert set(re.findall(r"<primitive: '(\w+)' module: 'standin'>", sources)) == set(PRIMITIVES)


def test_integers_have_no_elements(signalling: Signalling) -> None:
    assert signalling("3 at: 1 put: 2") == ("Error", "Instances of SmallInteger are not indexable")


@pytest.mark.parametrize("source", ["Float new: 2", "LargePositiveInteger basicNew: 8"])
def test_numbers_are_not_made_piece_by_piece(signalling: Signalling, source: str) -> None:
    assert signalling(source)[0] == "PrimitiveFailed"


def test_a_method_is_performed_with_an_array_of_its_arguments(signalling: Signalling) -> None:
    assert signalling("3 perform: #+ withArguments: #()") == ("Error", "incorrect number of arguments")
    assert signalling("3 perform: #+ withArguments: nil") == (
        "Error",
        "Instances of UndefinedObject are not indexable",
    )


def test_a_signal_into_a_waiting_process_lets_it_wait_on(evaluate: Evaluate) -> None:
    assert evaluate(
        """| log semaphore process |
        log := OrderedCollection new.
        semaphore := Semaphore new.
        process := [ [ log add: 3 + (4 * [ semaphore wait. 5 ] value) ]
            on: Notification do: [ :note | log add: note messageText. note resume: nil ] ] fork.
        Processor yield.
        process signalException: (Notification new messageText: 'heard'; yourself).
        Processor yield.
        log add: process isWaiting.
        semaphore signal.
        Processor yield.
        log asArray"""
    ) == ["heard", True, 23]


def test_strings_beyond_unicode_are_searched_and_printed(evaluate: Evaluate) -> None:
    assert evaluate(
        "| wide | wide := 'ab' , (String with: (Character value: 16r110000)) , 'c'. "
        "{ wide findString: 'c'. wide findString: wide last asString. wide printString size }"
    ) == [4, 4, 6]
