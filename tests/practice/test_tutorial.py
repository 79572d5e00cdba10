"""What a Pharo tutorial shows in its first half hour, typed in order into one practice image."""

from __future__ import annotations

import re

import pytest

from pharo_practice.machine.machine import Machine
from practice_evaluation import evaluator

COUNTER = [
    ("(Object << #TutorialCounter slots: { #count }; package: 'Tutorial') install", "TutorialCounter"),
    ("TutorialCounter compile: 'count ^ count' classified: 'accessing'", "#count"),
    (
        "TutorialCounter compile: 'count: anInteger count := anInteger' classified: 'accessing'",
        "#count:",
    ),
    (
        "TutorialCounter compile: 'initialize super initialize. count := 0' classified: 'initialization'",
        "#initialize",
    ),
    (
        "TutorialCounter compile: 'increment count := count + 1' classified: 'operations'",
        "#increment",
    ),
    (
        "TutorialCounter compile: 'decrement count := count - 1' classified: 'operations'",
        "#decrement",
    ),
    ("TutorialCounter new", "a TutorialCounter"),
    ("TutorialCounter new increment; increment; decrement; count", "1"),
    (
        "TutorialCounter compile: 'printOn: aStream super printOn: aStream."
        " aStream nextPutAll: '' with value: ''; print: count; nextPut: $.' classified: 'printing'",
        "#printOn:",
    ),
    ("TutorialCounter new increment; yourself", "a TutorialCounter with value: 1."),
    (
        "TutorialCounter class compile: 'startingAt: anInteger ^ self new count: anInteger; yourself'"
        " classified: 'instance creation'",
        "#startingAt:",
    ),
    ("(TutorialCounter startingAt: 5) increment; yourself", "a TutorialCounter with value: 6."),
    (
        "{ TutorialCounter startingAt: 3. TutorialCounter startingAt: 1 } detectMin: #count",
        "a TutorialCounter with value: 1.",
    ),
]

TESTING = [
    (
        "(TestCase << #TutorialCounterTest slots: { #counter }; package: 'Tutorial-Tests') install",
        "TutorialCounterTest",
    ),
    (
        "TutorialCounterTest compile: 'setUp super setUp. counter := TutorialCounter startingAt: 7'"
        " classified: 'running'",
        "#setUp",
    ),
    (
        "TutorialCounterTest compile: 'testIncrement counter increment. self assert: counter count equals: 8'"
        " classified: 'tests'",
        "#testIncrement",
    ),
    (
        "TutorialCounterTest suite run",
        "1 ran, 1 passed, 0 skipped, 0 expected failures, 0 failures, 0 errors,*",
    ),
    (
        "TutorialCounterTest compile: 'testWrong self assert: counter count equals: 8' classified: 'tests'",
        "#testWrong",
    ),
    (
        "TutorialCounterTest compile: 'testBroken counter reset' classified: 'tests'",
        "#testBroken",
    ),
    (
        "TutorialCounterTest suite run",
        "3 ran, 1 passed, 0 skipped, 0 expected failures, 1 failure, 1 error,*",
    ),
    ("TutorialCounterTest suite run failures", "a Set(TutorialCounterTest>>#testWrong)"),
    ("TutorialCounterTest suite run errors", "an OrderedCollection(TutorialCounterTest>>#testBroken)"),
    ("(TutorialCounterTest run: #testIncrement) hasPassed", "true"),
    ("TutorialCounterTest removeSelector: #testBroken", "*"),
    ("TutorialCounterTest testSelectors asSortedCollection asArray", "#(#testIncrement #testWrong)"),
]

