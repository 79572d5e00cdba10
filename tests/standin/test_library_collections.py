"""What the practice image's collections answer: each row is an expression and how Pharo prints its value."""

from __future__ import annotations

import pytest

from standin_evaluation import Printing, Signalling

SEQUENCES = [
    ("#(1 2 3)", "#(1 2 3)"),
    ("#(1 $a 'text' #symbol #(2 3) #[1 2] nil true)", "#(1 $a 'text' #symbol #(2 3) #[1 2] nil true)"),
    ("{ 1. 2 + 3 }", "#(1 5)"),
    ("{ 3 @ 4. 1 -> 2 }", "{(3@4). 1->2}"),
    ("{ Object new }", "an Array(an Object)"),
    ("{ Object }", "{Object}"),
    ("Array new: 3", "#(nil nil nil)"),
    ("Array new: 2 withAll: 7", "#(7 7)"),
    ("Array with: 1 with: 2 with: 3", "#(1 2 3)"),
    ("#(1 2 3) size", "3"),
    ("#(1 2 3) first", "1"),
    ("#(1 2 3) last", "3"),
    ("#(1 2 3 4) first: 2", "#(1 2)"),
    ("#(1 2 3 4) last: 2", "#(3 4)"),
    ("#(1 2 3) allButFirst", "#(2 3)"),
    ("#(1 2 3) allButLast", "#(1 2)"),
    ("#(1 2 3) at: 2", "2"),
    ("#(1 2 3) at: 9 ifAbsent: [ #none ]", "#none"),
    ("#(1 2 3) atWrap: 4", "1"),
    ("#(1 2 3) atLast: 1", "3"),
    ("#(10 20 30) after: 20", "30"),
    ("#(10 20 30) before: 20", "10"),
    ("#(10 20 30) indexOf: 20", "2"),
    ("#(10 20 30) indexOf: 99", "0"),
    ("#(1 2 1) lastIndexOf: 1", "3"),
    ("#(1 2 3) , #(4)", "#(1 2 3 4)"),
    ("#(1 2 3) copyWith: 4", "#(1 2 3 4)"),
    ("#(1 2 3) copyWithFirst: 0", "#(0 1 2 3)"),
    ("#(1 2 1) copyWithout: 1", "#(2)"),
    ("#(1 2 3 4) copyFrom: 2 to: 3", "#(2 3)"),
    ("#(1 2 3 4) copyReplaceAll: #(2 3) with: #(9)", "#(1 9 4)"),
    ("#(1 2 3) reversed", "#(3 2 1)"),
    ("#(3 1 2) sorted", "#(1 2 3)"),
    ("#(3 1 2) sorted: [ :a :b | a > b ]", "#(3 2 1)"),
    ("#('ccc' 'a' 'bb') sorted: #size ascending", "#('a' 'bb' 'ccc')"),
    ("#('ccc' 'a' 'bb') sorted: #size descending", "#('ccc' 'bb' 'a')"),
    ("#('bb' 'a' 'aa') sorted: #size ascending , #yourself ascending", "#('a' 'aa' 'bb')"),
    ("#(1 2 3) collect: [ :each | each * each ]", "#(1 4 9)"),
    ("#(1 2 3) collect: #negated", "#(-1 -2 -3)"),
    ("#(1 2 3 4) select: #even", "#(2 4)"),
    ("#(1 2 3 4) reject: [ :each | each even ]", "#(1 3)"),
    ("#(1 2 3 4) select: #even thenCollect: [ :each | each * 10 ]", "#(20 40)"),
    ("#(1 2 3) collect: [ :each | each * 2 ] as: OrderedCollection", "an OrderedCollection(2 4 6)"),
    ("#(1 2 3) inject: 0 into: [ :sum :each | sum + each ]", "6"),
    ("#(1 2 3 4) reduce: [ :a :b | a - b ]", "-8"),
    ("#(1 2 3 4) reduceRight: [ :a :b | a - b ]", "-2"),
    ("#(1 2 3) detect: [ :each | each > 1 ]", "2"),
    ("#(1 2 3) detect: [ :each | each > 9 ] ifNone: [ nil ]", "nil"),
    ("#(1 2 3 4) detectMax: [ :each | each \\\\ 3 ]", "2"),
    ("#(1 2 3 4) detectMin: [ :each | each \\\\ 3 ]", "3"),
    ("#(1 2 3) anySatisfy: #even", "true"),
    ("#(1 2 3) allSatisfy: #even", "false"),
    ("#(1 3) noneSatisfy: #even", "true"),
    ("#(1 2 3 4) count: #even", "2"),
    ("#(1 2 3) includes: 2", "true"),
    ("#(1 2 3) includesAny: #(9 3)", "true"),
    ("#(1 2 3) includesAll: #(1 9)", "false"),
    ("#(1 2 3) max", "3"),
    ("#(1 2 3) min", "1"),
    ("#(1 2 3) sum", "6"),
    ("#(1 2 3) sum: [ :each | each * 2 ]", "12"),
    ("#() sum: [ :each | each ]", "0"),
    ("#(1 2 4) average", "(7/3)"),
    ("#(1 2 3) + 10", "#(11 12 13)"),
    ("#(1 2 3) * #(2 2 2)", "#(2 4 6)"),
    ("10 - #(1 2)", "#(9 8)"),
    ("#(1 2) with: #(3 4) collect: [ :a :b | a @ b ]", "{(1@3). (2@4)}"),
    ("#(a b) withIndexCollect: [ :each :index | index -> each ]", "{1->#a. 2->#b}"),
    ("#(1 2 3 4) pairsCollect: [ :a :b | a + b ]", "#(3 7)"),
    ("#(1 2 4) overlappingPairsCollect: [ :a :b | b - a ]", "#(1 2)"),
    ("#(1 2 3 4 5) groupsOf: 2 atATimeCollect: [ :a :b | a + b ]", "#(3 7)"),
    ("#(1 2 3) combinations: 2", "#(#(1 2) #(1 3) #(2 3))"),
    (
        "Array streamContents: [ :s | #(1 2 3) permutationsDo: [ :each | s nextPut: each copy ] ]",
        "#(#(1 2 3) #(1 3 2) #(2 1 3) #(2 3 1) #(3 2 1) #(3 1 2))",
    ),
    ("#(1 #(2 #(3))) flattened", "#(1 2 3)"),
    ("#(1 2) flatCollect: [ :each | { each. each } ]", "#(1 1 2 2)"),
    ("#(1 2 3 4) beginsWith: #(1 2)", "true"),
    ("#(1 2 3 4) endsWith: #(3 4)", "true"),
    ("#(1 2 3) = #(1 2 3)", "true"),
    ("#(1 2 3) = #(1 2 3) asOrderedCollection", "false"),
    ("#(1 2 3) hash = #(1 2 3) copy hash", "true"),
    ("#(1 2 3) isEmpty", "false"),
    ("#() ifEmpty: [ #empty ]", "#empty"),
    ("#(1) ifNotEmpty: [ :all | all first ]", "1"),
    ("#(1 2 3) isSorted", "true"),
    ("#(1 9 2 8) polynomialEval: 10", "8291"),
    ("#(1 3 5 7) findBinary: [ :each | 5 - each ]", "5"),
    ("Array new: 2 streamContents: [ :s | s nextPut: 1; nextPut: 2; nextPut: 3 ]", "#(1 2 3)"),
    ("#(1 2 3) displayString", "'an Array [3 items] (1 2 3)'"),
    ("#(1 2) storeString", "'#(1 2)'"),
    ("(OrderedCollection with: 1) storeString", "'((OrderedCollection new) add: 1; yourself)'"),
    ("#(1 2 3) asCommaString", "'1, 2, 3'"),
    ("#(1 2 3) asCommaStringAnd", "'1, 2 and 3'"),
    ("', ' join: #(1 2 3)", "'1, 2, 3'"),
    ("#('a' 'b') joinUsing: '-'", "'a-b'"),
    ("#(0) join: #(#(1) #(2))", "#(1 0 2)"),
    ("#(1 0 2 0 3) splitOn: 0", "an OrderedCollection(#(1) #(2) #(3))"),
    ("#(1 2 3) shuffled asSet = #(1 2 3) asSet", "true"),
    ("1 to: 5", "(1 to: 5)"),
    ("5 to: 1 by: -2", "(5 to: 1 by: -2)"),
    ("(1 to: 5) asArray", "#(1 2 3 4 5)"),
    ("(1 to: 10 by: 3) asOrderedCollection", "an OrderedCollection(1 4 7 10)"),
    ("(1 to: 0) size", "0"),
    ("(1 to: 5) sum", "15"),
    ("(1 to: 5) includes: 3", "true"),
    ("(1 to: 3) + 1", "(2 to: 4)"),
    ("(1 to: 3) = #(1 2 3)", "true"),
    ("(0 to: 1 by: 1/2) asArray", "{0. (1/2). 1}"),
    ("(1 to: 3) collect: [ :each | each * 2 ]", "#(2 4 6)"),
    ("(1 to: 6) select: #even", "#(2 4 6)"),
]

