"""The practice image as a child process: found, awaited, ended."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest

from image.servers import PATIENCE, TOKEN, companion
from pharo_mcp.app.practice import practice_command
from pharo_mcp.app.stand_in import StandIn, StandInFailed, StandInStarting
from pharo_mcp.image import companion_folder

# Say a line, wait until standard input ends, leave word of that in a file.
CHILD = """
import pathlib, sys
print(sys.argv[1], flush=True)
print("said later", flush=True)
sys.stdin.read()
pathlib.Path(sys.argv[2]).touch()
"""


@contextmanager
def started(*command: str) -> Iterator[StandIn]:
    stand_in = StandIn(lambda: [sys.executable, "-c", *command])
    stand_in.start()
    try:
        yield stand_in
    finally:
        stand_in.stop()


def located_url(stand_in: StandIn) -> str:
    contact = stand_in.locate(monotonic() + PATIENCE)
    contact.close()
    return contact.address.url


@pytest.fixture
def file(tmp_path: Path) -> Iterator[str]:
    """The connection file of an image that answers."""
    with companion() as image:
        told = {"url": image.address.url, "token": TOKEN, "name": "P", "system": "Pharo", "image": "/P.image"}
        file = tmp_path / "file.json"
        file.write_text(json.dumps(told), "utf-8")
        yield str(file)


def test_it_is_found_by_the_connection_file_that_it_names_and_ends_with_its_input(
    file: str, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    with started(CHILD, file, str(left)) as stand_in:
        assert located_url(stand_in) == json.loads(Path(file).read_text("utf-8"))["url"]
        assert not left.exists()
    assert left.exists()


def test_one_that_ends_after_it_has_answered_is_told_with_its_status(file: str) -> None:
    with started("import sys; print(sys.argv[1]); sys.exit(4)", file) as stand_in:
        end = monotonic() + PATIENCE
        while (gone := complaint_or_none(stand_in)) is None:
            assert monotonic() < end
    assert gone.startswith("The practice image is not there: it ended with status 4.")


def complaint_or_none(stand_in: StandIn) -> str | None:
    try:
        located_url(stand_in)
    except StandInFailed as failed:
        return failed.message
    return None


def complaint(stand_in: StandIn) -> str:
    with pytest.raises(StandInFailed) as raised:
        stand_in.locate(monotonic() + PATIENCE)
    return raised.value.message


def test_one_that_ends_before_it_answers_is_told_with_its_status() -> None:
    with started("raise SystemExit(3)") as stand_in:
        assert "it ended with status 3 before it answered" in complaint(stand_in)


def test_one_that_cannot_be_started_is_told_with_the_reason() -> None:
    stand_in = StandIn(lambda: ["/no/such/program"])
    stand_in.start()
    assert "could not be started" in complaint(stand_in)
    stand_in.stop()


def test_one_that_names_no_connection_file_is_told(tmp_path: Path) -> None:
    with started(CHILD, "hello", str(tmp_path / "left")) as stand_in:
        assert "its connection file hello cannot be read" in complaint(stand_in)


def test_one_that_takes_long_is_awaited_no_longer_than_the_call_may_take(tmp_path: Path) -> None:
    with (
        started("import sys; sys.stdin.read()") as stand_in,
        pytest.raises(StandInStarting, match="Ask again"),
    ):
        stand_in.locate(monotonic() + 0.05)


def test_one_that_was_stopped_before_it_started_never_starts() -> None:
    stand_in = StandIn(lambda: ["/no/such/program"])
    stand_in.stop()
    stand_in.start()
    with pytest.raises(StandInStarting):
        stand_in.locate(monotonic() + 0.05)


def test_it_loads_the_companions_own_sources_and_serves_until_its_input_ends() -> None:
    command = practice_command("PharoMcp start", "PharoMcp current url")
    assert command[:5] == [sys.executable, "-m", "pharo_standin", "--load", companion_folder()]
    start, stop = ["--do", "PharoMcp start"], ["--do", "PharoMcp stop"]
    assert command[5:] == [*start, "--print", "PharoMcp current url", "--serve", *stop]
    assert (Path(companion_folder()) / "BaselineOfPharoMcp").is_dir()


def test_a_users_own_folders_are_loaded_behind_the_companion_and_before_it_starts() -> None:
    command = practice_command("PharoMcp start", "PharoMcp current url", ["mine", "yours"])
    assert command[4:10] == [companion_folder(), "--load", "mine", "--load", "yours", "--do"]