COLLECTIONS = [
    ("#(1 2 3) collect: [ :each | each * each ]", "#(1 4 9)"),
    ("(1 to: 10) select: [ :each | each even ]", "#(2 4 6 8 10)"),
    ("#(3 1 2) sorted: [ :a :b | a > b ]", "#(3 2 1)"),
    ("#('pear' 'fig' 'apple') sorted: #size ascending", "#('fig' 'pear' 'apple')"),
    ("(1 to: 10) inject: 0 into: [ :sum :each | sum + each ]", "55"),
    (
        "| all | all := OrderedCollection new. all add: 1; add: 2; addFirst: 0. all",
        "an OrderedCollection(0 1 2)",
    ),
    ("#(1 2 3) detect: [ :each | each > 5 ] ifNone: [ 'none' ]", "'none'"),
    ("(Dictionary new at: #a put: 1; at: #b put: 2; yourself) keys sorted", "#(#a #b)"),
    ("Dictionary new at: #zork", "KeyNotFound: key #zork not found in Dictionary"),
    ("(Set withAll: #(1 1 2)) size", "2"),
    ("'hello' asBag occurrencesOf: $l", "2"),
    ("#(1 $a 'text' #symbol (2 true nil))", "#(1 $a 'text' #symbol #(2 true nil))"),
    ("{ 1 + 1. 'two'. 3 @ 4 }", "{2. 'two'. (3@4)}"),
    ("(1 to: 3) reversed", "#(3 2 1)"),
    ("#(1 2 3 4 5) groupedBy: #odd", "an OrderedDictionary(true->#(1 3 5) false->#(2 4))"),
    ("#(1 2 3) with: #(4 5 6) collect: [ :a :b | a * b ]", "#(4 10 18)"),
    ("#(10 20) at: 3", "SubscriptOutOfBounds: 3 in #(10 20)"),
    ("Stack new push: 1; push: 2; pop", "2"),
]

TEXT = [
    ("'hello' , ' ' , 'world'", "'hello world'"),
    ("'hello' reversed asUppercase", "'OLLEH'"),
    ("'{1} + {2} = {3}' format: { 3. 4. 3 + 4 }", "'3 + 4 = 7'"),
    ("'a,b,c' splitOn: $,", "an OrderedCollection('a' 'b' 'c')"),
    ("', ' join: #('a' 'b')", "'a, b'"),
    ("'it''s' printString", "'''it''''s'''"),
    ("#at:put: numArgs", "2"),
    ("#(1 2 3) collect: #squared", "#(1 4 9)"),
    ("'hello world' substrings collect: #capitalized", "#('Hello' 'World')"),
    ("'Smalltalk' select: #isVowel", "'aa'"),
    ("'42' asInteger + 1", "43"),
    ("$a asUppercase", "$A"),
    ("'' ifEmpty: [ 'nothing' ]", "'nothing'"),
]

STREAMS = [
    ("'one two' readStream upTo: Character space", "'one'"),
    (
        "String streamContents: [ :out | #(1 2 3)"
        " do: [ :each | out print: each ] separatedBy: [ out << ', ' ] ]",
        "'1, 2, 3'",
    ),
    ("| out | out := WriteStream on: String new. out << 'x'; tab; print: 3. out contents", "'x\t3'"),
    ("| in | in := #(1 2 3) readStream. in next. in upToEnd", "#(2 3)"),
]

NUMBERS = [
    ("3 + 4 * 2", "14"),
    ("1 / 3 + (2 / 3)", "1"),
    ("(1 / 3) + 1", "(4/3)"),
    ("100 factorial / 98 factorial", "9900"),
    ("2 ** 100", "1267650600228229401496703205376"),
    ("0.1 + 0.2", "0.30000000000000004"),
    ("-7 // 2", "-4"),
    ("-7 \\\\ 2", "1"),
    ("17 isPrime", "true"),
    ("3.14159 roundTo: 0.01", "3.14"),
    ("16r1F", "31"),
    ("10 printString: 2", "MessageNotUnderstood: *"),
    ("10 printStringBase: 2", "'1010'"),
    ("3 max: 4", "4"),
    ("(3 @ 4) + (1 @ 1)", "(4@5)"),
    ("1 / 0", "ZeroDivide: "),
]

TIME = [
    ("1 hour + 30 minutes", "0:01:30:00"),
    ("(Date year: 2024 month: 2 day: 28) addDays: 2", "1 March 2024"),
    ("(Date readFrom: '29/02/2024' pattern: 'dd/mm/yyyy') dayOfWeekName", "#Thursday"),
    ("(Date year: 2024 month: 3 day: 1) - (Date year: 2024 month: 2 day: 1)", "29:00:00:00"),
    ("'2024-02-29T12:30:00+00:00' asDateAndTime + 1 day", "2024-03-01T12:30:00+00:00"),
    ("Time fromSeconds: 3661", "1:01:01 am"),
    ("Date today < Date tomorrow", "true"),
]

