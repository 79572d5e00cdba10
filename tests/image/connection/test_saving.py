"""While an image is being saved, calls wait for it instead of reporting that there is none."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from image.connection.test_images import complaint, found_url, stale_url, write_file
from image.servers import answered, companion, politely_until, rude, seven
from pharo_mcp.image import connection_files as saving
from pharo_mcp.image import images
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.images import FoundImages
from programs import PATIENCE

AtTheFirstPause = Callable[[Callable[[], None]], None]


@pytest.fixture
def at_the_first_pause(monkeypatch: pytest.MonkeyPatch) -> AtTheFirstPause:
    """Let something happen as soon as somebody waits for an image that is being saved."""

    def prepare(happen: Callable[[], None]) -> None:
        monkeypatch.setattr(saving, "sleep", lambda _: happen())

    return prepare


def mark(folder: Path, name: str = "Zoo", **more: object) -> Path:
    """Write the file that the companion of an image leaves while that is being saved."""
    members = {
        "url": "http://127.0.0.1:50123",
        "name": name,
        "image": f"/images/{name}.image",
        "system": "Pharo 13.0",
        "pid": os.getpid(),
        "host": socket.gethostname(),
        **more,
    }
    file = folder / f"{name}.saving"
    file.write_text(json.dumps(members), "utf-8")
    return file


@pytest.mark.parametrize("name", [None, "Zoo"])
def test_an_image_that_is_being_saved_is_awaited_and_found_at_its_new_address(
    folder: Path, at_the_first_pause: AtTheFirstPause, name: str | None
) -> None:
    with companion() as image:
        left = mark(folder)

        def saved() -> None:
            write_file(folder, image.address.url, "Zoo")
            left.unlink()

        at_the_first_pause(saved)
        assert found_url(folder, name) == image.address.url
        assert not left.exists()


@pytest.mark.parametrize("is_first", [False, True], ids=["one of several", "the first"])
def test_a_connection_that_the_save_breaks_is_made_again_and_its_answer_is_lost(
    folder: Path, at_the_first_pause: AtTheFirstPause, *, is_first: bool
) -> None:
    asked = iter(["the first request", "and no other"])

    def close(peer: socket.socket) -> None:
        next(asked)
        for file in folder.glob("*.json"):
            file.unlink()
        mark(folder, url=closing.url)

    behave = (lambda peer, _: close(peer)) if is_first else politely_until("/evaluate", close)
    with companion(evaluate=seven) as saved, rude(behave) as closing:

        def open_again() -> None:
            write_file(folder, saved.address.url, "Zoo")
            (folder / "Zoo.saving").unlink()

        at_the_first_pause(open_again)
        write_file(folder, closing.url, "Zoo")
        client = ImageClient(FoundImages(str(folder)))
        if not is_first:
            with pytest.raises(ImageError) as raised:
                client.evaluate("3 + 4")
            assert raised.value.kind == "answerLost"
        assert answered(client) == "7"
        client.close()


def test_an_image_that_closes_while_it_is_looked_for_is_awaited(
    folder: Path, at_the_first_pause: AtTheFirstPause, monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion(evaluate=seven) as image:

        def close(_: Path | str) -> list[object]:
            monkeypatch.undo()
            at_the_first_pause(open_again)
            mark(folder)
            return []

        def open_again() -> None:
            write_file(folder, image.address.url, "Zoo")
            (folder / "Zoo.saving").unlink()

        monkeypatch.setattr(images, "connection_files", close)
        client = ImageClient(FoundImages(str(folder)))
        assert answered(client) == "7"
        client.close()


def test_no_other_image_is_used_meanwhile(folder: Path, at_the_first_pause: AtTheFirstPause) -> None:
    with companion() as image, companion() as other:
        write_file(folder, other.address.url, "Ark")
        left = mark(folder)

        def saved() -> None:
            write_file(folder, image.address.url, "Zoo")
            left.unlink()

        at_the_first_pause(saved)
        assert complaint(folder).kind == "severalImages"


def test_a_long_save_is_reported_within_the_time_of_a_call(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "SAVING_SECONDS", 0.05)
    mark(folder)
    error = complaint(folder)
    assert error.kind == "saving"
    assert error.message == (
        "The image Zoo is being saved, and did not answer again within 0 seconds. Nothing ran.\n"
        "Repeat the call in a moment."
    )


def test_an_image_that_is_being_saved_is_listed(folder: Path) -> None:
    with companion() as other:
        write_file(folder, other.address.url, "Ark")
        mark(folder)
        live = FoundImages(str(folder)).live(monotonic() + PATIENCE)
        assert [(image.name, image.trouble) for image in live] == [
            ("Ark", None),
            ("Zoo", "it is being saved"),
        ]


def test_other_images_that_are_being_saved_are_not_awaited(folder: Path) -> None:
    with companion() as image:
        write_file(folder, image.address.url, "Ark")
        mark(folder)
        assert found_url(folder, "Ark") == image.address.url


def test_an_image_that_ended_while_it_was_being_saved_is_not_awaited(folder: Path) -> None:
    program = [sys.executable, "-c", "import os; print(os.getpid())"]
    ended = subprocess.run(program, capture_output=True, check=True)
    left = mark(folder, pid=int(ended.stdout))
    assert complaint(folder).kind == "noImage"
    assert not left.exists()


def test_one_that_answers_again_or_failed_long_ago_is_not_awaited(folder: Path) -> None:
    with companion() as image:
        write_file(folder, image.address.url, "Zoo", pid=os.getpid())
        mark(folder, session="the one before")
        assert found_url(folder) == image.address.url
    left = mark(folder, "Ark")
    os.utime(left, (0, 0))
    (folder / "Barn.saving").write_text("{", "utf-8")
    assert complaint(folder, "Ark").kind == "noImage"
    assert complaint(folder, "Barn").kind == "noImage"


def test_without_a_mark_nothing_is_awaited(folder: Path, at_the_first_pause: AtTheFirstPause) -> None:
    def fail() -> None:
        raise AssertionError("it waits")

    at_the_first_pause(fail)
    write_file(folder, stale_url(), "Zoo")
    assert complaint(folder).kind == "noImage"
