"""Running the SUnit tests of packages, one line of JSON for each test.

Each test is run as Pharo's suites run it, by TestCase>>run:. A test case whose class redefines `run:` or
`perform:` so that the test does not run is an error.
"""

from __future__ import annotations

import json
import re
import sys

from pharo_standin.execution import EvaluationFailed, evaluate
from pharo_standin.machine import Machine
from pharo_standin.objects import Behavior, Pointers

RESULT = "SignallingTestResult"

DEFINE = f"""
(TestResult << #{RESULT} package: 'SUnit-Core-Running') install.
(Smalltalk at: #{RESULT}) compile: 'runCase: aTestCase self runCaseForDebug: aTestCase' classified: 'running'
"""

RUN = f"""
| results suite |
results := OrderedCollection new.
suite := testClass suite.
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


def run_tests(vm: Machine, pattern: str) -> int:
    """Run the tests of every package whose whole name matches a regular expression; 1 if any failed.

    Raises:
        EvaluationFailed: If no package with tests matches, or the pattern is none.
    """
    try:
        classes = find_test_classes(vm, pattern)
    except re.error as error:
        raise EvaluationFailed(f"{pattern} is no regular expression: {error}") from error
    if not classes:
        raise EvaluationFailed(f"no package with tests matches {pattern}")
    evaluate(vm, DEFINE)
    status = 0
    for test_class in classes:
        binding = Pointers(vm.classes["AdditionalBinding"], [vm.symbol("testClass"), test_class])
        for each in evaluate(vm, RUN, bindings={"testClass": binding}).fields:
            selector, outcome, detail = map(vm.text, each.fields)
            line = {"class": test_class.name, "selector": selector, "outcome": outcome, "detail": detail}
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
            if outcome not in ("passed", "skipped"):
                status = 1
    return status


def find_test_classes(vm: Machine, pattern: str) -> list[Behavior]:
    """The test classes of the matching packages that have tests to run, by name."""
    test_case = vm.classes["TestCase"]
    return sorted(
        (
            each
            for each in vm.classes.values()
            if re.fullmatch(pattern, each.package)
            and each.inherits_from(test_case)
            and not evaluate(vm, "self isAbstract", receiver=each)
        ),
        key=lambda each: each.name,
    )
