"""``python -m pharo_practice`` as a program: what it prints, and how it ends."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from pharo_practice.machine.interpreter import RAISE_BUGS
from pharo_practice.machine.limits import STATM
from pharo_practice.program import Action, UsageError, parse_arguments

SECONDS = 60
TEST = """Class { #name : 'TinyTest', #superclass : 'TestCase', #package : 'Tiny-Tests' }

{ #category : 'tests' }
TinyTest >> testFails [
	self assert: 3 equals: 4
]

{ #category : 'tests' }
TinyTest >> testErrs [
	nil zork
]

{ #category : 'tests' }
TinyTest >> testPasses [
	self assert: 3 equals: 3
]

{ #category : 'tests' }
TinyTest >> testSkips [
	self skip: 'not today'
]
"""
CLOSING = (
    "(Object << #Closing package: 'Closing') install. "
    "(Smalltalk at: #Closing) class compile: 'shutDown: aBoolean {}'. "
    "SessionManager default registerUserClassNamed: #Closing"
)
"""What a class does when the image quits."""


def practice(
    *arguments: str, input_text: str | None = None, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pharo_practice", *arguments],
        input=input_text,
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )


def test_options_are_done_in_their_order() -> None:
    ended = practice(
        "--print", "3 + 4", "--do", "Smalltalk globals at: #X put: 5", "--print", "Smalltalk globals at: #X"
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "7\n5\n", "")


GROW = "[ s := 'x'. 40 timesRepeat: [ s := s , s ]. s ] on: OutOfMemory do: [ :error | {} ]"


@pytest.mark.skipif(not os.path.exists(STATM), reason="how much is held is told only here")
def test_the_memory_may_be_limited_and_what_exceeds_it_leaves_the_image_as_it_was() -> None:
    grown = GROW.format("s size < 20000000")
    ended = practice("--memory", "16", "--print", f"| s | {grown}", "--print", "3 + 4")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "true\n7\n", "")


def test_a_limit_of_memory_is_a_number_of_megabytes() -> None:
    ended = practice("--memory", "much")
    assert (ended.returncode, ended.stderr) == (1, "much is not a number of megabytes\n")


def test_an_evaluation_that_keeps_taking_memory_ends_with_a_sentence() -> None:
    down = "| down | down := nil. down := [ [ down value + 1 ] on: OutOfMemory do: [ :e | down value ] ]."
    ended = practice("--do", f"{down} down value")
    assert ended.returncode == 1
    assert "the evaluation ran out of memory and did not stop at OutOfMemory" in ended.stderr


@pytest.mark.parametrize(("code", "shown"), [("16rD800", "\\ufffd"), ("16rE9", "\\xe9")])
def test_characters_that_standard_output_cannot_encode_are_escaped(code: str, shown: str) -> None:
    encoding = {**os.environ, "PYTHONIOENCODING": "ascii"}
    ended = practice("--print", f"String with: (Character value: {code})", environment=encoding)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, shown + "\n", "")


@pytest.mark.parametrize("code", ["16rD800", "16rDFFF", "16r110000", "16r3FFFFFFF"])
def test_what_is_not_unicode_is_printed_as_the_replacement_character(code: str) -> None:
    text = f"String with: $a with: (Character value: {code}) with: $b"
    ended = practice("--print", text, "--do", f"Stdio stderr nextPutAll: ({text}); nextPut: ({text}) second")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "a\ufffdb\n", "a\ufffdb\ufffd")


def test_an_error_with_characters_that_are_not_unicode_is_reported() -> None:
    ended = practice("--do", "[ Error signal: (Character value: 16r110000) asString ] fork. Processor yield")
    assert "Error: \ufffd" in ended.stderr


def test_a_printed_value_is_one_line() -> None:
    assert practice("--print", "'a' , String cr , 'b'").stdout == "a b\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--print", "3 +"], "Variable or expression expected"),
        (["--print", "zork"], "Undeclared variable"),
        (["--do", "1/0"], "ZeroDivide"),
        (["--do", "Smalltalk globals at: #Stdio put: nil", "--do", "1/0"], "ZeroDivide"),
        (["--do", "Stdio class compile: 'stderr ^ self error'", "--do", "1/0"], "ZeroDivide"),
        (["--do", "Smalltalk globals at: #Smalltalk put: nil. 1/0"], "ZeroDivide\n\tSmallInteger>>/"),
        (["--do", "[ 1/0 ] fork. (Delay forSeconds: 9) wait"], "ZeroDivide"),
        (["--do", "Semaphore new wait"], "nothing will wake"),
        (["--load", "/nowhere"], "no Tonel package in /nowhere"),
        (["--test", "Nothing-.*"], "no package with tests matches"),
        (["--test", "("], "( is not a valid regular expression"),
        (["--test", "ZorkTest>>testZork"], "ZorkTest is not a test class with tests to run"),
        (["--test", "Object>>testZork"], "Object is not a test class with tests to run"),
        (["--test", "TestCase>>run"], "TestCase is not a test class with tests to run"),
        (["--zork"], "unknown option --zork"),
        (["--print"], "--print needs a value"),
    ],
)
def test_errors_are_reported_on_stderr_with_status_1(arguments: list[str], said: str) -> None:
    ended = practice(*arguments)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_image_may_choose_its_status() -> None:
    assert practice("--do", "Smalltalk exit: 3").returncode == 3


@pytest.mark.parametrize(
    "meanwhile", ["[ [ true ] whileTrue ] forkAt: 70", "(Smalltalk at: #Asker) terminate"]
)
def test_quitting_goes_on_whatever_other_processes_do(meanwhile: str) -> None:
    quitting = "Smalltalk at: #Asker put: Processor activeProcess; snapshot: false andQuit: true"
    ended = practice("--do", CLOSING.format(meanwhile), "--do", quitting)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.fixture
def tiny_tests(tmp_path: Path) -> str:
    """A folder with a package of four tests."""
    folder = tmp_path / "Tiny-Tests"
    folder.mkdir()
    (folder / "package.st").write_text("Package { #name : 'Tiny-Tests' }")
    (folder / "TinyTest.class.st").write_text(TEST)
    return str(tmp_path)


def test_what_was_loaded_is_reported_unless_it_was_preloaded(tiny_tests: str) -> None:
    ended = practice("--load", tiny_tests, "--print", "3 + 4")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "7\n", "Loaded Tiny-Tests (1 class)\n")
    assert practice("--preload", tiny_tests).stderr == ""


@pytest.mark.parametrize(
    ("selector", "outcome", "status"), [("testPasses", "passed", 0), ("testErrs", "error", 1)]
)
def test_a_single_test_is_run_alone(tiny_tests: str, selector: str, outcome: str, status: int) -> None:
    ended = practice("--load", tiny_tests, "--test", f"TinyTest>>{selector}")
    [line] = [json.loads(line) for line in ended.stdout.splitlines()]
    assert (line["class"], line["selector"], line["outcome"]) == ("TinyTest", selector, outcome)
    assert ended.returncode == status


@pytest.mark.parametrize("selector", ["testZork", "assert:"])
def test_a_single_test_must_exist(tiny_tests: str, selector: str) -> None:
    ended = practice("--load", tiny_tests, "--test", f"TinyTest>>{selector}")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr == f"Loaded Tiny-Tests (1 class)\nTinyTest has no test {selector}\n"


def test_tests_are_reported_one_by_one(tiny_tests: str) -> None:
    ended = practice("--load", tiny_tests, "--test", "Tiny-.*")
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [(line["class"], line["selector"], line["outcome"]) for line in lines] == [
        ("TinyTest", "testErrs", "error"),
        ("TinyTest", "testFails", "failed"),
        ("TinyTest", "testPasses", "passed"),
        ("TinyTest", "testSkips", "skipped"),
    ]
    assert "was sent to nil" in lines[0]["detail"]
    assert ended.returncode == 1


def test_serving_ends_with_standard_input_and_then_goes_on() -> None:
    ended = practice("--serve", "--print", "3 + 4", input_text="ignored\n")
    assert (ended.returncode, ended.stdout) == (0, "7\n")


def test_the_end_of_serving_waits_for_no_other_process() -> None:
    closing = "[ [ Smalltalk includesKey: #Closed ] whileFalse ] forkAt: 70. Smalltalk at: #Closed put: 7"
    ended = practice(
        "--do", CLOSING.format(closing), "--serve", "--print", "Smalltalk at: #Closed", input_text=""
    )
    assert (ended.returncode, ended.stdout) == (0, "7\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_serving_ends_with_a_signal_and_then_goes_on(number: signal.Signals) -> None:
    command = [sys.executable, "-m", "pharo_practice", "--print", "1", "--serve", "--print", "2"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "1\n"
        process.send_signal(number)
        output, _ = process.communicate(timeout=SECONDS)
    assert output in ("2\n", "")
    assert process.returncode in (128 + number, 0, 130)


def test_an_idle_image_uses_no_time() -> None:
    source = "| s | s := Semaphore new. [ (Delay forMilliseconds: 300) wait. s signal ] fork. s wait. 3"
    assert practice("--print", source).stdout == "3\n"


def test_arguments_become_actions() -> None:
    assert parse_arguments(["--load", "a", "--serve"]) == [Action("--load", "a"), Action("--serve")]
    with pytest.raises(UsageError):
        parse_arguments(["load"])


@pytest.mark.parametrize("name", ["printStringRoman", "ScaledDecimal"])
def test_the_name_of_a_method_or_class_is_a_symbol_before_anybody_uses_it(name: str) -> None:
    run = practice("--print", f"(Symbol findInterned: '{name}') notNil")
    assert run.stdout.strip() == "true"


BROKEN = """
import sys
from pharo_practice import program
def broken(vm, action):
    raise KeyError("something that nobody has expected")
program.PERFORM["--do"] = broken
sys.exit(program.main(sys.argv[1:]))
"""


def test_a_bug_of_ours_has_its_traceback_in_a_log() -> None:
    environment = {name: value for name, value in os.environ.items() if name != RAISE_BUGS}
    ended = subprocess.run(
        [sys.executable, "-c", BROKEN, "--do", "3"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert ended.returncode == 70
    assert ended.stderr.startswith("the practice image failed\nTraceback")
