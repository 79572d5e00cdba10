"""`pharo-mcp doctor`: each planted fault is found, and its fix named."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pharo_mcp
from cli.running import run
from image.servers import STATUS, TOKEN, companion, nobodys_port, rude, seven, value
from programs import LiveImage


def diagnosis(home: Path, *arguments: str, **environ: str) -> tuple[list[str], list[str]]:
    """The problems that are found, and their fixes."""
    told = run("doctor", "--json", *arguments, home=home, **environ)
    report = json.loads(told.stdout)
    problems = [finding for finding in report["findings"] if finding["mark"] == "!!"]
    assert told.returncode == (1 if problems else 0)
    assert not problems or report["next"] == problems[0]["fix"]
    return [finding["text"] for finding in problems], [finding["fix"] for finding in problems]


def plant(home: Path, port: int, token: str = TOKEN, name: str = "Zoo", mode: int = 0o600) -> Path:
    """A connection file as a companion writes it."""
    file = home / ".pharo-mcp" / "images" / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    image = {"system": "Pharo 13.0", "image": f"/images/{name}.image", "name": name}
    file.write_text(json.dumps({"url": f"http://127.0.0.1:{port}", "token": token, **image}), "utf-8")
    file.chmod(mode)
    return file


def status(**more: object) -> Any:
    """What a companion says of itself."""
    return lambda _: value({**STATUS, "system": "Pharo 13.0", **more})


def test_all_is_well_with_an_image_that_answers(image: LiveImage) -> None:
    told = run("doctor", home=image.home)
    assert (told.returncode, told.stderr) == (0, "")
    assert "ok  3 + 4 is 7 there" in told.stdout
    assert told.stdout.rstrip().splitlines()[-1].startswith("Next: Nothing is wrong.")


def test_no_image_that_was_ever_started(home: Path) -> None:
    problems, fixes = diagnosis(home)
    assert "No live Pharo image was found" in problems[0]
    assert "#PharoMcp) start" in fixes[0]


def test_an_image_that_is_gone(home: Path) -> None:
    plant(home, nobodys_port())
    told = run("doctor", home=home)
    assert "1 connection file was left by images that are gone" in told.stdout
    assert "#PharoMcp) start" in told.stdout


def test_a_stranger_on_the_port(home: Path) -> None:
    with rude(lambda peer, _: peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as address:
        problems, fixes = diagnosis(home, "--url", address.url, "--token", TOKEN)
    assert "is not the companion of pharo-mcp" in problems[0]
    assert fixes[0]


def test_a_wrong_token(home: Path) -> None:
    with companion(status=status()) as there:
        problems, fixes = diagnosis(home, "--url", there.address.url, "--token", "0" * 64)
    assert "token" in problems[0]
    assert fixes[0]


def test_an_older_companion(home: Path) -> None:
    with companion("0.0.1", status=status(version="0.0.1")) as there:
        plant(home, there.address.port)
        [problem], [fix] = diagnosis(home)
    assert "0.0.1" in problem
    assert pharo_mcp.__version__ in problem
    assert "load.\n" in fix
    assert "#PharoMcp) stop; start" in fix


def test_a_connection_file_that_is_none(home: Path) -> None:
    plant(home, 1).write_text("{", "utf-8")
    problems, fixes = diagnosis(home)
    assert "is no connection file" in problems[0]
    assert fixes[0] == "Delete it."


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_token_that_others_can_read(home: Path) -> None:
    file = plant(home, nobodys_port(), mode=0o644)
    problems, fixes = diagnosis(home)
    assert "can be read by others" in problems[0]
    assert fixes[0] == f"chmod 600 '{file}'"


def test_a_clients_broken_configuration(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{ // mine", "utf-8")
    problems, fixes = diagnosis(home)
    assert f"{file} is not valid JSON" in problems[0]
    assert "pharo-mcp setup cursor" in fixes[0]


def test_a_configuration_with_comments_is_no_problem_where_they_are_allowed(home: Path) -> None:
    file = home / ".config" / "Code" / "User" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text("{\n  // mine\n}", "utf-8")
    told = run("doctor", home=home)
    assert "--  VS Code" in told.stdout
    assert "pharo-mcp config vscode" in told.stdout


def test_each_of_two_faults_is_told_with_its_fix_once_and_the_end_says_to_mend_them(home: Path) -> None:
    broken = home / ".cursor" / "mcp.json"
    broken.parent.mkdir()
    broken.write_text("{ // mine", "utf-8")
    plant(home, 1).write_text("{", "utf-8")
    told = run("doctor", home=home).stdout
    assert told.count(f"Mend {broken}, then run `pharo-mcp setup cursor`.") == 1
    assert told.count("Delete it.") == 1
    assert told.splitlines()[-1] == "Next: mend what is marked !!, from the top, and run this again."


def test_a_client_whose_command_is_gone(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    entry = {"command": "/gone/bin/pharo-mcp", "args": []}
    file.write_text(json.dumps({"mcpServers": {"pharo": entry}}), "utf-8")
    problems, fixes = diagnosis(home)
    assert "/gone/bin/pharo-mcp, which is not there" in problems[0]
    assert fixes[0] == "Run `pharo-mcp setup cursor`."


def test_a_client_that_does_not_know_us(home: Path) -> None:
    (home / ".cursor").mkdir()
    told = run("doctor", home=home)
    assert "Cursor does not know pharo-mcp" in told.stdout
    assert "Run `pharo-mcp setup cursor`." in told.stdout


def test_a_client_that_was_set_up(home: Path) -> None:
    (home / ".cursor").mkdir()
    run("setup", "cursor", home=home)
    assert "ok  Cursor starts it as pharo: " in run("doctor", home=home).stdout


def test_several_images_and_none_chosen(home: Path) -> None:
    with companion(status=status(name="Zoo")) as one, companion(status=status(name="Farm")) as other:
        plant(home, one.address.port)
        plant(home, other.address.port, name="Farm")
        problems, fixes = diagnosis(home)
    assert "2 images are live and none was chosen" in problems[0]
    assert "Farm" in fixes[0]


def test_variables_that_contradict(home: Path) -> None:
    problems, fixes = diagnosis(home, PHARO_MCP_TOKEN="5ec2e7")
    assert "a token belongs to an address" in problems[0]
    assert fixes[0] == "Correct or unset them."


@pytest.mark.parametrize(
    ("interface", "title"),
    [
        ({"debuggers": ["ZeroDivide"], "dialogs": []}, "ZeroDivide"),
        ({"debuggers": [], "dialogs": ["Really quit?"]}, "Really quit?"),
    ],
)
def test_a_user_interface_that_is_held_up(home: Path, interface: Mapping[str, Any], title: str) -> None:
    told = status(userInterface={"present": True, "answers": False, **interface})
    with companion(status=told, evaluate=seven) as there:
        plant(home, there.address.port)
        problems, fixes = diagnosis(home)
    assert f"does not answer behind '{title}'" in problems[0]
    assert fixes[0] == "Close that window in the image."


def test_an_image_that_is_read_only(home: Path) -> None:
    with companion(status=status(readOnly=True)) as there:
        plant(home, there.address.port)
        told = run("doctor", home=home)
    assert told.returncode == 0
    assert "It is read-only" in told.stdout


def test_an_image_that_takes_the_connection_and_is_silent(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        plant(home, silent.getsockname()[1])
        problems, fixes = diagnosis(home)
    assert all("did not answer a status request in time" in problem for problem in problems)
    assert all(fixes)


def test_an_evaluation_that_fails(home: Path) -> None:
    busy = (503, {"ok": False, "error": {"kind": "busy", "messageText": "The image is busy."}})
    with companion(status=status(), evaluate=lambda _: busy) as there:
        plant(home, there.address.port)
        problems, _ = diagnosis(home)
    assert "3 + 4 cannot be evaluated there" in problems[0]
    assert "busy" in problems[0]


def test_a_proxy_is_named_and_does_no_harm(home: Path, image: LiveImage) -> None:
    told = run("doctor", home=image.home, http_proxy="http://127.0.0.1:1")
    assert told.returncode == 0
    assert "http_proxy set: pharo-mcp asks no proxy" in told.stdout


def test_windows_subsystem_for_linux_is_named(home: Path) -> None:
    assert "This is WSL" in run("doctor", home=home, WSL_DISTRO_NAME="Ubuntu").stdout


def test_no_report_shows_a_token(home: Path) -> None:
    token = "5ec2e7" * 10
    with companion(status=status()) as there:
        plant(home, there.address.port, token)
        told = run("doctor", home=home, PHARO_MCP_URL=there.address.url, PHARO_MCP_TOKEN=token)
    assert token not in told.stdout + told.stderr