GROWING = [
    ("OrderedCollection new", "an OrderedCollection()"),
    ("OrderedCollection with: 1 with: 2", "an OrderedCollection(1 2)"),
    ("OrderedCollection new add: 1; add: 2; addFirst: 0; yourself", "an OrderedCollection(0 1 2)"),
    ("OrderedCollection new add: 7", "7"),
    ("(1 to: 40) asOrderedCollection removeFirst; removeLast; size", "38"),
    ("(1 to: 5) asOrderedCollection remove: 3; yourself", "an OrderedCollection(1 2 4 5)"),
    ("(1 to: 5) asOrderedCollection removeAt: 2; yourself", "an OrderedCollection(1 3 4 5)"),
    ("(1 to: 5) asOrderedCollection removeAll: #(1 2); yourself", "an OrderedCollection(3 4 5)"),
    ("(1 to: 6) asOrderedCollection removeAllSuchThat: #even; yourself", "an OrderedCollection(1 3 5)"),
    ("(1 to: 3) asOrderedCollection add: 9 beforeIndex: 1; yourself", "an OrderedCollection(9 1 2 3)"),
    ("(1 to: 3) asOrderedCollection add: 9 after: 2; yourself", "an OrderedCollection(1 2 9 3)"),
    ("(1 to: 3) asOrderedCollection addAll: #(4 5); yourself", "an OrderedCollection(1 2 3 4 5)"),
    ("(1 to: 5) asOrderedCollection copyFrom: 2 to: 4", "an OrderedCollection(2 3 4)"),
    ("(1 to: 3) asOrderedCollection , #(4)", "an OrderedCollection(1 2 3 4)"),
    ("(1 to: 3) asOrderedCollection reversed", "an OrderedCollection(3 2 1)"),
    ("#(3 1 2) asOrderedCollection sort", "an OrderedCollection(1 2 3)"),
    ("#(1 1 2 1) asOrderedCollection removeDuplicates; yourself", "an OrderedCollection(1 2)"),
    ("(1 to: 5) asOrderedCollection removeFirst: 2", "#(1 2)"),
    ("(1 to: 5) asOrderedCollection removeLast: 2", "#(4 5)"),
    ("#(3 1 2) asSortedCollection", "a SortedCollection(1 2 3)"),
    ("(#(3 1 2) asSortedCollection: [ :a :b | a > b ])", "a SortedCollection(3 2 1)"),
    ("#(3 1) asSortedCollection add: 2; yourself", "a SortedCollection(1 2 3)"),
    ("#(3 1 2) asSortedCollection collect: #negated", "an OrderedCollection(-1 -2 -3)"),
    ("#(3 1 2) asSortedCollection median", "2"),
    ("#(1 2 3 4) groupedBy: #even", "an OrderedDictionary(false->#(1 3) true->#(2 4))"),
]

