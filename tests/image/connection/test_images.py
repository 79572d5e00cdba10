"""Live images are found by their connection files, and nothing else that lies there misleads."""

import contextlib
import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

import pharo_mcp
from image.servers import TOKEN, answered, companion, drain, failure, nobodys_port, rude, seven
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.images import FoundImages, at
from programs import PATIENCE


def write_file(folder: Path, url: str, name: str = "Pharo13", **more: object) -> None:
    told = {
        "url": url,
        "token": TOKEN,
        "session": "9f1c0e7a5b3d2468",
        "name": name,
        "image": f"/images/{name}.image",
        "system": "Pharo 13.0",
        "companion": pharo_mcp.__version__,
        "pid": None,
        "startedAt": "2025-06-18T12:00:00+00:00",
        **more,
    }
    number = len(list(folder.iterdir()))
    (folder / f"{number:032x}.json").write_text(json.dumps(told), "utf-8")


def stale_url() -> str:
    return f"http://127.0.0.1:{nobodys_port()}"


def found_url(folder: Path, name: str | None = None) -> str:
    connection = FoundImages(str(folder), name).locate(monotonic() + PATIENCE)
    connection.close()
    return connection.address.url


def complaint(folder: Path, name: str | None = None) -> ImageError:
    with pytest.raises(ImageError) as raised:
        FoundImages(str(folder), name).locate(monotonic() + PATIENCE)
    assert TOKEN not in raised.value.message
    return raised.value


def test_the_one_live_image_is_found(folder: Path) -> None:
    with companion() as image:
        write_file(folder, image.address.url)
        assert found_url(folder) == image.address.url


def test_files_of_images_that_are_gone_are_passed_over(folder: Path) -> None:
    with companion() as image, companion() as successor, rude(lambda *_: None) as stranger:
        write_file(folder, stale_url())
        write_file(folder, successor.address.url, token="of-an-image-that-had-this-port-before")
        write_file(folder, stranger.url)
        write_file(folder, image.address.url)
        assert found_url(folder) == image.address.url


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe{}",
        b'{"url": 3}',
        b"[" * 100_000,
        b'{"url": "http://127.0.0.1:1", "token": "x"}',
        b'{"url": "http://example.org:80", "token": "x", "name": "", "system": "", "image": ""}',
        b'{"url": "http://127.0.0.1:80", "token": "a b", "name": "", "system": "", "image": ""}',
        b'{"url": "http://localhost:80", "token": "x", "name": "", "system": "", "image": ""}',
    ],
)
def test_other_files_in_the_folder_are_ignored(folder: Path, content: bytes) -> None:
    (folder / "broken.json").write_bytes(content)
    (folder / "folder.json").mkdir()
    (folder / "notes.txt").write_text("mine", "utf-8")
    with companion() as image:
        write_file(folder, image.address.url)
        assert found_url(folder) == image.address.url


def test_no_image_is_found(folder: Path) -> None:
    url = stale_url()
    write_file(folder, url)
    error = complaint(folder)
    assert error.kind == "noImage"
    assert str(folder) in error.message
    assert f"Pharo13 at {url}" in error.message
    assert "Metacello new" in error.message
    assert "(Smalltalk at: #PharoMcp) start." in error.message
    assert "--practice" in error.message


def test_files_of_images_of_other_names_are_not_denied(folder: Path) -> None:
    write_file(folder, stale_url(), "Ark")
    assert f"no connection file in {folder} leads to one. Nothing ran." in complaint(folder, "Zoo").message


def test_without_the_folder_there_is_no_image(tmp_path: Path) -> None:
    assert complaint(tmp_path / "none").kind == "noImage"


def test_several_images_are_listed_in_a_stable_order(folder: Path) -> None:
    with companion() as one, companion() as other:
        write_file(folder, one.address.url, "Zoo")
        write_file(folder, other.address.url, "Ark")
        error = complaint(folder)
        assert error.kind == "severalImages"
        assert error.message.index("Ark (Pharo 13.0)") < error.message.index("Zoo (Pharo 13.0)")
        assert "--image NAME" in error.message
        assert "select_image" in error.message
        assert found_url(folder, "Zoo") == one.address.url
        assert found_url(folder, "Ark") == other.address.url


def test_a_name_that_no_live_image_has_is_named(folder: Path) -> None:
    with companion() as image:
        write_file(folder, image.address.url)
        assert "has the name, URL or image file Zork" in complaint(folder, "Zork").message


def test_an_image_with_another_version_is_reported_if_there_is_no_better(folder: Path) -> None:
    with companion("99.0.0") as newer:
        write_file(folder, newer.address.url)
        assert complaint(folder).kind == "otherVersion"
        with companion() as image:
            write_file(folder, image.address.url)
            assert found_url(folder) == image.address.url


def test_an_image_that_was_started_again_is_found_again(folder: Path) -> None:
    client = ImageClient(FoundImages(str(folder)))
    for _ in range(2):
        with companion(evaluate=seven) as image:
            write_file(folder, image.address.url)
            assert answered(client) == "7"
    client.close()


