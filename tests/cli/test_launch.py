"""`pharo-mcp launch` starts an image with the companion and stops it."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.machines import VERSIONS, commands_of, image_in, machine_in
from cli.running import run
from end_to_end.answers import eventually, failure, told_until_answered, value, whole
from pharo_mcp.app.replacing import ImageNotThere
from pharo_mcp.cli import launch
from pharo_mcp.cli.installed import Host, machine_for, machines_beside
from pharo_mcp.cli.launch import log_of
from programs import COMMAND, Client, Program, environment, running_images

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="the fake virtual machine is a shell script"),
    pytest.mark.usefixtures("ended_images"),
]


def processes_of(image: Path) -> list[str]:
    """The processes whose working folder is the image's folder."""
    folder = str(image.parent)
    links = (f"/proc/{number}/cwd" for number in os.listdir("/proc") if number.isdigit())
    return [link for link in links if os.path.exists(link) and os.path.realpath(link) == folder]


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("version", VERSIONS)
def test_it_prints_the_url_and_stops_the_image_at_the_end(home: Path, version: str) -> None:
    image, machine = image_in(home / "my images"), machine_in(home, version=version)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Program(command, environment(home)) as program:
        line = (program.read_line() or b"").decode()
        [running] = running_images(home)
        assert f"is listening at {running.url}." in line
        assert run("eval", "3 + 4", home=home).stdout == "7\n"
        assert processes_of(image)
        program.process.send_signal(signal.SIGINT)
        assert program.wait() == 128 + signal.SIGINT
    assert processes_of(image) == []
    assert commands_of(machine)[0].startswith(f"--headless {image} st ")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="sends a signal to a thread, as Linux can")
def test_a_signal_stops_the_image_although_it_does_not_interrupt_the_wait_for_it(home: Path) -> None:
    """As one does that arrives between Python's last check for signals and the wait."""
    image, machine = image_in(home / "images"), machine_in(home)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Program(command, environment(home), stderr=subprocess.PIPE) as program:
        program.read_line()
        main = program.process.pid
        other = max(map(int, os.listdir(f"/proc/{main}/task")))
        assert other != main
        os.kill(other, signal.SIGINT)
        assert program.wait() == 128 + signal.SIGINT
    assert processes_of(image) == []