UNORDERED = [
    ("Set new", "a Set()"),
    ("#(1 2 2 3) asSet size", "3"),
    ("#(5) asSet", "a Set(5)"),
    ("(#(1 2 3) asSet includes: 2)", "true"),
    ("Set new add: nil; size", "1"),
    ("(Set new add: nil; yourself) includes: nil", "true"),
    ("#(1 2) asSet = #(2 1) asSet", "true"),
    ("(#(1 2 3) asSet intersection: #(3 4)) asArray", "#(3)"),
    ("(#(1 2) union: #(2 3)) sorted", "#(1 2 3)"),
    ("#(1 2 3) difference: #(2)", "#(1 3)"),
    ("((1 to: 200) asSet removeAll: (1 to: 199); yourself)", "a Set(200)"),
    ("(IdentitySet withAll: { 'a'. 'a' copy }) size", "2"),
    ("(Set withAll: { 'a'. 'a' copy. #a }) size", "1"),
    ("(Set withAll: #(1 1.0 2)) size", "2"),
    ("#(1 1 2) asBag occurrencesOf: 1", "2"),
    ("#(1 1 2) asBag size", "3"),
    ("#(1 1 2) asBag sortedCounts", "{2->1. 1->2}"),
    ("Dictionary new", "a Dictionary()"),
    ("Dictionary new at: #a put: 1; yourself", "a Dictionary(#a->1 )"),
    ("Dictionary new at: #a put: 1", "1"),
    ("Dictionary newFrom: { #b -> 2. #a -> 1 }", "a Dictionary(#a->1 #b->2 )"),
    ("{ #a -> 1 } asDictionary at: #a", "1"),
    ("{ #a -> 1 } asDictionary at: #b ifAbsent: [ 0 ]", "0"),
    ("{ #a -> 1 } asDictionary at: #a ifPresent: [ :value | value + 1 ]", "2"),
    ("{ #a -> 1 } asDictionary at: #b ifPresent: [ :value | value ]", "nil"),
    ("Dictionary new at: #a ifAbsentPut: [ 5 ]; yourself", "a Dictionary(#a->5 )"),
    ("{ #a -> 1 } asDictionary at: #a update: [ :value | value + 1 ]; yourself", "a Dictionary(#a->2 )"),
    ("{ #a -> 1 } asDictionary keys", "#(#a)"),
    ("{ #a -> 1 } asDictionary values", "#(1)"),
    ("{ #a -> 1 } asDictionary associations", "{#a->1}"),
    ("{ #a -> 1 } asDictionary includesKey: #a", "true"),
    ("{ #a -> 1 } asDictionary includes: 1", "true"),
    ("{ #a -> 1 } asDictionary keyAtValue: 1", "#a"),
    ("{ #a -> 1 } asDictionary removeKey: #a", "1"),
    ("{ #a -> 1. #b -> 2 } asDictionary collect: [ :each | each * 10 ]", "a Dictionary(#a->10 #b->20 )"),
    ("{ #a -> 1. #b -> 2 } asDictionary select: [ :each | each > 1 ]", "a Dictionary(#b->2 )"),
    ("{ #a -> 1. #b -> 2 } asDictionary sum", "3"),
    ("{ 'a' -> 1 } asDictionary at: #a", "1"),
    ("{ #a -> 1 } asDictionary = { #a -> 1 } asDictionary", "true"),
    (
        "(1 to: 200) inject: Dictionary new into: [ :all :i | all at: i put: i * i. all ]",
        "a Dictionary(size 200)",
    ),
    ("IdentityDictionary new at: 'a' put: 1; at: 'a' copy put: 2; size", "2"),
    ("SmallDictionary new at: #a put: 1; yourself", "a SmallDictionary(#a->1 )"),
    ("OrderedDictionary new at: #b put: 2; at: #a put: 1; yourself", "an OrderedDictionary(#b->2 #a->1)"),
    ("(OrderedDictionary new at: #b put: 2; at: #a put: 1; yourself) keys", "#(#b #a)"),
    ("(OrderedDictionary new at: #b put: 2; removeKey: #b; yourself)", "an OrderedDictionary()"),
    ("#a -> 1", "#a->1"),
    ("(#a -> 1) key", "#a"),
    ("(#a -> 1) = (#a -> 1)", "true"),
    ("(#a -> (1 -> 2)) value", "1->2"),
    ("1 -> 2 -> 3", "1->2->3"),
]

