"""Primitives called with what they were not made for."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Iterator

import pytest

from pharo_practice.compiling.compiler import evaluate as run
from pharo_practice.machine.machine import BROKEN, Machine
from pharo_practice.machine.primitive import PRIMITIVES, Primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import CompiledMethod, Value
from practice_evaluation import TURNS, Evaluate, Signalling, simple

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
    "'a literal'",
    "#(3 1 2)",
    "'read-only' copy beReadOnlyObject",
    "(Set with: 3) beReadOnlyObject",
    "(Dictionary new at: 3 put: 4; beReadOnlyObject)",
    "(WriteStream on: 'a literal')",
    "(WriteStream on: String new) beReadOnlyObject",
]
UNINITIALIZED = [
    "OrderedCollection basicNew",
    "Set basicNew",
    "Dictionary basicNew",
    "OrderedDictionary basicNew",
    "ReadStream basicNew",
    "WriteStream basicNew",
    "Semaphore basicNew",
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
    cls = vm.classes[text_of(run(vm, f"{receiver} class name"))]
    found = {selector for behavior in cls.lineage() for selector in behavior.methods} - UNHARMED
    methods = [vm.lookup(cls, selector) for selector in sorted(found)]
    return [method for method in methods if method is not None and method.primitive is not None]


def calls_of(vm: Machine, receiver: str) -> Iterator[str]:
    """Sends of each message with a primitive, with arguments of many kinds."""
    for method in primitives_of(vm, receiver):
        for arguments in itertools.islice(itertools.product(ARGUMENTS, repeat=method.num_args), 60):
            yield f"{receiver} perform: #{method.selector} withArguments: {{ {' . '.join(arguments)} }}"


@pytest.mark.parametrize("receiver", RECEIVERS)
def test_a_primitive_with_wrong_arguments_answers_or_fails_as_in_smalltalk(
    vm: Machine, receiver: str
) -> None:
    for call in calls_of(vm, receiver):
        source = f"[ {call}. '' ] on: Exception do: [ :error | error return: error messageText asString ]"
        assert simple(vm, run(vm, source, turns=TURNS)) != BROKEN, source


@pytest.mark.parametrize("receiver", UNINITIALIZED)
def test_a_primitive_of_an_uninitialized_object_answers_or_fails(vm: Machine, receiver: str) -> None:
    for call in calls_of(vm, receiver):
        source = f"[ {call}. '' ] on: Exception do: [ :error | error return: '' ]"
        assert simple(vm, run(vm, source, turns=TURNS)) == "", source


def method_of(vm: Machine, primitive: Primitive) -> CompiledMethod:
    method = CompiledMethod("broken", "broken", vm.classes["Object"])
    method.primitive = primitive
    return method


def use(_vm: Machine, receiver: Value) -> Value:
    return receiver.fields[7] + 1


def test_a_primitive_fails_for_what_python_does_not_accept(vm: Machine) -> None:
    method = method_of(vm, use)
    for receiver in (3, vm.string("no fields"), vm.array([])):
        vm.perform(vm.bottom, method, receiver, "broken", [])
        assert (vm.active.method, vm.active.receiver) == (method, receiver)


def test_a_name_that_python_does_not_know_is_a_bug_and_not_a_failure(vm: Machine) -> None:
    def broken(_vm: Machine, _receiver: Value) -> Value:
        return unknown  # type: ignore[name-defined]  # noqa: F821

    with pytest.raises(NameError, match="unknown"):
        vm.perform(vm.bottom, method_of(vm, broken), 3, "broken", [])


def test_every_primitive_takes_the_arguments_of_its_methods(vm: Machine) -> None:
    sides = [side for cls in vm.classes.values() for side in (cls, cls.cls)]
    for method in (method for side in sides for method in side.methods.values()):
        found = re.search(r"<primitive: '(\w+)' module: 'practice'>", method.source)
        if found:
            arguments = [None] * (2 + method.num_args)  # the machine and the receiver come first
            inspect.signature(PRIMITIVES[found[1]]).bind(*arguments)


def test_the_kernel_names_every_primitive_and_no_other(vm: Machine) -> None:
    sides = [side for cls in vm.classes.values() for side in (cls, cls.cls)]
    sources = "".join(method.source for side in sides for method in side.methods.values())
    assert set(re.findall(r"<primitive: '(\w+)' module: 'practice'>", sources)) == set(PRIMITIVES)


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


@pytest.mark.parametrize(("other", "combined"), [("#[255]", [254, 2]), ("#[1 2 3]", [0, 0]), ("#[]", [1, 2])])
def test_bytes_are_combined_as_far_as_both_go(evaluate: Evaluate, other: str, combined: list[int]) -> None:
    assert evaluate(f"(#[1 2] bitXor: {other}) asArray") == combined


@pytest.mark.parametrize(
    ("name", "usual"),
    [("CONTENT-type", "Content-Type"), ("x-3foo-BAR9b", "X-3foo-Bar9b"), ("a_b.c", "A_B.C")],
)
def test_the_name_of_a_header_gets_capitals_after_punctuation_only(
    evaluate: Evaluate, name: str, usual: str
) -> None:
    assert evaluate(f"(ZnHeaders new at: '{name}' put: 'x'; yourself) headers keys asArray") == [usual]