def test_all_live_images_are_listed_with_their_problems(folder: Path) -> None:
    with companion() as one, companion("99.0.0") as newer:
        write_file(folder, one.address.url, "Zoo")
        write_file(folder, newer.address.url, "Ark")
        write_file(folder, stale_url(), "Gone")
        ark, zoo = FoundImages(str(folder)).live(monotonic() + PATIENCE)
    assert (ark.name, zoo.name, zoo.trouble) == ("Ark", "Zoo", None)
    assert ark.trouble is not None
    assert "99.0.0" in ark.trouble


@pytest.mark.parametrize("by", ["name", "url", "image"])
def test_one_of_several_is_chosen_by_name_url_or_image_file(folder: Path, by: str) -> None:
    with companion(evaluate=seven) as one, companion(evaluate=seven) as other:
        write_file(folder, one.address.url, "Zoo")
        write_file(folder, other.address.url, "Ark")
        client = ImageClient(FoundImages(str(folder)))
        [_, zoo] = client.live_images()
        assert client.choose(getattr(zoo, by)) == zoo
        client.evaluate("3 + 4")
        assert client.current_image is not None
        assert one.address.url in client.current_image
        client.choose("Ark")
        client.evaluate("3 + 4")
        assert other.address.url in client.current_image
        assert client.take_notice() is None
        client.close()