def test_the_connection_file_of_an_image_that_is_ended_at_once_is_removed(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Program(command, environment(home)) as program:
        program.read_line()
        [running] = running_images(home)
        os.kill(running.connection["pid"], signal.SIGKILL)
        program.wait()
    assert running_images(home) == []


@pytest.mark.parametrize(
    ("number", "words"),
    [(signal.SIGKILL, "it was ended by SIGKILL"), (signal.SIGTERM, "it was ended by SIGTERM")],
)
def test_it_ends_with_the_status_of_a_shell_if_its_image_is_ended_by_a_signal(
    home: Path, number: int, words: str
) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Program(command, environment(home), stderr=subprocess.PIPE) as program:
        program.read_line()
        [running] = running_images(home)
        os.killpg(os.getpgid(running.connection["pid"]), number)
        assert program.wait() == 128 + number
        assert program.process.stderr is not None
        assert f"{image} does not run any more: {words}." in program.process.stderr.read().decode()


@pytest.mark.parametrize("version", VERSIONS)
def test_without_headless_the_image_has_windows(home: Path, version: str) -> None:
    image, machine = image_in(home / "images"), machine_in(home, version=version)
    command = [*COMMAND, "launch", "--image", str(image), "--vm", str(machine)]
    with Program(command, environment(home)) as program:
        assert b" is listening at http://127.0.0.1:" in (program.read_line() or b"")
        program.process.terminate()
        program.wait()
    assert commands_of(machine)[0].startswith(f"{image} --interactive st ")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_serving_can_start_an_image_for_the_session(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    launch = ("--launch", str(image), "--vm", str(machine), "--headless")
    with Client(*launch, env=environment(home)) as client:
        client.shake_hands()
        [content] = client.call("evaluate", expression="3 + 4")["content"]
        assert content["text"] == "7"
        client.close_input()
        assert client.wait() == 0
    assert processes_of(image) == []


def test_an_image_of_a_session_that_died_is_opened_again_and_the_loss_is_reported(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    launch = ("--launch", str(image), "--vm", str(machine), "--headless")
    with Client(*launch, env=environment(home)) as client:
        client.shake_hands()
        assert value(client, "x := 3") == "3"
        texts = [failure(client.call("evaluate", expression="Smalltalk exit: 5"))]
        assert "may have run" in texts[0]
        texts += told_until_answered(client)
        assert "\n".join(texts).count("was opened again as it was last saved: it ended with status 5.") == 1
        assert "Undeclared variable: x" in failure(client.call("evaluate", expression="x"))
        client.close_input()  # a client that is killed would leave the image running
        assert client.wait() == 0
    assert len(commands_of(machine)) == 2


def test_an_image_of_a_session_that_was_quit_stays_closed(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    launch = ("--launch", str(image), "--vm", str(machine), "--headless")
    with Client(*launch, env=environment(home)) as client:
        client.shake_hands()
        assert value(client, "3 + 4") == "7"
        assert "may have run" in failure(client.call("evaluate", expression="Smalltalk exit: 0"))
        closed = f"{image} is not available: it was closed (it ended with status 0). Nothing ran."
        eventually(lambda: whole(client.call("evaluate", expression="3 + 4")).startswith(closed))
    assert len(commands_of(machine)) == 1


@pytest.mark.parametrize("place", ["pharo-vm/pharo", "pharo-ui", "pharo"])
def test_a_virtual_machine_beside_the_image_is_found(home: Path, place: str) -> None:
    image, machine = image_in(home / "my images"), machine_in(home)
    beside = image.parent / place
    beside.parent.mkdir(exist_ok=True)
    machine.rename(beside)
    with Program([*COMMAND, "launch", "--image", str(image), "--headless"], environment(home)) as program:
        assert b" is listening at http://127.0.0.1:" in (program.read_line() or b"")
        program.process.terminate()
        program.wait()
    assert run("load", "--image", str(image), home=home).returncode == 0
    assert f"ok  Pharo VM: {beside}" in run("doctor", home=home, folder=image.parent).stdout


def test_beside_an_image_the_virtual_machine_comes_before_the_scripts_and_those_with_windows_first(
    home: Path,
) -> None:
    image = image_in(home / "images")
    places = ["pharo-vm/pharo", "pharo-ui", "pharo"]
    (image.parent / "pharo-vm").mkdir()
    for place in places:
        (image.parent / place).touch(0o700)
    (image.parent / "pharo-vm" / "Pharo.exe").touch()
    host = Host("linux", str(home), {})
    assert machines_beside(host, str(image.parent)) == [str(image.parent / place) for place in places]
    (image.parent / "pharo-vm" / "pharo").chmod(0o600)
    assert machine_for(host, str(image)) == str(image.parent / "pharo-ui")


def test_the_only_image_of_the_current_folder_needs_no_name(home: Path) -> None:
    image = image_in(home / "images")
    result = run("launch", "--vm", "false", home=home, folder=image.parent)
    assert f"{image} is not available: it ended with status 1" in result.stderr


@pytest.mark.parametrize("command", [["launch", "--image"], ["load", "--image"], ["--launch"]], ids=" ".join)
@pytest.mark.parametrize("name", ["Zoo", "/no/Zoo.image", "http://127.0.0.1:50123"])
def test_where_a_file_is_meant_the_option_for_live_images_is_named(
    home: Path, command: list[str], name: str
) -> None:
    result = run(*command, name, home=home)
    assert result.returncode in (1, 2)
    assert "other commands choose a live image with --image" in result.stderr


def kill(client: Program) -> None:
    """End pharo-mcp without giving it the time to close its image."""
    client.process.kill()
    client.wait()


def files_in(home: Path, folder: str) -> list[str]:
    """The records or connection files that are left."""
    place = home / ".pharo-mcp" / folder
    return [name for name in os.listdir(place) if name.endswith(".json")] if place.exists() else []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_an_image_that_a_killed_session_has_left_is_used_again_as_it_is(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    launch = ("--launch", str(image), "--vm", str(machine), "--headless")
    with Client(*launch, env=environment(home)) as client:
        client.shake_hands()
        assert value(client, "x := 3") == "3"
        kill(client)
    assert processes_of(image)
    with Client(*launch, env=environment(home), stderr=subprocess.PIPE) as client:
        client.shake_hands()
        assert value(client, "x") == "3"
        client.close_input()
        assert client.wait() == 0
        assert client.process.stderr is not None
        assert (
            f"{image} is used as a session that was killed has left it"
            in client.process.stderr.read().decode()
        )
    eventually(lambda: processes_of(image) == [])
    assert len(commands_of(machine)) == 1
    assert files_in(home, "launched") == files_in(home, "images") == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
@pytest.mark.parametrize("again", [["launch", "--image"], ["launch", "--stop", "--image"]], ids=" ".join)
def test_launch_takes_over_or_stops_what_a_killed_launch_has_left(home: Path, again: list[str]) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    options = (str(image), "--vm", str(machine), "--headless")
    with Program([*COMMAND, "launch", "--image", *options], environment(home)) as program:
        program.read_line()
        kill(program)
    with Program([*COMMAND, *again, *options], environment(home)) as program:
        line = program.read_line() or b""
        if "--stop" in again:
            assert line == f"Stopped {image}.\n".encode()
        else:
            assert b" is listening at " in line
            program.process.send_signal(signal.SIGINT)
        assert program.wait() in (0, 130)
    eventually(lambda: processes_of(image) == [])
    assert len(commands_of(machine)) == 1
    assert files_in(home, "launched") == files_in(home, "images") == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_the_image_of_a_session_that_runs_is_neither_taken_over_nor_stopped(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    options = (str(image), "--vm", str(machine), "--headless")
    with Client("--launch", *options, env=environment(home)) as client:
        client.shake_hands()
        assert value(client, "x := 3") == "3"
        other = run("launch", "--image", *options, home=home)
        assert f"{image} is already open. Nothing was started" in other.stderr
        stopped = run("launch", "--stop", home=home)
        assert stopped.stderr == "There is nothing to stop: the image of a session ends with it.\n"
        named = run("launch", "--stop", "--image", str(image), home=home)
        assert (named.returncode, named.stdout) == (1, "")
        assert "was not started by `launch --detach`, or has ended" in named.stderr
        assert value(client, "x") == "3"
        client.close_input()
        assert client.wait() == 0


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_an_image_that_a_person_has_opened_is_neither_taken_over_nor_stopped(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    script = home / "start.st"
    script.write_text("PharoMcp start", "utf-8")
    command = [str(machine), "--headless", str(image), "st", str(script)]
    with Program(command, environment(home)) as opened:
        while not running_images(home):
            assert opened.process.poll() is None
        assert run("launch", "--image", str(image), "--vm", str(machine), home=home).returncode == 1
        assert run("launch", "--stop", "--image", str(image), home=home).returncode == 1
        assert run("eval", "3 + 4", home=home).stdout == "7\n"
        [running] = running_images(home)
        os.kill(running.connection["pid"], signal.SIGTERM)
        opened.wait()


@pytest.fixture
def stopped_home(home: Path) -> Iterator[Path]:
    """A home folder whose detached images are stopped in the end."""
    yield home
    assert run("launch", "--stop", home=home).returncode == 0
    assert files_in(home, "launched") == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_detached_an_image_answers_when_the_command_returns_until_it_is_stopped(stopped_home: Path) -> None:
    image, machine = image_in(stopped_home / "images"), machine_in(stopped_home)
    temporary = stopped_home / "temporary"
    temporary.mkdir()
    options = ("--image", str(image), "--vm", str(machine), "--headless", "--detach")
    started = run("launch", *options, home=stopped_home, TMPDIR=str(temporary))
    assert (started.returncode, started.stderr) == (0, "")
    [running] = running_images(stopped_home)
    first, second = started.stdout.splitlines()
    assert first.startswith(f"practice is listening at {running.url}. Its output is in ")
    log = Path(first.partition("is in ")[2].rstrip("."))
    assert "output of the virtual machine" in log.read_text("utf-8")
    assert second == f"Stop it with: pharo-mcp launch --stop --image '{image}'"
    assert run("eval", "3 + 4", home=stopped_home).stdout == "7\n"
    again = run("launch", *options, home=stopped_home)
    assert f"{image} is already open" in again.stderr
    stopped = run("launch", "--stop", "--image", str(image), home=stopped_home)
    assert (stopped.returncode, stopped.stdout, stopped.stderr) == (0, f"Stopped {image}.\n", "")
    eventually(lambda: processes_of(image) == [])
    assert list(temporary.iterdir()) == []
    assert files_in(stopped_home, "images") == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks at processes as Linux shows them")
def test_a_detached_image_is_stopped_whatever_it_answers(stopped_home: Path) -> None:
    for name, code in (("one", "PharoMcp stop"), ("two", "")):
        image, machine = image_in(stopped_home / name), machine_in(stopped_home)
        options = ("--image", str(image), "--vm", str(machine), "--headless", "--detach")
        assert run("launch", *options, home=stopped_home).returncode == 0
        [running] = running_images(stopped_home)
        if code:
            run("eval", code, home=stopped_home)
            eventually(lambda: not running_images(stopped_home))
        else:
            os.kill(running.connection["pid"], signal.SIGSTOP)
        assert run("launch", "--stop", home=stopped_home).stdout == f"Stopped {image}.\n"
        eventually(lambda: processes_of(image) == [])  # noqa: B023 - called at once


def test_an_image_that_does_not_start_detached_is_reported_with_its_output(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home, serves=False)
    result = run("launch", "--image", str(image), "--vm", str(machine), "--detach", home=home)
    assert (result.returncode, result.stdout) == (1, "")
    assert "it ended with status 0 before its companion answered" in result.stderr
    [log] = (home / ".pharo-mcp" / "launched").glob("*.log")
    assert f"Its output is in {log}" in result.stderr
    assert "output of the virtual machine" in log.read_text("utf-8")
    assert files_in(home, "launched") == []


def test_images_of_one_name_have_logs_of_their_own(home: Path) -> None:
    logs = {log_of(Host("linux", str(home), {}), f"/{folder}/Pharo.image") for folder in ("one", "two")}
    assert len(logs) == 2


def test_a_missing_image_for_the_session_is_reported(home: Path) -> None:
    result = run("--launch", "Zoo", home=home)
    assert result.returncode == 2
    assert "image Zoo was not found" in result.stderr


def test_a_missing_virtual_machine_is_reported(home: Path) -> None:
    image = image_in(home / "images")
    result = run("launch", "--image", str(image), "--vm", "/no/vm", home=home)
    assert (result.returncode, result.stderr) == (1, "pharo-mcp: /no/vm is not an executable file\n")


def test_an_image_that_ends_at_once_is_reported_and_leaves_nothing_behind(home: Path) -> None:
    image = image_in(home / "images")
    temporary = home / "temporary"
    temporary.mkdir()
    result = run("launch", "--image", str(image), "--vm", "false", home=home, TMPDIR=str(temporary))
    assert result.returncode == 1
    assert "it ended with status 1 before its companion answered" in result.stderr
    assert not list(temporary.iterdir())


def test_a_virtual_machine_that_cannot_run_is_reported_and_leaves_nothing_behind(home: Path) -> None:
    image, machine, temporary = image_in(home / "images"), home / "broken", home / "temporary"
    machine.write_text("#!/no/such/interpreter\n", "utf-8")
    machine.chmod(0o700)
    temporary.mkdir()
    result = run("launch", "--image", str(image), "--vm", str(machine), home=home, TMPDIR=str(temporary))
    assert (result.returncode, result.stdout) == (1, "")
    assert "it could not be started" in result.stderr
    assert not list(temporary.iterdir())


def test_a_downloaded_image_that_does_not_answer_is_removed(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    image = image_in(home / "downloaded" / "image-1")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(launch, "download", lambda *_: ("false", str(image)))
    with pytest.raises(ImageNotThere):
        launch.run_launch({"new": "13"})
    assert not image.parent.exists()
    assert image.parent.parent.exists()


def test_a_misspelt_image_of_pharo_launcher_is_reported_with_the_similar_one(home: Path) -> None:
    image_in(home / "Pharo" / "images" / "practice")
    result = run("launch", "--image", "practise", "--vm", "false", home=home)
    assert result.returncode == 1
    assert "image practise was not found (did you mean practice?)" in result.stderr


def test_an_open_image_is_not_started_again(home: Path) -> None:
    image = image_in(home / "images")
    with image.with_suffix(".changes").open("ab"):
        result = run("launch", "--image", str(image), "--vm", "false", home=home)
    assert result.returncode == 1
    assert f"{image} is already open. Nothing was started" in result.stderr


def test_the_only_image_in_pharo_launcher_needs_no_name(home: Path) -> None:
    image = image_in(home / "Pharo" / "images" / "Zoo")
    result = run("launch", "--vm", "false", home=home)
    assert f"{image} is not available: it ended with status 1" in result.stderr


def test_several_images_are_listed(home: Path) -> None:
    for name in ("Zoo", "Farm"):
        image_in(home / "Pharo" / "images" / name)
    result = run("launch", "--vm", "false", home=home)
    assert result.returncode == 1
    assert "2 images were found: choose one with --image" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no image was found"),
        (["--image", "Zoo"], "image Zoo was not found"),
        (["--new", "7"], "invalid choice: '7'"),
    ],
)
def test_a_failed_start_is_reported(home: Path, arguments: list[str], message: str) -> None:
    result = run("launch", *arguments, home=home)
    assert result.returncode in (1, 2)
    assert message in result.stderr
