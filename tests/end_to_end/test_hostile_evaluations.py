"""Code that tries to take the image away: each call comes back with the truth, and the next is answered."""

import os
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

from end_to_end.answers import eventually, whole
from programs import PATIENCE, Client, environment, running_images

AT_ONCE = 4
"""Practice images that run side by side."""

ENDED = r"The evaluation was terminated after [\d.]+ seconds?\."
PUT_BACK = r"Processes on which the image or pharo-mcp depends had been .* and were restored: "
SEVEN = r"\A7(\n\nChanges? .*)?\Z"
AGAINST_ALL = (
    "Process allInstances do: [ :each | each == Processor activeProcess ifFalse: [ each {what} ] ]. "
)
LOST = r"The answer of the image at \S+ was lost: "
MEMORY = rf"OutOfMemory|{ENDED}|memory of the image had grown"
TALL = r"nested more than 100000 deep|" + ENDED
CLEAN_UP = "(self packageOrganizer packageNamed: 'PmcE2E-Evil') removeFromSystem. 7"
EVIL = (
    "| evil | evil := (Object << #PmcE2EEvil package: 'PmcE2E-Evil') install. "
    "evil methods do: [ :each | each removeFromSystem ]. evil compile: '{method}'. "
)
"""A class with one method; those of the row before are gone."""


class Row(NamedTuple):
    """Code, what its call says, and how long the code may take.

    `only` keeps it from real images (`practice`), or from those that are not copies (`copy`).
    """

    code: str
    told: str
    limit: float = 20.0
    only: str = ""


def endless(code: str, told: str = ENDED, limit: float = 0.5) -> Row:
    """Code that does not come to an end by itself; what has to be done before counts."""
    return Row(code, told, limit)


def practice(code: str, told: str, limit: float = 20.0) -> Row:
    """Code for the practice image alone, since it leaves an image that the other tests cannot work with."""
    return Row(code, told, limit, "practice")


def risky(code: str, told: str, limit: float = 0.5) -> Row:
    """Code on which a virtual machine may end."""
    return Row(code, told, limit, "copy")