BLOCKS = [
    ("[ :x | x + 1 ] value: 2", "3"),
    ("[ :x :y | x * y ] valueWithArguments: #(3 4)", "12"),
    ("[ :x | x ] value: 1 value: 2", "ArgumentsCountMismatch: *1 argument*"),
    ("3 > 2 ifTrue: [ 'yes' ] ifFalse: [ 'no' ]", "'yes'"),
    ("| n | n := 1. [ n < 100 ] whileTrue: [ n := n * 2 ]. n", "128"),
    ("| sum | sum := 0. 1 to: 10 by: 3 do: [ :i | sum := sum + i ]. sum", "22"),
    ("| log | log := OrderedCollection new. 3 to: 1 by: -1 do: [ :i | log add: i ]. log asArray", "#(3 2 1)"),
    ("nil ifNil: [ 'default' ]", "'default'"),
    (
        "| fib | fib := nil. fib := [ :n | n < 2 ifTrue: [ n ] ifFalse: [ (fib value: n - 1)"
        " + (fib value: n - 2) ] ]. fib value: 15",
        "610",
    ),
    ("[ ^ 3 ] value. 4", "3"),
]

EXCEPTIONS = [
    ("[ 1 / 0 ] on: ZeroDivide do: [ :error | error return: 0 ]", "0"),
    ("[ Error signal: 'oops' ] on: Error do: [ :error | error messageText ]", "'oops'"),
    ("[ (Warning signal: 'hm') + 1 ] on: Warning do: [ :warning | warning resume: 4 ]", "5"),
    (
        "| tries | tries := 0. [ tries := tries + 1. tries < 3 ifTrue: [ Error signal ]. tries ]"
        " on: Error do: [ :error | error retry ]",
        "3",
    ),
    (
        "| log | log := OrderedCollection new. [ [ Error signal ] ensure: [ log add: #ensured ] ]"
        " on: Error do: [ :error | log add: #handled ]. log asArray",
        "#(#handled #ensured)",
    ),
    ("(Error << #TutorialError package: 'Tutorial') install", "TutorialError"),
    ("[ TutorialError signal: 'mine' ] on: TutorialError do: [ :error | error ]", "TutorialError: mine"),
    ("[ 3 zork ] on: MessageNotUnderstood do: [ :error | error message selector ]", "#zork"),
    ("3 zork", "MessageNotUnderstood: *SmallInteger >> #zork*the practice image*"),
    ("nil foo", 'MessageNotUnderstood: receiver of "foo" is nil*'),
    (
        "[ #(1) at: 2 ] on: SubscriptOutOfBounds , ZeroDivide do: [ :error | error class ]",
        "SubscriptOutOfBounds",
    ),
    ("[ Error signal. 5 ] on: Error do: [ :error | error resume: 3 ]", "IllegalResumeAttempt: *"),
    ("TutorialCounter new subclassResponsibility", "SubclassResponsibility: *"),
]

PROCESSES = [
    ("| done value | done := Semaphore new. [ value := 42. done signal ] fork. done wait. value", "42"),
    (
        "| idler | idler := [ Semaphore new wait ] fork. Processor yield. idler terminate; isTerminated",
        "true",
    ),
    ("[ 3 seconds wait. #slept ] valueWithin: 20 milliSeconds onTimeout: [ #woken ]", "#woken"),
    ("| queue | queue := SharedQueue new. [ queue nextPut: #hello ] fork. queue next", "#hello"),
    ("| lock | lock := Mutex new. lock critical: [ lock critical: [ 3 ] ]", "3"),
    ("Processor activePriority = Processor userSchedulingPriority", "true"),
]

