"""Mutants in a real Pharo leave nothing, saved, killed or run to the end: `pytest -m image`, on a copy."""

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from end_to_end import test_pharo_saving
from end_to_end.answers import eventually, found, value, whole
from pharo_mcp.app.own_images import command_to_run
from programs import Client, LiveImage, environment, running_images

pytestmark = test_pharo_saving.pytestmark
MACHINE = os.environ.get("PHARO_MCP_TEST_VM", "")
KILLS = int(os.environ.get("PHARO_MCP_KILLS", "20"))
MUTANTS = 1000
START = Path(__file__).parents[2] / "pharo" / "start-headless.st"
CODE = "(PmcLookup packageNamed: 'STON-Core') methods asArray"
KEPT = "pmcMadeMethods"
"""The variable that keeps the methods."""
INSTALLED = "PmcMutant allInstances anySatisfy: [ :each | each isInstalled ]"
UNCHANGED = f"{KEPT} allSatisfy: [ :each | each methodClass >> each selector == each ]"
BYTES = f"""(String lf join: ({CODE} collect: [ :each |
    {{ each methodClass name. each selector. PmcMethodCopy of: each.
       (each initialPC to: each endPC) collect: [ :index | each at: index ] }} printString ]) sort) hash"""
"""What the methods do, as a number that is the same in each start of an image."""
COLLECT = "3 timesRepeat: [ Smalltalk garbageCollect ]. "
LEFT = f"{COLLECT}PmcMethodCopy allSubInstances size + PmcMethodReplacement allSubInstances size"
BYTES_IN_USE = f"{COLLECT}(Smalltalk vm parameterAt: 3) - (Smalltalk vm parameterAt: 54)"
"""All memory without what is free in the old space."""
PROCESSES = f"""{COLLECT}(Process allInstances reject: [ :each |
    each isTerminated or: [ each name asString includesSubstring: 'HTTP worker' ] ]) size"""
"""Without those that serve a connection: clients open and close these. A job that just answered counts."""
FOLLOWED = 120
"""Waits of 40 seconds for a run at most."""


@pytest.fixture
def kept(client: Client) -> Iterator[Client]:
    """A conversation with an image that remembers its methods, until the test is over."""
    value(client, f"{KEPT} := {CODE}. 7")
    yield client
    value(client, f"{KEPT} := nil. 7")


@pytest.fixture
def copied(client: Client, tmp_path: Path) -> Path:
    """A copy of the image's file, as it was saved with the companion."""
    file = Path(value(client, "Smalltalk imagePath").strip("'"))
    for each in (file, file.with_suffix(".changes"), *file.parent.glob("*.sources")):
        shutil.copy2(each, tmp_path)
    return tmp_path / file.name


@contextmanager
def opened(file: Path, home: Path) -> Iterator[LiveImage]:
    """The image in a file, started, with its connection file in a home of its own; killed in the end.

    The machine may be a script that starts another program.
    """
    home.mkdir()
    command = command_to_run(MACHINE, str(file), str(START), headless=True)
    with subprocess.Popen(
        command, cwd=home, env=environment(home), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as program:
        try:
            eventually(lambda: running_images(home) != [])
            [image] = running_images(home)
            yield image
            os.kill(image.connection["pid"], signal.SIGKILL)
        finally:
            program.kill()


@pytest.mark.skipif(not MACHINE, reason="it starts images of its own: scripts/test-image")
def test_an_image_killed_amid_mutants_has_every_method_as_it_was(copied: Path, tmp_path: Path) -> None:
    seen = set()
    for turn in range(KILLS + 1):
        with opened(copied, tmp_path / f"{turn}") as image, Client(env=image.env()) as client:
            client.shake_hands()
            seen.add(value(client, BYTES))
            if turn < KILLS:
                begin_mutants(client)
            if turn % 2:
                test_pharo_saving.save(client, image)
    assert len(seen) == 1


def test_a_thousand_mutants_leave_nothing(kept: Client) -> None:
    left, processes, used = (int(value(kept, each)) for each in (LEFT, PROCESSES, BYTES_IN_USE))
    shown = at_the_end(
        kept, kept.call("run_tests", tests=["STON-Tests"], mutate=["STON-Core"], timeout_seconds=3600)
    )
    tried = re.search(r"Noticed by the tests: [\d,]+ of ([\d,]+) mutants", shown)
    assert tried, shown
    assert int(tried[1].replace(",", "")) > MUTANTS
    assert value(kept, UNCHANGED) == "true"
    assert value(kept, f"{CODE} size = {KEPT} size") == "true"
    eventually(lambda: int(value(kept, PROCESSES)) <= processes)
    assert int(value(kept, LEFT)) == left
    assert int(value(kept, BYTES_IN_USE)) < used + 5_000_000


def begin_mutants(client: Client) -> None:
    """Begin a run of tests with mutants, and return when one is installed."""
    client.begin("mutants", "run_tests", tests=["STONReaderTest"], mutate=["STON-Core"])
    eventually(lambda: value(client, INSTALLED) == "true")


def at_the_end(client: Client, result: object) -> str:
    """What a run of tests comes to, however long it takes within a bound."""
    for _ in range(FOLLOWED):
        if not whole(result).startswith("Still running"):
            break
        evaluation = found(r"e-[0-9a-f]+", result)
        result = client.call("get_evaluation", evaluation_id=evaluation, wait_seconds=40)
    return whole(result)


def test_a_save_takes_back_the_mutants_of_a_run(kept: Client, image: LiveImage) -> None:
    for _ in range(3):
        with Client(env=image.env()) as other:
            other.shake_hands()
            begin_mutants(other)
            test_pharo_saving.save(kept, image)
            assert value(kept, UNCHANGED) == "true"
            other.receive()
        assert value(kept, UNCHANGED) == "true"
