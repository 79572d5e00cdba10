"""The practice image as a child process: found, awaited, replaced, ended."""

import json
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from image.servers import STATUS, TOKEN, Remembering, Reply, companion, nobodys_port, value
from pharo_mcp.app.own_images import PRACTICE_RULES, practice_image
from pharo_mcp.app.replacing import REPLACEMENTS, ImageNotThere, ImageStarting, ReplaceableImage
from pharo_mcp.image.errors import ImageUnreachable, NothingRan
from pharo_mcp.image.loading import COMPANION, START, companion_folder, practice_command
from programs import PATIENCE

# Write a connection file with the number of the process, wait until standard input ends, leave word of that.
CHILD = """
import json, os, pathlib, sys
told, left = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
members = {**json.loads(told.read_text("utf-8")), "pid": os.getpid()}
told.with_name(f"{os.getpid()}.json").write_text(json.dumps(members), "utf-8")
sys.stdin.read()
left.touch()
"""


@contextmanager
def started(folder: Path, *command: str) -> Iterator[ReplaceableImage]:
    practice = practice_image(lambda: [sys.executable, "-c", *command], str(folder))
    practice.start()
    try:
        yield practice
    finally:
        practice.stop()


def located_url(practice: ReplaceableImage) -> str:
    connection = practice.locate(monotonic() + PATIENCE)
    connection.close()
    return connection.address.url


@pytest.fixture
def file(tmp_path: Path) -> Iterator[str]:
    """What an image writes into its connection file, but the number of its process: it answers there."""
    with companion() as image:
        yield connection_file(tmp_path, image.address.url)


def test_it_is_found_by_its_connection_file_and_ends_with_its_input(file: str, tmp_path: Path) -> None:
    left = tmp_path / "left"
    with started(tmp_path, CHILD, file, str(left)) as practice:
        assert located_url(practice) == json.loads(Path(file).read_text("utf-8"))["url"]
        assert not left.exists()
    assert left.exists()


def complaint(practice: ReplaceableImage) -> str:
    with pytest.raises(ImageNotThere) as raised:
        practice.locate(monotonic() + PATIENCE)
    return raised.value.message