OUTLIVED = {
    # loops and forks at each priority
    "a loop": endless("[ true ] whileTrue"),
    "a loop that is less urgent": endless("Processor activeProcess priority: 10. [ true ] whileTrue"),
    "a fork as urgent as evaluations": endless("[ [ true ] whileTrue ] fork. Semaphore new wait"),
    "a fork as urgent as the user interface": endless(
        "[ [ true ] whileTrue ] forkAt: 40. Semaphore new wait"
    ),
    "a fork as urgent as the server": endless("[ [ true ] whileTrue ] forkAt: 60. Semaphore new wait"),
    "a fork more urgent than the server": endless("[ [ true ] whileTrue ] forkAt: 70. Semaphore new wait"),
    "a fork just below the timer": endless("[ [ true ] whileTrue ] forkAt: 79. Semaphore new wait"),
    "processes that take turns": endless(
        "| turn | turn := nil. turn := [ :turns | [ | end | end := Time millisecondClockValue + 50. "
        "[ Time millisecondClockValue < end ] whileTrue. turn value: turns ] forkAt: 79 ]. "
        "turn value: turn; value: turn. Semaphore new wait"
    ),
    "one as urgent as the timer that waits": endless(
        "Processor activeProcess priority: 80. [ (Delay forMilliseconds: 5) wait ] repeat"
    ),
    "forks without number": endless("| f | f := nil. f := [ f fork. f fork ]. f value. Semaphore new wait"),
    "an ensure block that never ends": Row(
        "[ 3 + 4 ] ensure: [ [ true ] whileTrue ]", "could not be terminated", 1
    ),
    "a handler that tries again": endless("[ Error signal ] on: Error do: [ :error | error retry ]"),
    # suspending and lowering
    "it suspends itself": endless("Processor activeProcess suspend"),
    "it suspends all others and ends": Row(AGAINST_ALL.format(what="suspend") + "7", rf"7\n[^7]*{PUT_BACK}"),
    "it suspends all others and waits": endless(
        AGAINST_ALL.format(what="suspend") + "Semaphore new wait", rf"{ENDED}(?s:.*){PUT_BACK}", 2
    ),
    "it suspends all processes": endless("Process allInstances do: [ :each | each suspend ]", ENDED),
    "it suspends all processes of all kinds": endless(
        "Process allSubInstances do: [ :each | each suspend ]", ENDED
    ),
    "it lowers all others": Row(AGAINST_ALL.format(what="priority: 10") + "7", rf"7\n[^7]*{PUT_BACK}"),
    "it lowers all processes": Row(
        "Process allInstances do: [ :each | each priority: 10 ]. 7", rf"7\n[^7]*{PUT_BACK}"
    ),
    # terminating
    "it ends itself": Row("Processor activeProcess terminate", "was terminated from inside the image"),
    "it ends its own job's process": Row(
        "(PmcCurrentJob value instVarNamed: #process) terminate. 7", "was terminated from inside the image"
    ),
    "it ends those that run jobs": Row(
        "(Process allInstances select: [ :each | each name = 'Pharo MCP watch' ]) "
        "do: [ :each | each terminate ]. 7",
        "was terminated from inside the image",
    ),
    "it ends the process that listens": Row(
        "(Process allInstances select: [ :each | each name asString includesSubstring: 'HTTP port' ]) "
        "do: [ :each | each terminate ]. 7",
        SEVEN,
    ),
    "it cancels its own job": Row("PmcCurrentJob value cancel. [ true ] whileTrue", "stopped on request"),
    "it ends all others": Row(AGAINST_ALL.format(what="terminate") + "7", f"{LOST}|from inside|{ENDED}", 0.5),
    "it ends all processes": Row(
        "Process allSubInstances do: [ :each | each terminate ]. 7", f"{LOST}|from inside|{ENDED}", 0.5
    ),
    # contexts
    "it returns from below": Row("thisContext home return: 42", "42"),
    "it jumps to its sender": risky(  # which then answers what its own stack has on top
        "thisContext sender jump", f"{ENDED}|SubscriptOutOfBounds|of class CompiledMethod"
    ),
    "it cuts off its senders": risky("thisContext privSender: nil. 7", ENDED),
    "a block that returns when its home is over": Row(
        "| block | block := [ :x | ^ x ]. [ block value: 3 ] fork. (Delay forMilliseconds: 50) wait. 7",
        r"7\n(?s:.*)BlockCannotReturn",
    ),
    # become:
    "one object becomes another": Row("Object new become: Object new. 7", SEVEN),
    "nil becomes an object": risky("nil become: Object new", "PrimitiveFailed|can't become"),
    "its job becomes another": risky("PmcCurrentJob value become: (PmcJob within: 1 do: [ 3 ]). 7", "."),
    # memory and recursion
    "an array of a thousand million": risky("Array new: 1000000000. 7", MEMORY),
    "arrays without end": endless(
        "| all | all := OrderedCollection new. [ all add: (Array new: 100000) ] repeat", MEMORY
    ),
    "a string that doubles": risky("| s | s := 'a'. [ s := s , s ] repeat", MEMORY),
    "a number that is too large": risky("2 raisedTo: 10000000000", MEMORY),
    "a recursion": endless("| again | again := nil. again := [ again value. 1 ]. again value", TALL),
    "a recursion of sends": endless(EVIL.format(method="down ^ self down") + "evil new down", TALL),
    # printing and the Transcript
    "a value whose printing never ends": endless(
        EVIL.format(method="printOn: s [ true ] whileTrue") + "evil new", "was being printed", 2
    ),
    "a value that prints without end": Row(
        EVIL.format(method="printOn: s [ s nextPutAll: ''evil'' ] repeat") + "evil new", r"(evil){100}"
    ),
    "a value that prints itself": Row(
        EVIL.format(method="printOn: s self printString") + "evil new", "was being printed", 2
    ),
    # objects that answer nothing
    "a value whose class never ends": endless(
        EVIL.format(method="class [ true ] whileTrue") + "evil new",
        "instance of PmcE2EEvil, was being printed",
    ),
    "a variable whose class never ends": endless(
        EVIL.format(method="class [ true ] whileTrue") + "evil := evil new. 1 / 0", f"ZeroDivide|{ENDED}"
    ),
    "a receiver whose class never ends": endless(
        EVIL.format(method="class [ true ] whileTrue")
        + "evil compile: 'loop [ [ true ] whileTrue ] fork. [ true ] whileTrue'. evil new loop",
        rf"{ENDED}(?s:.*)PmcE2EEvil>>loop",
    ),
    "an object whose hash never ends": endless(
        EVIL.format(method="identityHash [ true ] whileTrue")
        + "evil compile: 'hash ^ self identityHash'. evil compile: 'printOn: s s << ''evil'''. evil new",
        r"\Aevil\n",
    ),
    "a Transcript that is flooded": endless("[ Transcript show: 'flood'; cr ] repeat", ENDED),
    "a Transcript line of a million": Row(
        "Transcript show: (String new: 1000000 withAll: $a). 7", r"7\n(?s:.*)last 8,999 of 1,000,000"
    ),
    # asking the person
    "a question": Row("self confirm: 'really?'", "asked the user a question"),
    "a halt": Row("self halt. 7", "reached a halt"),
    # our sockets
    "it closes all sockets": Row("Socket allSubInstances do: [ :each | each closeAndDestroy ]. 7", LOST),
    "it destroys all sockets": Row("Socket allSubInstances do: [ :each | each destroy ]. 7", LOST),
    "it stops our server": Row(
        "PmcZincServer allInstances do: [ :each | each stop ]. 7", f"{LOST}|{ENDED}", 2
    ),
    # redefinitions that do no harm
    "a slower hash": practice("Symbol compile: 'hash ^ 1'. 7", SEVEN),
    "a class of ours is removed": practice("PmcUIInterrupt removeFromSystem. 7", SEVEN),
}
"""What an image survives, be it that what was done is undone."""