REFLECTION = [
    ("3 class", "SmallInteger"),
    ("3 class class", "SmallInteger class"),
    ("3 class class class", "Metaclass"),
    ("TutorialCounter superclass", "Object"),
    ("TutorialCounter selectors sorted", "#(#count #count: #decrement #increment #initialize #printOn:)"),
    ("TutorialCounter slots", "{#count => InstanceVariableSlot}"),
    ("TutorialCounter protocolNames sorted", "#(#accessing #initialization #operations #printing)"),
    ("(TutorialCounter >> #increment) sourceCode", "'increment count := count + 1'"),
    ("TutorialCounter >> #increment", "TutorialCounter>>#increment"),
    ("TutorialCounter new respondsTo: #increment", "true"),
    ("TutorialCounter includesSelector: #size", "false"),
    ("3 perform: #between:and: withArguments: #(1 5)", "true"),
    ("TutorialCounter new instVarNamed: 'count'", "0"),
    ("TutorialCounter package name", "#Tutorial"),
    ("(self packageOrganizer packageNamed: 'Tutorial') definedClasses size", "2"),
    ("(SystemNavigation default allImplementorsOf: #decrement) size", "1"),
    ("SystemNavigation default allSendersOf: #startingAt:", "*TutorialCounterTest>>#setUp*"),
    ("TutorialCounter comment: 'I count.'; comment", "'I count.'"),
    (
        "(TutorialCounter << #TutorialStepCounter slots: { #step }; package: 'Tutorial') install",
        "TutorialStepCounter",
    ),
    ("TutorialCounter subclasses", "{TutorialStepCounter}"),
    ("TutorialStepCounter allInstVarNames", "#(#count #step)"),
    ("TutorialStepCounter new increment; count", "1"),
    ("(Trait << #TTutorialNamed package: 'Tutorial') install", "TTutorialNamed"),
    (
        "TTutorialNamed compile: 'title ^ ''I am '' , self class name' classified: 'accessing'",
        "#title",
    ),
    (
        "((Object << #TutorialNamed traits: { TTutorialNamed }; package: 'Tutorial') install) new title",
        "'I am TutorialNamed'",
    ),
    ("TutorialCounter definitionString lines first", "'Object << #TutorialCounter'"),
    ("thisContext home method selector", "#DoIt"),
    ("Smalltalk compiler evaluate: '3 + 4'", "7"),
]

SYSTEM = [
    ("Transcript show: 'Hello'; cr", "Transcript"),
    ("Smalltalk at: #TutorialGlobal put: 42", "42"),
    ("TutorialGlobal + 1", "43"),
    ("Smalltalk globals removeKey: #TutorialGlobal", "42"),
    ("Smalltalk version", "*practice*"),
]

REMOVING = [
    ("TutorialCounter removeSelector: #decrement", "*"),
    ("TutorialCounter new decrement", "MessageNotUnderstood: *TutorialCounter >> #decrement*"),
    ("TutorialStepCounter removeFromSystem. Smalltalk globals includesKey: #TutorialStepCounter", "false"),
    (
        "{ TutorialCounterTest. TutorialCounter. TutorialNamed. TTutorialNamed } do: #removeFromSystem",
        "*",
    ),
    ("Smalltalk hasClassNamed: #TutorialCounter", "false"),
]

STEPS = [
    *COUNTER,
    *TESTING,
    *COLLECTIONS,
    *TEXT,
    *STREAMS,
    *NUMBERS,
    *TIME,
    *BLOCKS,
    *EXCEPTIONS,
    *PROCESSES,
    *REFLECTION,
    *SYSTEM,
    *REMOVING,
]


@pytest.fixture(scope="module")
def answers(vm: Machine) -> list[str]:
    """What the machine answers, step after step."""
    evaluate = evaluator(vm)
    return [str(evaluate(ANSWER.format(source=source))) for source, _ in STEPS]


ANSWER = """
| print |
print := [ :value | value printString ].
[ print value: [ {source} ] value ]
    on: Error , IllegalResumeAttempt
    do: [ :error | error class name , ': ' , error messageText asString ]
"""


@pytest.mark.parametrize("step", range(len(STEPS)), ids=[source[:60] for source, _ in STEPS])
def test_a_step_of_the_tutorial_answers_as_in_pharo(answers: list[str], step: int) -> None:
    expected = ".*".join(map(re.escape, STEPS[step][1].split("*")))
    assert re.fullmatch(expected, answers[step], re.S), answers[step]