def test_an_image_that_keeps_ending_before_it_answers_is_reported_with_its_status(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    script = "import sys; open(sys.argv[1], 'a').write('x'); sys.exit(3)"
    with started(tmp_path, script, str(starts)) as practice:
        told = complaint(practice)
        assert told.startswith(
            "The practice image is not available: it ended with status 3 before its companion answered. "
            "Nothing ran."
        )
        assert "It was replaced 3 times within a minute. A call in a minute starts it again." in told
        assert complaint(practice) == told
    assert starts.read_text() == "x" * (1 + REPLACEMENTS)


@contextmanager
def silent_image(folder: Path) -> Iterator[str]:
    """The connection file of an image that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield connection_file(folder, f"http://127.0.0.1:{server.getsockname()[1]}")


def connection_file(folder: Path, url: str) -> str:
    told = {"url": url, "token": TOKEN, "name": "P", "system": "Pharo", "image": "/P.image"}
    file = folder / f"{url.rpartition(':')[2]}.told"
    file.write_text(json.dumps(told), "utf-8")
    return str(file)


@contextmanager
def succession(
    left: Path, *files: str, silence: float = PRACTICE_RULES.silence
) -> Iterator[ReplaceableImage]:
    """Practice images one after another, each of which names one of these connection files."""
    commands = [[sys.executable, "-c", CHILD, file, str(left)] for file in files]
    practice = practice_image(
        lambda: commands.pop(0), str(left.parent), PRACTICE_RULES._replace(silence=silence)
    )
    practice.start()
    try:
        yield practice
    finally:
        practice.stop()


def test_an_image_that_does_not_answer_is_replaced_and_that_is_reported(file: str, tmp_path: Path) -> None:
    nobody = connection_file(tmp_path, f"http://127.0.0.1:{nobodys_port()}")
    with succession(tmp_path / "left", nobody, file, silence=0.1) as practice:
        connection = practice.locate(monotonic() + PATIENCE)
        connection.close()
    assert connection.address.url == json.loads(Path(file).read_text("utf-8"))["url"]
    assert connection.replacement is not None
    assert connection.replacement.startswith(
        "The practice image was replaced by a fresh one: it did not answer for 0 seconds and was "
        "ended. All that was in it is lost"
    )


DYING = CHILD.replace("sys.stdin.read()", "import time; time.sleep(0.5); sys.exit(4)")


def test_an_image_that_ended_is_replaced_and_its_status_reported(file: str, tmp_path: Path) -> None:
    nobody = connection_file(tmp_path, f"http://127.0.0.1:{nobodys_port()}")
    dying = [sys.executable, "-c", DYING, nobody, str(tmp_path / "left")]
    commands = [dying, [sys.executable, "-c", CHILD, file, str(tmp_path / "left")]]
    practice = practice_image(lambda: commands.pop(0), str(tmp_path))
    practice.start()
    try:
        connection = practice.locate(monotonic() + PATIENCE)
    finally:
        practice.stop()
    connection.close()
    assert connection.replacement is not None
    assert "replaced by a fresh one: it ended with status 4." in connection.replacement


def test_one_that_hangs_is_ended_and_replaced(file: str, tmp_path: Path) -> None:
    with (
        silent_image(tmp_path) as silent,
        succession(tmp_path / "left", silent, file, silence=0.1) as practice,
    ):
        connection = practice.locate(monotonic() + PATIENCE)
        connection.close()
    assert connection.replacement is not None
    assert "it did not answer for 0 seconds and was ended" in connection.replacement


def test_one_that_is_silent_for_a_moment_is_left_in_peace(tmp_path: Path) -> None:
    goes_on = Event()

    def late(_: object) -> Reply:
        goes_on.wait(PATIENCE)
        return value(STATUS)

    with (
        companion(status=Remembering(lambda _: value(STATUS), late)) as image,
        started(
            tmp_path, CHILD, connection_file(tmp_path, image.address.url), str(tmp_path / "left")
        ) as practice,
    ):
        located_url(practice)
        with pytest.raises(NothingRan, match="did not answer a status request in time"):
            practice.locate(monotonic() + 0.5)
        goes_on.set()
        assert located_url(practice) == image.address.url


def test_one_that_has_not_answered_yet_is_still_starting(tmp_path: Path) -> None:
    with silent_image(tmp_path) as silent, succession(tmp_path / "left", silent) as practice:
        for _ in range(2):  # when it is known where it answers, too
            with pytest.raises(ImageStarting, match="is still starting"):
                practice.locate(monotonic() + 1)


# Writes another connection file when the first one was found, as a companion that is started again does.
RESTARTING = CHILD.replace(
    "sys.stdin.read()",
    """
import time
time.sleep(0.5)
told.with_name("again.json").write_text(json.dumps({**members, "url": sys.argv[3]}), "utf-8")
sys.stdin.read()
""",
)


def test_one_whose_companion_was_started_again_is_found_where_it_answers_now(
    file: str, tmp_path: Path
) -> None:
    url = json.loads(Path(file).read_text("utf-8"))["url"]
    nobody = connection_file(tmp_path, f"http://127.0.0.1:{nobodys_port()}")
    with started(tmp_path, RESTARTING, nobody, str(tmp_path / "left"), url) as practice:
        connection = practice.locate(monotonic() + PATIENCE)
        connection.close()
    assert connection.address.url == url
    assert connection.replacement is None


def test_looking_for_an_image_replaces_none(tmp_path: Path) -> None:
    nobody = connection_file(tmp_path, f"http://127.0.0.1:{nobodys_port()}")
    with succession(tmp_path / "left", nobody) as practice:
        for _ in range(2):
            with pytest.raises(ImageUnreachable):
                practice.look(monotonic() + PATIENCE)


def test_two_who_find_it_gone_at_once_replace_it_once(file: str, tmp_path: Path) -> None:
    nobody = connection_file(tmp_path, f"http://127.0.0.1:{nobodys_port()}")
    with (
        succession(tmp_path / "left", nobody, file, silence=0.1) as practice,
        ThreadPoolExecutor(4) as pool,
    ):
        urls = set(pool.map(lambda _: located_url(practice), range(8)))
    assert urls == {json.loads(Path(file).read_text("utf-8"))["url"]}


def test_one_that_is_as_it_was_has_replaced_none(file: str, tmp_path: Path) -> None:
    with succession(tmp_path / "left", file) as practice:
        connection = practice.locate(monotonic() + PATIENCE)
        connection.close()
    assert connection.replacement is None


def test_an_image_that_cannot_be_started_is_reported_with_the_reason(tmp_path: Path) -> None:
    practice = practice_image(lambda: ["/no/such/program"], str(tmp_path))
    practice.start()
    assert "could not be started" in complaint(practice)
    practice.stop()


def test_one_that_takes_long_is_awaited_no_longer_than_the_call_may_take(tmp_path: Path) -> None:
    with (
        started(tmp_path, "import sys; sys.stdin.read()") as practice,
        pytest.raises(ImageStarting, match="Repeat the call"),
    ):
        practice.locate(monotonic() + 0.05)


def test_one_that_was_stopped_before_it_started_never_starts(tmp_path: Path) -> None:
    practice = practice_image(lambda: ["/no/such/program"], str(tmp_path))
    practice.stop()
    practice.start()
    assert "it was stopped. Nothing ran." in complaint(practice)


PRELOADS = [word for name in COMPANION for word in ("--preload", f"{companion_folder()}/{name}")]


def test_it_loads_the_companions_own_sources_and_serves_until_its_input_ends() -> None:
    command = practice_command("PharoMcp start", "PharoMcp current url")
    assert command[:3] == [sys.executable, "-m", "pharo_practice"]
    assert command[3:5] == ["--name", "practice"]
    assert command[5 : 5 + len(PRELOADS)] == PRELOADS
    start, stop = ["--do", START.format(start="PharoMcp start")], ["--do", "PharoMcp stop"]
    assert command[5 + len(PRELOADS) :] == [*start, "--print", "PharoMcp current url", "--serve", *stop]
    assert (Path(companion_folder()) / "BaselineOfPharoMcp").is_dir()


def test_a_users_own_folders_are_loaded_behind_the_companion_and_before_it_starts() -> None:
    command = practice_command("PharoMcp start", "PharoMcp current url", ["mine", "yours"])
    behind = command.index("--load")
    assert command[behind - 1] == PRELOADS[-1]
    assert command[behind : behind + 5] == ["--load", "mine", "--load", "yours", "--do"]