@pytest.mark.parametrize(
    "form", ["whole", "relative", "from the home folder", "of a link", "only the file's name"]
)
def test_an_image_file_names_its_live_image_in_every_form(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    images = tmp_path / "images"
    images.mkdir()
    (tmp_path / "link.image").symlink_to(images / "Zoo.image")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    wanted = {
        "whole": str(images / "Zoo.image"),
        "relative": "images/Zoo.image",
        "from the home folder": "~/images/Zoo.image",
        "of a link": "link.image",
        "only the file's name": "Zoo.image",
    }[form]
    with companion() as one, companion() as other:
        write_file(folder, one.address.url, "zoo", image=str(images / "Zoo.image"))
        write_file(folder, other.address.url, "ark", image=str(images / "Ark.image"))
        assert found_url(folder, wanted) == one.address.url
        client = ImageClient(FoundImages(str(folder)))
        assert client.choose(wanted).name == "zoo"
        client.close()


def test_of_files_of_one_name_the_one_in_the_current_folder_is_meant(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with companion() as one, companion() as other:
        for place, image in (("here", one), ("there", other)):
            (tmp_path / place).mkdir()
            write_file(folder, image.address.url, place, image=str(tmp_path / place / "Pharo.image"))
        assert complaint(folder, "Pharo.image").kind == "severalImages"
        monkeypatch.chdir(tmp_path / "there")
        assert found_url(folder, "Pharo.image") == other.address.url


@pytest.mark.parametrize("name", ["Zoo", "/images/Zoo.image"])
def test_a_named_image_that_is_not_live_is_reported_with_the_option_that_starts_files(
    folder: Path, name: str
) -> None:
    assert "`pharo-mcp launch --image FILE` starts an image file" in complaint(folder, name).message
    with companion() as other:
        write_file(folder, other.address.url)
        assert "`pharo-mcp launch --image FILE` starts an image file" in complaint(folder, name).message
    assert "launch" not in complaint(folder).message


def test_a_choice_holds_when_that_image_is_started_again_and_does_not_fall_to_another(folder: Path) -> None:
    client = ImageClient(FoundImages(str(folder)))
    with companion(evaluate=seven) as ark:
        write_file(folder, ark.address.url, "Ark")
        for _ in range(2):
            with companion(evaluate=seven) as zoo:
                write_file(folder, zoo.address.url, "Zoo")
                client.choose("Zoo")
                client.evaluate("3 + 4")
                zoo.answers["/evaluate"] = lambda _: failure(401, "unauthorized")
                with pytest.raises(ImageError, match="token"):
                    client.evaluate("3 + 4")
            with pytest.raises(
                ImageError, match="No live Pharo image has the name, URL or image file Zoo:"
            ) as raised:
                client.evaluate("3 + 4")
            assert "select_image" in raised.value.message
        with companion(evaluate=seven) as zoo:
            write_file(folder, zoo.address.url, "Zoo")
            client.evaluate("3 + 4")
            assert client.current_image is not None
            assert zoo.address.url in client.current_image
    client.close()


def test_images_of_one_name_are_distinguished_by_their_urls(folder: Path) -> None:
    with companion(evaluate=seven) as one, companion(evaluate=seven) as other:
        write_file(folder, one.address.url)
        write_file(folder, other.address.url)
        images = FoundImages(str(folder))
        with pytest.raises(ImageError, match="2 images are live"):
            images.choose("Pharo13", monotonic() + PATIENCE)
        images.choose(other.address.url, monotonic() + PATIENCE)
        connection = images.locate(monotonic() + PATIENCE)
        connection.close()
        assert connection.address == other.address


def test_an_unknown_name_cannot_be_chosen(folder: Path) -> None:
    with companion() as image:
        write_file(folder, image.address.url)
        with pytest.raises(ImageError, match=r"file Zork\. Live images:\n    Pharo13 ") as raised:
            FoundImages(str(folder)).choose("Zork", monotonic() + PATIENCE)
        assert raised.value.kind == "noSuchImage"
        assert "Ask the user to " in raised.value.message


def test_the_users_choice_of_an_image_is_kept() -> None:
    with companion() as image:
        [there] = at(image.address).live(monotonic() + PATIENCE)
        assert at(image.address).choose(there.url, monotonic() + PATIENCE) == there
        with pytest.raises(ImageError, match="started for one image") as raised:
            at(image.address).choose("Zork", monotonic() + PATIENCE)
        assert raised.value.kind == "choiceFixed"


def test_whether_they_are_several_follows_the_files(folder: Path) -> None:
    images = FoundImages(str(folder))
    with companion() as one, companion() as other:
        assert not images.are_several(monotonic() + PATIENCE)
        write_file(folder, one.address.url, "Zoo")
        write_file(folder, stale_url(), "Gone")
        assert not images.are_several(monotonic() + PATIENCE)
        write_file(folder, other.address.url, "Ark")
        assert images.are_several(monotonic() + PATIENCE)
        asked = len(one.asked)
        assert images.are_several(monotonic() + PATIENCE)
        assert len(one.asked) == asked


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes in folders")
def test_a_pipe_that_lies_there_is_passed_over(folder: Path) -> None:
    os.mkfifo(folder / "pipe.json")
    (folder / "device.json").symlink_to("/dev/zero")
    (folder / "large.json").write_bytes(b" " * 10_000_000)
    with companion() as image:
        write_file(folder, image.address.url)
        assert found_url(folder) == image.address.url


def test_a_server_without_room_leads_to_no_other_image(folder: Path) -> None:
    bare = b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"
    with rude(lambda peer, _: peer.sendall(bare)) as busy:
        write_file(folder, busy.url)
        assert complaint(folder).kind == "busy"


def test_an_image_that_says_nothing_hides_no_other(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.connection.STATUS_SECONDS", 3.0)
    with rude(lambda peer, _: drain(peer)) as silent, companion() as image:
        write_file(folder, silent.url, "Silent")
        write_file(folder, image.address.url)
        assert found_url(folder) == image.address.url


def test_images_are_asked_at_the_same_time(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.connection.STATUS_SECONDS", 2 * PATIENCE)
    all_asked = threading.Barrier(5)

    def meet(*_: object) -> None:
        all_asked.wait(PATIENCE)

    with contextlib.ExitStack() as stack:
        for n in range(5):
            silent = stack.enter_context(rude(meet))
            write_file(folder, silent.url, f"Silent{n}")
        image = stack.enter_context(companion())
        write_file(folder, image.address.url)
        assert found_url(folder) == image.address.url


def link(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.symlink_to(folder.with_name("elsewhere"))


def link_above(folder: Path) -> None:
    folder.parent.rename(folder.parent.with_name("elsewhere"))
    folder.parent.symlink_to(folder.parent.with_name("elsewhere"))


def file_in_its_place(folder: Path) -> None:
    folder.rename(folder.with_name("elsewhere"))
    folder.write_text("", "utf-8")


def owned_by_another(folder: Path) -> None:
    os.chown(folder, os.getuid() + 1, -1)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows protects the whole profile")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda folder: folder.chmod(0o777), "images can be written by other users"),
        (lambda folder: folder.parent.chmod(0o777), ".pharo-mcp can be written by other users"),
        (link, "images is a symbolic link"),
        (link_above, ".pharo-mcp is a symbolic link"),
        (file_in_its_place, "images is not a folder"),
        pytest.param(
            owned_by_another,
            "images belongs to another user",
            marks=pytest.mark.skipif(
                sys.platform != "win32" and os.getuid() != 0, reason="only root can give files away"
            ),
        ),
    ],
)
def test_a_folder_that_others_can_write_is_refused_with_the_reason(
    folder: Path, change: Callable[[Path], None], reason: str
) -> None:
    with companion() as image:
        write_file(folder, image.address.url)
        change(folder)
        told = complaint(folder)
        assert (told.kind, reason in told.message) == ("untrustedFolder", True)
        assert "Ask the user to " in told.message
        assert image.asked == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows protects the whole profile")
def test_links_and_files_of_others_are_ignored(folder: Path, tmp_path: Path) -> None:
    with companion() as image:
        write_file(folder, image.address.url)
        [file] = folder.iterdir()
        file.rename(tmp_path / "theirs.json")
        file.symlink_to(tmp_path / "theirs.json")
        assert complaint(folder).kind == "noImage"