BYTES = [
    ("#[1 2 255]", "#[1 2 255]"),
    ("ByteArray new: 2", "#[0 0]"),
    ("#[1 2] , #[3]", "#[1 2 3]"),
    ("#[0 171 255] hex", "'00abff'"),
    ("ByteArray readHexFrom: '00ABff'", "#[0 171 255]"),
    ("#[1 0] asInteger", "256"),
    ("#[65 66] asString", "'AB'"),
    ("#(1 2) asByteArray", "#[1 2]"),
    ("#[1 2] = #[1 2]", "true"),
    ("#[1 2] = #(1 2)", "false"),
    ("#[1 2 3 4] unsignedLongAt: 1 bigEndian: true", "16909060"),
    ("#[1 2] bitXor: #[3 3]", "#[2 1]"),
]

ERRORS = [
    ("#(1 2) at: 3", "SubscriptOutOfBounds", "3 in #(1 2)"),
    ("#() first", "SubscriptOutOfBounds", "1 in #()"),
    ("OrderedCollection new first", "SubscriptOutOfBounds", "1 in an OrderedCollection()"),
    ("OrderedCollection new removeFirst", "CollectionIsEmpty", "an OrderedCollection() is empty"),
    ("OrderedCollection new remove: 3", "NotFound", "3 not found in OrderedCollection"),
    ("Dictionary new at: #a", "KeyNotFound", "key #a not found in Dictionary"),
    ("Dictionary new removeKey: #a", "KeyNotFound", "key #a not found in Dictionary"),
    ("Dictionary new keyAtValue: 9", "ValueNotFound", "value 9 not found in Dictionary"),
    ("Set new remove: 1", "NotFound", "1 not found in Set"),
    ("#(1 2) with: #(1) do: [ :a :b | ]", "SizeMismatch", "Collections sizes do not match"),
    ("Set new anyOne", "CollectionIsEmpty", "a Set() is empty"),
    ("#(1 2) at: #a", "Error", "only integers should be used as indices"),
    ("#(3) asSortedCollection addFirst: 1", "ShouldNotImplement", None),
    ("#(1 2) add: 3", "ShouldNotImplement", None),
]


@pytest.mark.parametrize(("expression", "printed"), SEQUENCES)
def test_a_sequence_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), GROWING)
def test_a_growing_collection_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), UNORDERED)
def test_an_unordered_collection_answers_as_in_pharo(
    printing: Printing, expression: str, printed: str
) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "printed"), BYTES)
def test_a_byte_array_answers_as_in_pharo(printing: Printing, expression: str, printed: str) -> None:
    assert printing(expression) == printed


@pytest.mark.parametrize(("expression", "error_class", "text"), ERRORS)
def test_what_a_collection_cannot_do_is_signalled_as_in_pharo(
    signalling: Signalling, expression: str, error_class: str, text: str | None
) -> None:
    signalled, described = signalling(expression)
    assert signalled == error_class
    assert text is None or described == text
