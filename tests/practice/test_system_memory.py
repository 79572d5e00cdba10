"""All objects of the practice image, their sizes, and who points to them."""

import pytest

from practice_evaluation import Printing

SIZES = [
    ("Point byteSizeOfInstance", "24"),
    ("(Array byteSizeOfInstanceOfSize: 3)", "32"),
    ("(Array byteSizeOfInstanceOfSize: 300)", "2416"),
    ("Object new sizeInMemory", "16"),
    ("'abc' copy sizeInMemory", "16"),
    ("(ByteArray new: 9) sizeInMemory", "24"),
    ("{ 3. $a. 1.5 } collect: [ :each | each sizeInMemory ]", "#(0 0 0)"),
]
REFERENCES = [
    ("| one | one := Object new. { one } pointsTo: one", "true"),
    ("| one | one := Object new. { one } pointsTo: 3", "false"),
    ("(3 @ 4) pointsTo: Point", "true"),
    ("(3 @ 4) instVarsInclude: 4", "true"),
    ("(Object >> #printString) instVarsInclude: 3", "false"),
    ("| one all | one := Array new: 3. all := { one }. (one pointersTo identityIncludes: all)", "true"),
    ("| one | one := Object new. SystemNavigation default allObjects identityIncludes: one", "true"),
    ("| block | block := [ :x | x ]. FullBlockClosure allInstances identityIncludes: block", "true"),
    ("CompiledMethod allInstances identityIncludes: Object >> #printString", "true"),
    ("Object class allInstances", "{Object}"),
    ("CompiledMethod allInstances allSatisfy: [ :each | each methodClass notNil ]", "true"),
    ("| many | many := (1 to: 7) collect: [ :each | each @ 0 ]. Point instanceCount >= many size", "true"),
    (
        "| many | many := (1 to: 7) collect: [ :each | each @ 0 ]. Point instancesSizeInMemory >= (7 * 24)",
        "true",
    ),
]
KINDS = [
    ("CompiledMethod isBits", "true"),
    ("SmallInteger isImmediateClass", "true"),
    ("3 isImmediateObject", "true"),
    ("Object new isImmediateObject", "false"),
    ("WeakArray isEphemeronClass", "false"),
]
MIRRORS = [
    ("thisContext object: 3 @ 4 instVarAt: 2", "4"),
    ("thisContext object: #(5 6) basicAt: 2", "6"),
    ("thisContext objectSize: 'abc'", "3"),
    ("thisContext objectSize: 3 @ 4", "0"),
    ("thisContext object: thisContext instVarAt: 6", "nil"),
    ("[ :each | each ] instVarAt: 3", "1"),
]


@pytest.mark.parametrize(("expression", "answer"), [*SIZES, *REFERENCES, *KINDS, *MIRRORS])
def test_it_answers_as_pharo_does(printing: Printing, expression: str, answer: str) -> None:
    assert printing(expression) == answer
