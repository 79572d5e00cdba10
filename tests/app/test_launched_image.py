"""An image file that we open: only where nobody has it open, and again where it died or hangs."""

import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from image.servers import STATUS, TOKEN, Reply, companion, nobodys_port, value
from pharo_mcp.app import own_images as module
from pharo_mcp.app.own_images import LAUNCHED_SILENCE_SECONDS, Launch, LaunchedProcess, launched
from pharo_mcp.app.replacing import ImageNotThere, ImageStarting, ReplaceableImage, Silence
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.errors import ImageUnreachable
from programs import PATIENCE

needs_proc = pytest.mark.skipif(
    not os.path.isdir("/proc/self/fd"), reason="only Linux tells at once what is open"
)
needs_sh = pytest.mark.skipif(os.name != "posix", reason="plays a virtual machine by a shell script")


def image_in(folder: Path) -> Path:
    image = folder / "Zoo.image"
    image.touch()
    image.with_suffix(".changes").touch()
    return image


def outcome(launch: Launch) -> str:
    """Why it did not start."""
    starting = launched(launch)
    starting.start()
    try:
        with pytest.raises(ImageNotThere) as raised:
            starting.locate(monotonic() + PATIENCE)
    finally:
        starting.stop()
    return raised.value.message


@needs_proc
def test_an_open_image_is_awaited_and_then_not_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "IMAGE_CLOSING_SECONDS", 0.1)
    image = image_in(tmp_path)
    with image.with_suffix(".changes").open("ab"):
        why = outcome(Launch("false", str(image), str(tmp_path)))
    assert "it is open already" in why


@needs_proc
def test_one_that_closes_meanwhile_is_started(tmp_path: Path) -> None:
    image = image_in(tmp_path)
    changes = image.with_suffix(".changes").open("ab")
    starting = launched(Launch("false", str(image), str(tmp_path)))
    starting.start()
    with pytest.raises(ImageStarting):
        starting.locate(monotonic() + 0.05)
    changes.close()
    with pytest.raises(ImageNotThere, match="ended with status 1"):
        starting.locate(monotonic() + PATIENCE)
    starting.stop()


def test_an_invalid_virtual_machine_is_reported(tmp_path: Path) -> None:
    why = outcome(Launch(str(tmp_path / "nothing"), str(image_in(tmp_path)), str(tmp_path)))
    assert "it could not be started" in why


# A virtual machine: it notes that it was started, writes the next of some connection files, and stays until
# it finds a file with its exit status.
MACHINE = """
import json, pathlib, shutil, sys, time
folder = pathlib.Path(sys.argv[1])
with (folder / "starts").open("a") as starts:
    starts.write("x")
number = len((folder / "starts").read_text())
shutil.copy(folder / f"{number}.told", folder / f"{number}.json")
end = folder / "end"
while not end.exists() or not end.read_text():
    time.sleep(0.01)
status = int(end.read_text())
end.unlink()
sys.exit(status)
"""


class Played:
    """An image in a folder, whose virtual machines tell these URLs one after another."""

    def __init__(self, folder: Path, *urls: str) -> None:
        self.folder = folder
        self.image = image_in(folder)
        self.machine = folder / "machine"
        told = {"token": TOKEN, "name": "Zoo", "system": "Pharo", "image": str(self.image)}
        for number, url in enumerate(urls, 1):
            (folder / f"{number}.told").write_text(json.dumps({**told, "url": url}), "utf-8")
        command = shlex.join([sys.executable, "-c", MACHINE, str(folder)])
        self.machine.write_text(f"#!/bin/sh\nexec {command}\n", "utf-8")
        self.machine.chmod(0o700)

    def end(self, status: int) -> None:
        """Let the machine that runs end, and wait until it has."""
        (self.folder / "end").write_text(str(status), "utf-8")

    @property
    def starts(self) -> int:
        return len((self.folder / "starts").read_text("utf-8"))

    @contextmanager
    def opened(self, silence: float = LAUNCHED_SILENCE_SECONDS) -> Iterator[ReplaceableImage]:
        """The image, as soon as it is known where it answers."""
        image = launched(Launch(str(self.machine), str(self.image), str(self.folder)), silence)
        image.start()
        try:
            yield image
        finally:
            image.stop()


