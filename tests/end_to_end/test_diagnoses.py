"""What a model is told when the image is not what it should be: each fault its own words, each its fix."""

import os
import signal
from pathlib import Path

import pytest

import pharo_mcp
from end_to_end.answers import eventually, failure, running, texts, value, whole
from image.servers import TOKEN, companion, nobodys_port, rude, seven
from programs import Client, LiveImage, environment, running_images, start_stand_in


def complaint(home: Path, *arguments: str) -> str:
    """The error text of an evaluation, after a handshake and a list that need no image."""
    with Client(*arguments, env=environment(home)) as client:
        client.shake_hands()
        assert client.request("tools/list")["result"]["tools"]
        return failure(client.call("evaluate", expression="3 + 4"))


def test_no_image_found(home: Path) -> None:
    said = complaint(home)
    assert said.startswith("No live Pharo image was found")
    assert "Metacello new" in said
    assert "#PharoMcp) start" in said


def test_nothing_listening(home: Path) -> None:
    url = f"http://127.0.0.1:{nobodys_port()}"
    said = complaint(home, "--url", url, "--token", "any")
    assert said.startswith(f"No image answers at {url}: nothing listens there. Nothing ran.")
    assert "Metacello new" in said
    assert "#PharoMcp) start" in said


def test_something_else_listening(home: Path) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n<h1>Welcome</h1>"
    with rude(lambda peer, _: peer.sendall(page)) as address:
        said = complaint(home, "--url", address.url, "--token", "any")
    assert said.startswith(f"What listens at {address.url} is not the companion")
    assert "Another program has that port" in said
    assert "Metacello" not in said


@pytest.mark.parametrize(
    ("version", "fix"), [("0.0.1", "Metacello"), ("99.0.0", "update pharo-mcp")], ids=["too old", "too new"]
)
def test_a_companion_too_old_or_too_new(home: Path, version: str, fix: str) -> None:
    with companion(version, evaluate=seven) as image:
        said = complaint(home, "--url", image.address.url, "--token", TOKEN)
        assert set(image.asked) == {"/status"}
    assert said.startswith(f"The companion at {image.address.url} has version {version}")
    assert pharo_mcp.__version__ in said
    assert fix in said


def test_a_wrong_token(image: LiveImage, home: Path) -> None:
    said = complaint(home, "--url", image.url, "--token", "wrong")
    assert said.startswith(f"The companion at {image.url} refused the token")
    assert "PharoMcp start" in said


def test_a_practice_image_that_died_comes_back_with_a_new_session(home: Path) -> None:
    with Client("--stand-in", env=environment(home)) as client:
        client.shake_hands()
        assert value(client, "3 + 4") == "7"
        [image] = running_images(home)
        os.kill(image.connection["pid"], signal.SIGTERM)
        assert eventually(lambda: "it ended with status" in whole(client.call("get_status")))
        said = failure(client.call("evaluate", expression="3 + 4"))
    assert said.startswith("The practice image is not there: it ended with status ")
    assert "Nothing ran." in said
    assert "Start the session again" in said


def test_an_image_that_died_in_the_middle_of_a_call_and_one_that_was_started_again(home: Path) -> None:
    with Client(env=environment(home)) as client, Client(env=environment(home)) as watcher:
        for each in (client, watcher):
            each.shake_hands()
        with start_stand_in(home).program as first:
            value(client, "x := 3")
            client.begin("slow", "evaluate", expression="Semaphore new wait", timeout_seconds=35)
            assert eventually(lambda: "Semaphore new wait" in running(watcher))
            first.process.kill()
            died = failure(client.receive()["result"])
        assert died.startswith("The answer of the image at ")
        assert "What was asked may have run, wholly or in part; it was not sent again." in died
        assert "Look at the image before you repeat anything" in died
        first.wait()
        assert len(running_images(home)) == 1, "a killed image cannot take its connection file away"
        with start_stand_in(home).program:
            told, notice = texts(client.call("evaluate", expression="3 + 4"))
            assert told == "7"
            assert notice.startswith("Since the last call the companion in ")
            assert "Variables of workspaces, object ids and evaluation ids from before are gone." in notice
            assert texts(client.call("evaluate", expression="3 + 4")) == ["7"], "it is told once"
            assert "Undeclared variable: x" in failure(client.call("evaluate", expression="x"))
