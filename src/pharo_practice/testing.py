"""Running the SUnit tests of packages, or a single test; one line of JSON for each test.

Each test is run as Pharo's suites run it, by TestCase>>run:. A test case whose class redefines `run:` or
`perform:` so that the test does not run is an error.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator

from pharo_practice.compiling.compiler import EvaluationFailed, evaluate
from pharo_practice.machine.machine import Machine
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Behavior, Pointers

RESULT = "SignallingTestResult"

DEFINE = f"""
(TestResult << #{RESULT} package: 'SUnit-Core-Running') install.
(Smalltalk at: #{RESULT}) compile: 'runCase: aTestCase self runCaseForDebug: aTestCase' classified: 'running'
"""

RUN = f"""
| results suite |
results := OrderedCollection new.
suite := testClass suite.
testSelector ifNotNil: [ suite tests removeAllSuchThat: [ :case | case selector ~~ testSelector ] ].
CurrentExecutionEnvironment runTestsBy: [
	[ suite tests do: [ :case |
		| outcome detail result |
		outcome := 'passed'.
		detail := ''.
		result := (Smalltalk at: #{RESULT}) new.
		[
		case run: result.
		result runCount = 1 ifFalse: [ TestResult error signal: 'The test did not run.' ] ]
			on: TestResult skip , TestResult failure , Error , UnhandledException
			do: [ :signalled |
				| original |
				original := (signalled isKindOf: UnhandledError)
					ifTrue: [ signalled exception ]
					ifFalse: [ signalled ].
				outcome := (original isKindOf: TestResult skip)
					ifTrue: [ 'skipped' ]
					ifFalse: [ (TestResult failure handles: original)
						ifTrue: [ 'failed' ]
						ifFalse: [ 'error' ] ].
				detail := String streamContents: [ :stream |
					stream nextPutAll: original description.
					outcome = 'skipped' ifFalse: [
						(original signalerContext stackOfSize: 8) do: [ :context |
							stream lf; tab; nextPutAll: context printString ] ] ] ].
		results add: {{ case selector asString. outcome. detail }} ] ]
			ensure: [ TestResource resetResources: suite resources ] ].
results asArray
"""


def run_tests(vm: Machine, chosen: str) -> int:
    """Run the chosen tests; 1 if any failed.

    `chosen` is a regular expression that matches the whole names of packages, or ``Class>>selector`` for a
    single test.

    Raises:
        EvaluationFailed: If no tests were found.
    """
    name, _, selector = chosen.partition(">>")
    tests = find_test(vm, name, selector) if selector else find_test_classes(vm, chosen)
    evaluate(vm, DEFINE)
    status = 0
    for test_class in tests:
        for line in _outcomes(vm, test_class, selector):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
            if line["outcome"] not in ("passed", "skipped"):
                status = 1
    return status


def _outcomes(vm: Machine, test_class: Behavior, selector: str) -> Iterator[dict[str, str]]:
    """Run the tests of a class, or one of them if a selector is given."""
    variables = {"testClass": test_class, "testSelector": vm.symbol(selector) if selector else None}
    bindings = {
        name: Pointers(vm.classes["AdditionalBinding"], [vm.symbol(name), value])
        for name, value in variables.items()
    }
    for each in evaluate(vm, RUN, bindings=bindings).fields:
        name, outcome, detail = map(vm.valid_text, each.fields)
        yield {"class": test_class.name, "selector": name, "outcome": outcome, "detail": detail}


def find_test(vm: Machine, name: str, selector: str) -> list[Behavior]:
    """The test class of that name, which must have the test or inherit it.

    Raises:
        EvaluationFailed: If there is no such test.
    """
    found = vm.classes.get(name)
    if found is None or not _has_tests(vm, found):
        raise EvaluationFailed(f"{name} is not a test class with tests to run")
    if selector not in map(text_of, evaluate(vm, "self allTestSelectors asArray", receiver=found).fields):
        raise EvaluationFailed(f"{name} has no test {selector}")
    return [found]


def find_test_classes(vm: Machine, pattern: str) -> list[Behavior]:
    """The test classes of the matching packages that have tests to run, by name.

    Raises:
        EvaluationFailed: If no package with tests matches, or the pattern is not a regular expression.
    """
    try:
        matching = [each for each in vm.classes.values() if re.fullmatch(pattern, each.package)]
    except re.error as error:
        raise EvaluationFailed(f"{pattern} is not a valid regular expression: {error}") from error
    found = sorted((each for each in matching if _has_tests(vm, each)), key=lambda each: each.name)
    if not found:
        raise EvaluationFailed(f"no package with tests matches {pattern}")
    return found


def _has_tests(vm: Machine, cls: Behavior) -> bool:
    return cls.inherits_from(vm.classes["TestCase"]) and not evaluate(vm, "self isAbstract", receiver=cls)