def located(image: ReplaceableImage) -> CompanionConnection:
    connection = image.locate(monotonic() + PATIENCE)
    connection.close()
    return connection


def located_again(image: ReplaceableImage, last: CompanionConnection) -> CompanionConnection:
    """The connection at another address: an end takes a moment to be seen."""
    end = monotonic() + PATIENCE
    connection = last
    while connection.address == last.address and monotonic() < end:
        with suppress(ImageUnreachable):
            connection = located(image)
    return connection


@needs_sh
def test_an_image_that_ended_is_opened_again_as_it_was_saved_and_that_is_reported(tmp_path: Path) -> None:
    with companion() as second, ExitStack() as until_it_died:
        first = until_it_died.enter_context(companion())
        played = Played(tmp_path, first.address.url, second.address.url)
        with played.opened() as image:
            connection = located(image)
            assert connection.replacement is None
            played.end(3)
            until_it_died.close()
            connection = located_again(image, connection)
    assert connection.address.url == second.address.url
    assert connection.replacement is not None
    assert connection.replacement.startswith(
        f"{played.image} was opened again as it was last saved: it ended with status 3. "
        "Everything since the last save is lost in it: "
    )
    assert "Epicea's change log on disk has the code changes" in connection.replacement


@needs_sh
def test_one_that_its_person_has_quit_is_left_closed(tmp_path: Path) -> None:
    with companion() as second, ExitStack() as until_it_quit:
        first = until_it_quit.enter_context(companion())
        played = Played(tmp_path, first.address.url, second.address.url)
        with played.opened() as image:
            connection = located(image)
            played.end(0)
            until_it_quit.close()
            for _ in range(2):
                with pytest.raises(ImageNotThere, match="it was closed") as raised:
                    located_again(image, connection)
        assert (
            "Ask the user to reconnect pharo-mcp in the client, which opens it again" in raised.value.message
        )
        assert played.starts == 1


@needs_sh
def test_one_that_hangs_is_ended_and_opened_again(tmp_path: Path) -> None:
    hangs, is_over = Event(), Event()

    def status(_: object) -> Reply:
        if hangs.is_set():
            is_over.wait(PATIENCE)
        return value(STATUS)

    with companion(status=status) as first, companion() as second:
        played = Played(tmp_path, first.address.url, second.address.url)
        with played.opened(silence=0.1) as image:
            connection = located(image)
            hangs.set()
            with suppress(ImageStarting):
                image.locate(monotonic() + 0.3).close()
            connection = located_again(image, connection)
        is_over.set()
    assert connection.address.url == second.address.url
    assert connection.replacement is not None
    assert "it did not answer for 0 seconds and was ended" in connection.replacement


@needs_sh
def test_one_whose_person_has_stopped_the_companion_is_left_in_peace(tmp_path: Path) -> None:
    with ExitStack() as until_it_was_stopped:
        first = until_it_was_stopped.enter_context(companion())
        played = Played(tmp_path, first.address.url, f"http://127.0.0.1:{nobodys_port()}")
        with played.opened(silence=0) as image:
            located(image)
            until_it_was_stopped.close()
            with pytest.raises(ImageUnreachable):
                located(image)
        assert played.starts == 1


@needs_sh
def test_one_whose_companion_was_started_again_is_found_where_it_answers_now(tmp_path: Path) -> None:
    with companion() as second, ExitStack() as until_it_was_stopped:
        first = until_it_was_stopped.enter_context(companion())
        played = Played(tmp_path, first.address.url, second.address.url)
        with played.opened() as image:
            located(image)
            until_it_was_stopped.close()
            (tmp_path / "2.told").rename(tmp_path / "2.json")
            connection = located(image)
        assert played.starts == 1
    assert connection.address.url == second.address.url
    assert connection.replacement is None


def test_silence_restarts_when_an_image_writes_its_files(tmp_path: Path) -> None:
    image = image_in(tmp_path)
    process = LaunchedProcess(Launch("false", str(image), str(tmp_path)))
    silence = Silence()
    lasted = silence.lasts(process, monotonic() - 3600)
    assert lasted < 10, "a computer that slept did not ask"
    image.write_bytes(b"saved")
    assert silence.lasts(process, monotonic()) < lasted
