"""Collections and streams answer the same, be it by a primitive or by the Smalltalk code that follows it."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pharo_standin.machine import Machine
from standin_evaluation import Evaluate

ELEMENTS = (
    "nil",
    "true",
    "3",
    "-1",
    "300",
    "(1 bitShift: 70)",
    "3.0",
    "2.5",
    "(1/2)",
    "$a",
    "(Character value: 960)",
    "#a",
    "'a'",
    "'ab, a' copy",
    "(String with: (Character value: 960))",
    "#(1 2)",
    "#[1 2]",
    "#($a 3)",
    "(String with: Character cr)",
    "Object",
    "(Object >> #yourself)",
    *("#at:put:", "'a:b'", "#->", "'+a'", "'a: '", "'1:'", "'_a1:b:'", "'a::'", "''", "'a1'", "'~'"),
)
ADDING = (
    "a add: {0}",
    "a remove: {0} ifAbsent: [ nil ]",
    "a includes: {0}",
    "a addAll: (1 to: {1})",
)
KEEPING = (
    "a at: {0} put: {1}",
    "a at: {0}",
    "a at: {0} ifAbsent: [ #none ]",
    "a removeKey: {0} ifAbsent: [ nil ]",
    "a includesKey: {0}",
    "1 to: {1} do: [ :each | a at: each printString put: each ]",
)
WRITING = (
    "a nextPut: {0}",
    "a nextPutAll: {0}",
    "a next: {1} putAll: {0} startingAt: 1",
    "a next: 1 putAll: {0} startingAt: {1}",
    "a position: {1}",
    "a contents",
)
READING = (
    "a next",
    "a peek",
    "a peekFor: {0}",
    "a upTo: {0}",
    "a atEnd",
    "a skip: {1} - 9",
    "a next: {1}",
)
COPYING = (
    "{0} numArgs",
    "a copyFrom: {1} - 1 to: {2}",
    "a , {0}",
    "a copyReplaceFrom: {1} to: {2} with: {0}",
    "a indexOf: {0}",
    "a indexOf: {0} startingAt: {1} - 1",
    "a includes: {0}",
    "a copy atAllPut: {0}; yourself",
    "a asString findTokens: {0}",
    "a asString withLineEndings: {0}",
    "a asOrderedCollection addLast: {0}; yourself",
    "{1} between: {0} and: {2}",
    "{1} max: {0}",
)


def source(operations: tuple[str, ...], seed: int, made: str) -> str:
    """Code that makes a collection or stream, works on it, and tells what came of each step."""
    chosen = random.Random(seed)
    steps = (
        chosen.choice(operations).format(chosen.choice(ELEMENTS), chosen.randrange(12), chosen.randrange(12))
        for _ in range(12)
    )
    told = " ".join(f"said add: ([ {step} ] on: Error do: [ :error | error class name ])." for step in steps)
    return f"| a said | said := OrderedCollection new. a := {made}. {told} said printString"


@contextmanager
def without_primitives(vm: Machine, names: tuple[str, ...]) -> Iterator[None]:
    """Let the methods of these classes do with the code that follows a primitive, where there is any."""
    methods = [method for name in names for method in vm.classes[name].methods.values()]
    held = [
        (method, method.primitive)
        for method in methods
        if method.is_compiled and "primitiveFailed" not in method.source
    ]
    for method, _ in held:
        method.primitive = None
    try:
        yield
    finally:
        for method, primitive in held:
            method.primitive = primitive


HASHED = ("Set", "IdentitySet", "HashedCollection", "Dictionary", "IdentityDictionary")
STREAMS = ("PositionableStream", "ReadStream", "WriteStream")
SEQUENCES = ("SequenceableCollection", "OrderedCollection", "String", "Magnitude")
BEGUN = [
    *((ADDING, HASHED, f"{kind} new") for kind in ("Set", "IdentitySet", "Bag")),
    *((KEEPING, HASHED, f"{kind} new") for kind in ("Dictionary", "IdentityDictionary", "OrderedDictionary")),
    *((WRITING, STREAMS, f"WriteStream on: {kind} new") for kind in ("String", "Array", "ByteArray")),
    *((READING, STREAMS, f"{each} readStream") for each in ("'ab, a 3'", "#($a 3 nil #a 'a')", "#[3 1 2]")),
    *((COPYING, SEQUENCES, each) for each in ("'ab, a'", "#[3 1 2 3]", "#($a 3 nil #a 'a' 300)", "#abc")),
]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("operations", "names", "made"), BEGUN, ids=[each[2] for each in BEGUN])
def test_what_is_done_without_primitives_is_the_same(
    vm: Machine, evaluate: Evaluate, operations: tuple[str, ...], names: tuple[str, ...], made: str, seed: int
) -> None:
    program = source(operations, seed, made)
    found = evaluate(program)
    with without_primitives(vm, names):
        assert evaluate(program) == found


@pytest.mark.parametrize("kind", ["Set", "IdentitySet"])
def test_every_element_is_found_again(evaluate: Evaluate, kind: str) -> None:
    lost = evaluate(
        f"""| all |
        all := {kind} new.
        all add: nil; add: 2.5.
        1 to: 60 do: [ :each | all add: each; add: each printString asSymbol; add: Object new ].
        all remove: nil; remove: 30.
        (all reject: [ :each | all includes: each ]) asArray"""
    )
    assert lost == []