MORTAL = {
    "a loop as urgent as the timer": Row("[ [ true ] whileTrue ] forkAt: 80. Semaphore new wait", LOST, 0.5),
    "it quits": Row("Smalltalk exitSuccess", LOST),
    "it quits with a status": Row("Smalltalk exit: 3", LOST),
    "it quits as if from a menu": Row("Smalltalk snapshot: false andQuit: true", rf"is quitting|{LOST}"),
    "its process becomes another object": Row("Processor activeProcess become: Object new. 7", LOST, 0.5),
    "blocks have no value": Row("BlockClosure compile: 'value ^ nil'. 7", f"{LOST}|{ENDED}", 0.5),
    "classes make nothing": Row("Object class compile: 'new ^ nil'. 7", f"{LOST}|{ENDED}", 0.5),
    "there are no arrays": Row("Array removeFromSystem. 7", rf"7|{LOST}", 0.5),
}
"""What ends or hangs a practice image; a successor takes its place."""

BROKEN = {
    "jobs do nothing": Row("PmcJob compile: 'run ^ nil'. 7", SEVEN),
    "nothing is answered": Row("PmcDispatcher compile: 'answer: aRequest ^ nil'. 7", SEVEN),
}
"""What leaves an image that answers every later call wrongly, until it is replaced."""


@pytest.fixture(scope="module", autouse=True)
def no_bugs_are_raised() -> Iterator[None]:
    """Code that breaks contexts makes the practice image's Python fail: then the image has to go on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PHARO_PRACTICE_RAISE_BUGS", raising=False)
        yield


def practising(home: Path) -> Client:
    """A conversation with a practice image that has been started for it."""
    client = Client("--practice", env=environment(home), stderr=subprocess.DEVNULL)
    client.shake_hands()
    assert last_answer(client).startswith("7")
    return client


def last_answer(client: Client) -> str:
    """What the image, or its successor, says at last to a call that it must answer; calls before may fail."""
    said = ""

    def is_answered() -> bool:
        nonlocal said
        said = whole(client.call("evaluate", expression="3 + 4", timeout_seconds=25))
        return said.startswith("7")

    with suppress(AssertionError):  # what is said instead fails the test
        eventually(is_answered, 2 * PATIENCE)
    return said


def told(client: Client, row: Row) -> str:
    """All that the call of a row says."""
    return whole(client.call("evaluate", expression=row.code, timeout_seconds=row.limit))


@pytest.fixture(scope="module")
def fates(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Future[tuple[str, str]]]]:
    """What becomes of each practice image that is to end or hang: much of it is waiting, so side by side."""
    chosen = {item.name for item in request.session.items}
    names = [name for name in MORTAL if f"{SUCCESSOR.__name__}[{name}]" in chosen]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {name: pool.submit(fate, MORTAL[name], tmp_path_factory.mktemp("mortal")) for name in names}


def fate(row: Row, home: Path) -> tuple[str, str]:
    """What the call of a row says, and what later ones say at last."""
    with practising(home) as client:
        return told(client, row), last_answer(client)


@pytest.fixture(scope="module", params=["practice", pytest.param("image", marks=pytest.mark.image)])
def victim(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A conversation with a practice image of its own, or with the real one that runs."""
    if request.param == "practice":
        request.getfixturevalue("fates")  # they take their time meanwhile
        with practising(tmp_path_factory.mktemp("victim")) as client:
            yield client
        return
    [running] = running_images(request.getfixturevalue("real_home"))
    with Client(env=running.env()) as client:
        client.shake_hands()
        yield client
        assert not client.call("evaluate", expression=CLEAN_UP).get("isError")


@pytest.mark.parametrize("name", OUTLIVED)
def test_the_outcome_is_reported_and_the_next_call_is_answered(
    request: pytest.FixtureRequest, victim: Client, name: str
) -> None:
    row = OUTLIVED[name]
    if request.node.callspec.params["victim"] == "image":
        if row.only == "practice":
            pytest.skip("it breaks what the other tests need")
        if row.only == "copy" and os.environ.get("PHARO_MCP_TEST_IMAGE") != "started":
            pytest.skip("a virtual machine may end on it: scripts/test-image")
    assert re.search(row.told, told(victim, row))
    assert last_answer(victim).startswith("7")


@pytest.mark.parametrize("name", MORTAL)
def test_the_outcome_is_reported_and_a_new_image_answers_the_next_call(
    fates: dict[str, Future[tuple[str, str]]], name: str
) -> None:
    said, at_last = fates[name].result()
    assert re.search(MORTAL[name].told, said)
    assert at_last.startswith("7")


SUCCESSOR = test_the_outcome_is_reported_and_a_new_image_answers_the_next_call


@pytest.mark.parametrize("row", BROKEN.values(), ids=BROKEN)
def test_an_image_that_answers_wrongly_is_replaced_after_the_last_change_was_named(
    tmp_path: Path, row: Row
) -> None:
    heard = []

    def hears() -> bool:
        heard.append(told(client, Row("3 + 4", SEVEN)))
        return "was replaced by a fresh one" in heard[-1]

    with practising(tmp_path) as client:
        assert re.search(row.told, told(client, row))
        eventually(hears)
        assert any("The last change of code in the image was of " in each for each in heard)
        assert last_answer(client).startswith("7")
