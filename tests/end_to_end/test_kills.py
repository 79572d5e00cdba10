"""An image that is killed and started again, twenty times under load: nothing runs twice, all is answered."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Lock, Semaphore
from typing import Any

import pytest

from end_to_end.answers import eventually, whole
from programs import PATIENCE, Client, Program, environment

TESTS = Path(__file__).parents[1]
KILLS = 20
CLIENTS, IN_FLIGHT = 3, 2
AWAITED = 3
"""Answers of each image before it is killed."""
# A file for each time, since evaluations that run at once would overwrite one another's lines.
ADD = "('{start}' , Time microsecondClockValue printString) asFileReference"
ADD += " writeStreamDo: [ :stream | stream nextPutAll: 'ran' ]."


class Numbers:
    """Numbers of which calls write files, one each time they run, and what was answered to them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._new = count()
        self._lock = Lock()
        self.answers: dict[int, list[Any]] = {}
        self.done = Semaphore(0)
        self.image_is_there, self.enough = Event(), Event()

    def draw(self, then: str = "") -> tuple[int, str]:
        """A new number, and code that writes its file, does something else and answers it."""
        with self._lock:
            number = next(self._new)
            self.answers[number] = []
        add = ADD.format(start=(self._folder / f"{number} at ").as_posix())
        return number, f"{add} {then} {number}"

    def times(self, number: int) -> int:
        """How often a number was written."""
        return len(list(self._folder.glob(f"{number} at *")))

    def take(self, number: int, result: Any) -> None:
        """Take an answer."""
        self.answers[number].append(result)
        if fate(result) == "done":
            self.done.release()


def fate(result: Any) -> str:
    """What an answer says of its call."""
    told = whole(result)
    if not result.get("isError"):
        return "done"
    if "may have run" in told:
        return "may have run"
    assert re.search("[Nn]othing (of this )?ran", told), told
    return "nothing ran"


@contextmanager
def nursery(home: Path) -> Iterator[Program]:
    """What starts images, whose connection files lie in that home."""
    command = [sys.executable, "-m", "end_to_end.nursery"]
    env = environment(home, PYTHONPATH=str(TESTS))
    with Program(command, env, subprocess.DEVNULL, home) as program:
        yield program
        program.close_input()
        program.wait()


def start_image(nursery: Program) -> int:
    """Start an image, and wait until it listens; its process id."""
    nursery.write(b"\n")
    told = nursery.read_line()
    assert told is not None, "the images cannot be started"
    return int(told)


def keep_calling(home: Path, numbers: Numbers) -> None:
    """Keep some calls in flight until it is enough, then wait for the answers to all, and the end.

    A client that was told that there is no image waits for the next before it calls again.
    """
    in_flight = 0
    with Client(env=environment(home)) as client:
        client.shake_hands()
        while in_flight or not numbers.enough.is_set():
            while in_flight < IN_FLIGHT and not numbers.enough.is_set():
                number, code = numbers.draw()
                client.begin(number, "evaluate", expression=code)
                in_flight += 1
            for answer in take_message(client, numbers):
                in_flight -= 1
                if fate(answer) == "nothing ran":
                    assert numbers.image_is_there.wait(PATIENCE)
        client.close_input()
        while line := client.read_line():
            assert b'"id"' not in line
        assert client.wait() == 0


def take_message(client: Client, numbers: Numbers) -> list[Any]:
    """Take the next message; the answer in it, if it is one."""
    message = client.receive()
    if "id" not in message:
        return []
    numbers.take(message["id"], message["result"])
    return [message["result"]]


@contextmanager
def load(home: Path, numbers: Numbers) -> Iterator[None]:
    """Clients that call all the time, each from a thread of its own by a front end of its own."""
    with ThreadPoolExecutor(CLIENTS) as pool:
        clients = [pool.submit(keep_calling, home, numbers) for _ in range(CLIENTS)]
        try:
            yield
        finally:
            numbers.enough.set()
            numbers.image_is_there.set()
        for client in clients:
            client.result()


def wait_for_more(done: Semaphore, times: int) -> None:
    """Wait until something is done so many times from now on."""
    while done.acquire(blocking=False):
        pass
    for _ in range(times):
        assert done.acquire(timeout=PATIENCE)


def ask(client: Client, numbers: Numbers, then: str = "") -> int:
    """Begin a call; its number."""
    number, code = numbers.draw(then)
    client.begin(number, "evaluate", expression=code, timeout_seconds=100)
    return number


def fate_of(number: int, client: Client, numbers: Numbers) -> str:
    """What the answer to a call says."""
    while not numbers.answers[number]:
        take_message(client, numbers)
    return fate(numbers.answers[number][0])


def kill(image: int, client: Client, numbers: Numbers) -> None:
    """Kill an image while it runs a call that has written its file and goes on."""
    number = ask(client, numbers, then="(Delay forSeconds: 60) wait.")
    eventually(lambda: numbers.times(number) == 1)
    numbers.image_is_there.clear()
    os.kill(image, signal.SIGKILL)
    assert fate_of(number, client, numbers) == "may have run"
    assert fate_of(ask(client, numbers), client, numbers) == "nothing ran"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="its images are forks")
def test_twenty_kills_under_load_run_nothing_twice_and_leave_no_call_without_an_answer(
    tmp_path: Path,
) -> None:
    home, written = tmp_path / "home", tmp_path / "numbers"
    home.mkdir()
    written.mkdir()
    numbers = Numbers(written)
    with nursery(home) as images, Client(env=environment(home)) as client:
        client.shake_hands()
        with load(home, numbers):
            for _ in range(KILLS):
                image = start_image(images)
                numbers.image_is_there.set()
                wait_for_more(numbers.done, AWAITED)
                kill(image, client, numbers)
            start_image(images)
    check(numbers)


def check(numbers: Numbers) -> None:
    """Each number has one answer, which is true."""
    is_true: dict[str, Callable[[int], bool]] = {
        "done": lambda times: times == 1,
        "nothing ran": lambda times: times == 0,
        "may have run": lambda times: times < 2,
    }
    fates: Counter[str] = Counter()
    for number, answers in numbers.answers.items():
        assert len(answers) == 1, f"{number} was answered by {answers}"
        [result] = answers
        told = fate(result)
        assert is_true[told](numbers.times(number)), f"{number} ran {numbers.times(number)} times: {result}"
        fates[told] += 1
    assert fates["may have run"] >= KILLS
    assert set(fates) == set(is_true)
