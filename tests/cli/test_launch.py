"""`pharo-mcp launch`: an image with the companion, started and ended."""

import os
import signal
from pathlib import Path

import pytest

from cli.machines import VERSIONS, asked_of, image_in, machine_in
from cli.running import run
from programs import COMMAND, Client, Program, environment, running_images

pytestmark = pytest.mark.skipif(os.name != "posix", reason="plays a virtual machine by a shell script")


def processes_of(image: Path) -> list[str]:
    """The processes that work in an image's folder."""
    there = str(image.parent)
    links = (f"/proc/{number}/cwd" for number in os.listdir("/proc") if number.isdigit())
    return [link for link in links if os.path.exists(link) and os.path.realpath(link) == there]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("version", VERSIONS)
def test_it_says_where_the_image_answers_and_ends_it_in_the_end(home: Path, version: str) -> None:
    image, machine = image_in(home / "my images"), machine_in(home, version=version)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Program(command, environment(home)) as program:
        said = (program.read_line() or b"").decode()
        [running] = running_images(home)
        assert f"answers at {running.url}." in said
        assert run("eval", "3 + 4", home=home).stdout == "7\n"
        assert processes_of(image)
        program.process.send_signal(signal.SIGINT)
        assert program.wait() == 128 + signal.SIGINT
    assert processes_of(image) == []
    assert asked_of(machine)[0].startswith(f"--headless {image} st ")


@pytest.mark.parametrize("version", VERSIONS)
def test_without_headless_it_has_windows(home: Path, version: str) -> None:
    image, machine = image_in(home / "images"), machine_in(home, version=version)
    command = [*COMMAND, "launch", "--image", str(image), "--vm", str(machine)]
    with Program(command, environment(home)) as program:
        assert b" answers at http://127.0.0.1:" in (program.read_line() or b"")
        program.process.terminate()
        program.wait()
    assert asked_of(machine)[0].startswith(f"{image} --interactive st ")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_a_client_can_have_an_image_for_its_session(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    launch = ("--launch", str(image), "--vm", str(machine), "--headless")
    with Client(*launch, env=environment(home)) as client:
        client.shake_hands()
        [content] = client.call("evaluate", expression="3 + 4")["content"]
        assert content["text"] == "7"
        client.close_input()
        assert client.wait() == 0
    assert processes_of(image) == []


def test_an_image_for_a_session_that_is_not_there_is_told(home: Path) -> None:
    told = run("--launch", "Zoo", home=home)
    assert told.returncode == 2
    assert "there is no image Zoo" in told.stderr


def test_an_image_that_ends_at_once_is_told(home: Path) -> None:
    image = image_in(home / "images")
    told = run("launch", "--image", str(image), "--vm", "false", home=home)
    assert told.returncode == 1
    assert "it ended with status 1 before its companion answered" in told.stderr


def test_an_image_that_is_open_is_not_started_a_second_time(home: Path) -> None:
    image = image_in(home / "images")
    with image.with_suffix(".changes").open("ab"):
        told = run("launch", "--image", str(image), "--vm", "false", home=home)
    assert told.returncode == 1
    assert f"{image} is open already. Nothing was started" in told.stderr


def test_the_launchers_only_image_needs_no_name(home: Path) -> None:
    image = image_in(home / "Pharo" / "images" / "Zoo")
    told = run("launch", "--vm", "false", home=home)
    assert f"{image} is not there: it ended with status 1" in told.stderr


def test_several_images_are_listed(home: Path) -> None:
    for name in ("Zoo", "Farm"):
        image_in(home / "Pharo" / "images" / name)
    told = run("launch", "--vm", "false", home=home)
    assert told.returncode == 1
    assert "2 images were found: give one with --image" in told.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "no image was found"),
        (["--image", "Zoo"], "there is no image Zoo"),
        (["--new", "7"], "7 is none of"),
    ],
)
def test_what_cannot_be_started_is_told(home: Path, arguments: list[str], sentence: str) -> None:
    told = run("launch", *arguments, home=home)
    assert told.returncode in (1, 2)
    assert sentence in told.stderr
