"""Collections and streams answer the same, be it by a primitive or by the Smalltalk code that follows it."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pharo_practice.machine.machine import Machine
from practice_evaluation import Evaluate, Signalling

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
    "(String with: (Character value: 233))",
    "(String with: (Character value: 960))",
    "(ByteString newAnonymousSubclass new: 1)",
    "#(1 2)",
    "#($a $b)",
    "#[1 2]",
    "#($a 3)",
    "(String with: Character cr)",
    "Object",
    "(Object >> #yourself)",
    *("#at:put:", "'a:b'", "#->", "'+a'", "'a: '", "'1:'", "'_a1:b:'", "'a::'", "''", "'a1'", "'~'"),
)
ADDING = (
    "a add: {0}",
    "a asArray size",
    "a isEmpty",
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
    "a associations size",
    "a keys size",
)
WRITING = (
    "a nextPut: {0}",
    "a nextPutAll: {0}",
    "a next: {1} putAll: {0} startingAt: 1",
    "a next: 1 putAll: {0} startingAt: {1}",
    "a position: {1}",
    "a contents",
    "a nextPutAll: {{ {0}. {0} }} asOrderedCollection",
    "{1} timesRepeat: [ a nextPut: ({0} asString at: 1) ]",
)
ORDERING = (
    "a add: {0}",
    "a addAll: {{ {0}. {0} }}",
    "a addAll: a",
    "a sort; asArray",
    "a addFirst: {0}",
    "a at: {1} - 1",
    "a at: {0}",
    "a indexOf: {0}",
    "a includes: {0}",
    "a removeFirst",
    "a removeLast",
    "a remove: {0}",
    "{1} timesRepeat: [ a add: {0}. a removeFirst ]",
    "a size",
    "a capacity",
    "a asArray",
    "a isEmpty",
    "1 to: {1} do: [ :each | a add: each ]",
)
COMPARING = (
    "a < {0}",
    "a <= {0}",
    "a > {0}",
    "a >= {0}",
    "a sameAs: {0}",
    "a beginsWith: {0}",
    "a includesSubstring: {0}",
    "a findString: {0}",
    "a findString: {0} startingAt: {1} - 1",
    "a substrings: {0}",
    "a join: {{ {0}. 'x'. {0} }}",
    "{0} join: {{ a. 'x'. #y }}",
    "(a , 'B') asUppercase sameAs: a , 'b'",
    "a isEmpty",
    "a includes: {0}",
    "{0} asString includesSubstring: a",
    "{0} abs",
    "#(isLetter isUppercase isLowercase isDigit digitValue asLowercase asUppercase) "
    "collect: [ :each | {0} perform: each ]",
    "a asByteArray hex",
    "a asSymbol asString",
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


def printed_in_a_new_process(source: str) -> str:
    command = [sys.executable, "-m", "pharo_practice", "--print", source]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


@contextmanager
def without_primitives(vm: Machine, names: tuple[str, ...]) -> Iterator[None]:
    """Let the methods of these classes do with the code that follows a primitive, where there is any."""
    sides = [side for name in names for side in (vm.classes[name], vm.classes[name].cls)]
    methods = [method for side in sides for method in side.methods.values()]
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


HASHED = ("Set", "IdentitySet", "HashedCollection", "Dictionary", "IdentityDictionary", "OrderedDictionary")
STREAMS = ("PositionableStream", "ReadStream", "WriteStream")
SEQUENCES = ("Collection", "SequenceableCollection", "OrderedCollection", "String", "Magnitude")
TEXTS = (*SEQUENCES, "Symbol", "Character", "Number", "ByteArray")
BEGUN = [
    *((ADDING, HASHED, f"{kind} new") for kind in ("Set", "IdentitySet", "Bag")),
    *((KEEPING, HASHED, f"{kind} new") for kind in ("Dictionary", "IdentityDictionary", "OrderedDictionary")),
    *((WRITING, STREAMS, f"WriteStream on: {kind} new") for kind in ("String", "Array", "ByteArray")),
    (WRITING, STREAMS, "LimitedWriteStream on: String new limit: 7 limitBlock: [ said add: #limit ]"),
    *((ORDERING, SEQUENCES, f"{kind} new") for kind in ("OrderedCollection", "SortedCollection")),
    *(
        (COMPARING, TEXTS, each)
        for each in ("'ab, a'", "#abc", "''", "(String with: (Character value: 960))")
    ),
    *((READING, STREAMS, f"{each} readStream") for each in ("'ab, a 3'", "#($a 3 nil #a 'a')", "#[3 1 2]")),
    *((COPYING, SEQUENCES, each) for each in ("'ab, a'", "#[3 1 2 3]", "#($a 3 nil #a 'a' 300)", "#abc")),
]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("operations", "names", "made"), BEGUN, ids=[each[2] for each in BEGUN])
def test_collections_without_primitives_behave_the_same(
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


@pytest.mark.parametrize(
    ("kind", "keep", "is_kept"),
    [("Set", "add: each", "includes: each"), ("Dictionary", "at: each put: each", "includesKey: each")],
)
def test_strings_that_hash_themselves_are_found_again(
    evaluate: Evaluate, kind: str, keep: str, is_kept: str
) -> None:
    lost = evaluate(
        f"""| mine strings all |
        mine := (ByteString << #Mine layout: ByteLayout; package: 'Mine') install.
        [ mine compile: 'hash ^ 1'.
        mine compile: '= other ^ self class == other class and: [ self first = other first ]'.
        strings := ($a to: $z) collect: [ :each | mine with: each ].
        all := {kind} new.
        strings do: [ :each | all {keep} ].
        (strings reject: [ :each | all {is_kept} ]) asArray ]
            ensure: [ mine removeFromSystem ]"""
    )
    assert lost == []


@pytest.mark.parametrize("grown", ["Set", "IdentitySet", "Dictionary", "IdentityDictionary"])
def test_a_table_grows_to_the_same_order(vm: Machine, evaluate: Evaluate, grown: str) -> None:
    program = f"""| all |
        all := {grown} new.
        1 to: 70 do: [ :each | (all isDictionary)
            ifTrue: [ all at: each * 37 put: each ] ifFalse: [ all add: each * 37 ] ].
        all asArray printString , all capacity printString"""
    found = evaluate(program)
    with without_primitives(vm, HASHED):
        assert evaluate(program) == found


def test_a_dictionary_that_grows_while_it_is_enumerated_shows_what_came(evaluate: Evaluate) -> None:
    shown = evaluate(
        """| all shown |
        all := Dictionary newFromPairs: #(1 1 2 2 3 3).
        shown := OrderedCollection new.
        all keysDo: [ :each | shown add: each. all at: 4 put: 4 ].
        shown asArray"""
    )
    assert shown == [1, 2, 3, 4]


def test_nil_has_the_same_place_in_every_run() -> None:
    assert len({printed_in_a_new_process("nil identityHash") for _ in range(2)}) == 1


def test_letters_are_the_same_that_sort_alike(evaluate: Evaluate) -> None:
    different = evaluate(
        """| all |
        all := (0 to: 255) collect: [ :each | (Character value: each) asString ].
        (all flatCollect: [ :one | all select: [ :other |
            (one sameAs: other) ~= ((one compare: other caseSensitive: false) = 2) ] ]) asArray"""
    )
    assert different == []


SUBCLASSES = [
    ("OrderedCollection", "addLast: anObject", "^ super addLast: #mine", "add: 3; asArray", "#(#mine)"),
    (
        "OrderedCollection",
        "growAtLast",
        "super growAtLast. array at: 1 put: #mine",
        "addAll: (1 to: 11); first",
        "#mine",
    ),
    ("OrderedCollection", "size", "^ 0", "add: 3; isEmpty", "true"),
    ("Set", "scanFor: anObject", "^ 1", "add: 4; add: 5; asArray", "#(4)"),
    ("Set", "atNewIndex: index put: anObject", "super atNewIndex: index put: 7", "add: 4; asArray", "#(7)"),
    ("Set", "fullCheck", "tally := 9", "add: 4; size", "9"),
    ("Dictionary", "scanFor: anObject", "^ 1", "at: 4 put: 5; at: 6", "5"),
    (
        "OrderedCollection",
        "indexOf: anObject startingAt: start ifAbsent: aBlock",
        "^ 9",
        "includes: 4",
        "true",
    ),
]


@pytest.mark.parametrize(("superclass", "pattern", "body", "messages", "printed"), SUBCLASSES)
def test_a_subclass_that_does_it_otherwise_is_asked(
    evaluate: Evaluate, superclass: str, pattern: str, body: str, messages: str, printed: str
) -> None:
    answer = evaluate(
        f"""| mine |
        mine := ({superclass} << #Mine package: 'Mine') install.
        [ mine compile: '{pattern} {body}'. (mine new {messages}) printString ]
            ensure: [ mine removeFromSystem ]"""
    )
    assert answer == printed


@pytest.mark.parametrize(
    ("superclass", "pattern", "collection", "written", "printed"),
    [
        (
            "WriteStream",
            "pastEndPut: anObject",
            "#()",
            "#(1 2) asOrderedCollection",
            "#(#pastEndPut: #pastEndPut:)",
        ),
        ("WriteStream", "nextPut: anObject", "#()", "#(1 2) asOrderedCollection", "#(#nextPut: #nextPut:)"),
        ("WriteStream", "nextPut: anObject", "(String new: 9)", "#ab", "#(#nextPut: #nextPut:)"),
        (
            "WriteStream",
            "nextPut: anObject",
            "(String new: 9)",
            "'ab' asWideString",
            "#(#nextPut: #nextPut:)",
        ),
        ("WriteStream", "growTo: anInteger", "(String new: 1)", "'ab'", "#(#growTo:)"),
        ("LimitedWriteStream", "pastEndPut: anObject", "#()", "#(1) asOrderedCollection", "#(#pastEndPut:)"),
        ("ReadStream", "reset", "#()", "#(1)", "#(#reset)"),
    ],
)
def test_a_stream_that_does_it_otherwise_is_asked(
    evaluate: Evaluate, superclass: str, pattern: str, collection: str, written: str, printed: str
) -> None:
    answer = evaluate(
        f"""| mine asked |
        asked := Smalltalk at: #AdmittedRequest put: OrderedCollection new.
        mine := ({superclass} << #Mine package: 'Mine') install.
        [ mine compile: '{pattern} AdmittedRequest add: thisContext method selector'.
        [ (mine on: {collection}) nextPutAll: {written} ] on: Error do: [ :error | ].
        asked asArray printString ]
            ensure: [ mine removeFromSystem. Smalltalk globals removeKey: #AdmittedRequest ]"""
    )
    assert answer == printed


def test_an_ordered_dictionary_grows_and_shrinks_as_a_python_one(evaluate: Evaluate) -> None:
    source = """| dictionary |
    dictionary := OrderedDictionary new.
    1 to: 300 do: [ :each |
        dictionary at: each * 37 \\\\ 101 put: each.
        each \\\\ 3 = 0 ifTrue: [ dictionary removeKey: (dictionary keys at: each \\\\ dictionary size + 1) ].
        each \\\\ 50 = 0 ifTrue: [ dictionary := OrderedDictionary new addAll: dictionary; yourself ] ].
    dictionary associations inject: #() into: [ :all :each | all , { each key. each value } ]"""
    expected: dict[int, int] = {}
    for number in range(1, 301):
        expected[number * 37 % 101] = number
        if number % 3 == 0:
            del expected[list(expected)[number % len(expected)]]
    assert evaluate(source) == [part for pair in expected.items() for part in pair]


def test_a_key_without_its_place_in_the_order_is_not_removed(signalling: Signalling) -> None:
    source = """| dictionary |
    dictionary := OrderedDictionary newFromPairs: #( a 1 b 2 ).
    (dictionary instVarNamed: #orderedKeys) remove: #a.
    dictionary removeKey: #a"""
    assert signalling(f"[ {source} ] value")[0] == "SubscriptOutOfBounds"
