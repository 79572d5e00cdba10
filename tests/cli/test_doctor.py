"""`pharo-mcp doctor` finds each problem and suggests a fix."""

import json
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import pharo_mcp
from cli.machines import image_in, machine_in
from cli.running import run
from image.servers import STATUS, TOKEN, companion, nobodys_port, rude, seven, value
from pharo_mcp.cli.clients import own_entry
from programs import LiveImage


def diagnosis(home: Path, *arguments: str, **environ: str) -> tuple[list[str], list[str]]:
    """The problems that the doctor finds, and their fixes."""
    result = run("doctor", "--json", *arguments, home=home, **environ)
    report = json.loads(result.stdout)
    problems = [finding for finding in report["findings"] if finding["mark"] == "!!"]
    assert result.returncode == (1 if problems else 0)
    assert not problems or report["next"] == problems[0]["fix"]
    return [finding["text"] for finding in problems], [finding["fix"] for finding in problems]


def write_connection_file(
    home: Path, port: int, token: str = TOKEN, name: str = "Zoo", mode: int = 0o600
) -> Path:
    """Write a connection file as a companion does."""
    file = home / ".pharo-mcp" / "images" / f"{name}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    image = {"system": "Pharo 13.0", "image": f"/images/{name}.image", "name": name}
    file.write_text(json.dumps({"url": f"http://127.0.0.1:{port}", "token": token, **image}), "utf-8")
    file.chmod(mode)
    return file


def status(**more: object) -> Any:
    """A companion's reply to a status request."""
    return lambda _: value({**STATUS, "system": "Pharo 13.0", **more})


def test_no_problem_is_found_with_a_live_image(image: LiveImage) -> None:
    result = run("doctor", home=image.home)
    assert (result.returncode, result.stderr) == (0, "")
    assert "ok  The image evaluates 3 + 4 to 7" in result.stdout
    assert result.stdout.rstrip().splitlines()[-1].startswith("No problems found.")


def test_no_image_is_a_problem(home: Path) -> None:
    problems, fixes = diagnosis(home)
    assert "No live Pharo image was found" in problems[0]
    assert "#PharoMcp) start" in fixes[0]


def test_connection_files_of_ended_images_are_listed(home: Path) -> None:
    write_connection_file(home, nobodys_port())
    result = run("doctor", home=home)
    assert "1 connection file was left behind by images that no longer run" in result.stdout
    assert "#PharoMcp) start" in result.stdout


def test_another_program_on_the_port_is_a_problem(home: Path) -> None:
    with rude(lambda peer, _: peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")) as address:
        problems, fixes = diagnosis(home, "--url", address.url, "--token", TOKEN)
    assert "is not the companion of pharo-mcp" in problems[0]
    assert fixes[0]


def test_a_wrong_token_is_a_problem(home: Path) -> None:
    with companion(status=status()) as there:
        problems, fixes = diagnosis(home, "--url", there.address.url, "--token", "0" * 64)
    assert "token" in problems[0]
    assert fixes[0]


def test_an_older_companion_is_a_problem(home: Path) -> None:
    with companion("0.0.1", status=status(version="0.0.1")) as there:
        write_connection_file(home, there.address.port)
        [problem], [fix] = diagnosis(home)
    assert "0.0.1" in problem
    assert pharo_mcp.__version__ in problem
    assert "load.\n" in fix
    assert "it uninstall ]" in fix
    assert "This removes the list of changes, and the tools that were added in the image." in fix


def test_an_invalid_connection_file_is_a_problem(home: Path) -> None:
    write_connection_file(home, 1).write_text("{", "utf-8")
    problems, fixes = diagnosis(home)
    assert "is not a valid connection file" in problems[0]
    assert fixes[0] == "Delete it."


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_token_that_others_can_read_is_a_problem(home: Path) -> None:
    file = write_connection_file(home, nobodys_port(), mode=0o644)
    problems, fixes = diagnosis(home)
    assert "can be read by other users" in problems[0]
    assert fixes[0] == f"chmod 600 '{file}'"


def test_an_invalid_client_configuration_is_a_problem(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text("{ // mine", "utf-8")
    problems, fixes = diagnosis(home)
    assert f"{file} is not valid JSON" in problems[0]
    assert "pharo-mcp setup cursor" in fixes[0]


def test_comments_in_a_configuration_are_no_problem_if_they_are_allowed(home: Path) -> None:
    file = home / ".config" / "Code" / "User" / "mcp.json"
    file.parent.mkdir(parents=True)
    file.write_text("{\n  // mine\n}", "utf-8")
    result = run("doctor", home=home)
    assert f"--  VS Code: {file} is not valid JSON (which has no comments)" in result.stdout
    assert "see that it has what `pharo-mcp config vscode` prints" in result.stdout


def test_an_entry_in_toml_is_found(home: Path) -> None:
    file = home / ".codex" / "config.toml"
    file.parent.mkdir()
    file.write_text("[mcp_servers.pharo]\ncommand = '/gone/bin/pharo-mcp'\n", "utf-8")
    assert "Codex starts /gone/bin/pharo-mcp, which does not exist" in run("doctor", home=home).stdout


def test_each_problem_is_reported_once_with_its_fix(home: Path) -> None:
    broken = home / ".cursor" / "mcp.json"
    broken.parent.mkdir()
    broken.write_text("{ // mine", "utf-8")
    write_connection_file(home, 1).write_text("{", "utf-8")
    result = run("doctor", home=home).stdout
    assert result.count(f"Fix {broken}, then run `pharo-mcp setup cursor`.") == 1
    assert result.count("Delete it.") == 1
    assert result.splitlines()[-1] == "Next: fix the problems marked !!, from the top, and run this again."


def test_a_client_entry_with_a_missing_command_is_a_problem(home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    entry = {"command": "/gone/bin/pharo-mcp", "args": []}
    file.write_text(json.dumps({"mcpServers": {"pharo": entry}}), "utf-8")
    problems, fixes = diagnosis(home)
    assert "/gone/bin/pharo-mcp, which does not exist" in problems[0]
    assert fixes[0] == "Run `pharo-mcp setup cursor`."


def test_a_client_without_an_entry_is_listed(home: Path) -> None:
    (home / ".cursor").mkdir()
    result = run("doctor", home=home)
    assert "Cursor has no entry that starts pharo-mcp on this computer" in result.stdout
    assert "Run `pharo-mcp setup cursor`." in result.stdout


def test_a_client_with_an_entry_is_good(home: Path) -> None:
    (home / ".cursor").mkdir()
    run("setup", "cursor", home=home)
    assert "ok  Cursor has the entry pharo: " in run("doctor", home=home).stdout


def cursor_with(home: Path, **entries: object) -> None:
    """Write the file of Cursor, with entries for pharo-mcp."""
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text(json.dumps({"mcpServers": entries}), "utf-8")


COMMAND = own_entry().command


@pytest.mark.parametrize(
    "members",
    [
        {"args": ["--practice"]},
        {"args": ["--practice", "--read-only"]},
        {"args": [], "env": {"PHARO_MCP_PRACTICE": "1"}},
    ],
    ids=str,
)
def test_an_entry_that_starts_a_practice_image_is_tried_with_one(home: Path, members: Any) -> None:
    cursor_with(home, pharo={"command": COMMAND, **members})
    result = run("doctor", home=home)
    assert result.returncode == 0, result.stdout
    assert "ok  Cursor's entry pharo starts a practice image\nok  practice-session-" in result.stdout
    assert "ok  The image evaluates 3 + 4 to 7" in result.stdout


def test_entries_that_use_the_same_image_are_checked_once(home: Path) -> None:
    cursor_with(home, pharo={"command": COMMAND, "args": ["--practice"]})
    (home / ".config" / "opencode").mkdir(parents=True)
    run("setup", "opencode", "--practice", home=home)
    shown = run("doctor", home=home).stdout
    assert "ok  Cursor's entry pharo and opencode's entry pharo start a practice image\n" in shown
    assert shown.count("evaluates 3 + 4") == 1


def test_entries_for_different_images_are_checked_each(home: Path) -> None:
    cursor_with(
        home,
        zoo={"command": COMMAND, "args": ["--image", "Zoo"]},
        farm={"command": COMMAND, "args": ["--image", "Farm"]},
    )
    with companion(status=status(name="Zoo"), evaluate=seven) as there:
        write_connection_file(home, there.address.port)
        result = run("doctor", home=home)
    assert "ok  Cursor's entry zoo uses the image Zoo\nok  Zoo responds" in result.stdout
    assert "ok  Cursor's entry farm uses the image Farm\n!!  No live Pharo image has" in result.stdout
    assert result.returncode == 1


def test_an_option_chooses_the_image_whatever_the_entries_do(home: Path) -> None:
    cursor_with(home, pharo={"command": COMMAND, "args": ["--practice"]})
    with companion(status=status(name="Zoo"), evaluate=seven) as there:
        write_connection_file(home, there.address.port)
        for chosen in (
            run("doctor", "--image", "Zoo", home=home),
            run("doctor", home=home, PHARO_MCP_IMAGE="Zoo"),
        ):
            assert chosen.returncode == 0
            assert "ok  Zoo responds" in chosen.stdout
            assert "practice image" not in chosen.stdout


def test_an_entry_that_starts_a_missing_image_is_a_problem(home: Path) -> None:
    cursor_with(home, pharo={"command": COMMAND, "args": ["--launch", "/no/Zoo.image"]})
    [problem], [fix] = diagnosis(home)
    assert problem.startswith("Cursor's entry pharo starts /no/Zoo.image: image /no/Zoo.image does not exist")
    assert fix == "Correct --launch and --vm in the client's file."


def test_an_entry_that_starts_an_image_is_good(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    cursor_with(home, pharo={"command": COMMAND, "args": ["--launch", str(image), "--vm", str(machine)]})
    result = run("doctor", home=home)
    assert result.returncode == 0, result.stdout
    assert f"ok  Cursor's entry pharo starts {image} in {machine}; `pharo-mcp launch" in result.stdout
    assert not (home / "commands").exists()


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--practice", "--image", "Zoo"], "exclude each other"),
        (["--practise"], "unrecognized arguments: --practise"),
        (["--practice", "--load", "/no/folder"], "argument --load: folder /no/folder does not exist"),
    ],
)
def test_an_entry_with_invalid_options_is_a_problem(home: Path, options: list[str], reason: str) -> None:
    cursor_with(home, pharo={"command": COMMAND, "args": options})
    problems, _ = diagnosis(home)
    assert problems[0].startswith("Cursor's entry pharo is invalid: ")
    assert reason in problems[0]


@pytest.mark.parametrize("options", [[], ["--or-practice"]])
def test_of_several_images_each_is_checked(home: Path, options: list[str]) -> None:
    cursor_with(home, pharo={"command": COMMAND, "args": options})
    with (
        companion(status=status(name="Zoo"), evaluate=seven) as one,
        companion(status=status(name="Farm", readOnly=True)) as other,
    ):
        write_connection_file(home, one.address.port)
        write_connection_file(home, other.address.port, name="Farm")
        result = run("doctor", home=home)
    assert result.returncode == 0, result.stdout
    assert result.stdout.count("--  2 images are live and none was chosen") == 1
    found = (
        "ok  Zoo responds: ",
        "ok  The image evaluates",
        "ok  Farm responds: ",
        "--  The image is read-only",
    )
    assert [line for line in found if line not in result.stdout] == []


def test_images_that_a_fix_lists_are_below_each_other(home: Path) -> None:
    with companion(status=status(name="Zoo")) as one, companion(status=status(name="Farm")) as other:
        write_connection_file(home, one.address.port)
        write_connection_file(home, other.address.port, name="Farm")
        shown = run("doctor", "--image", "Barn", home=home).stdout.partition("Live images:")[2]
    first, second = shown.splitlines()[1:3]
    assert [line.partition(" (")[0] for line in (first, second)] == ["        Farm", "        Zoo"]


def test_contradictory_environment_variables_are_a_problem(home: Path) -> None:
    problems, fixes = diagnosis(home, PHARO_MCP_TOKEN="5ec2e7")
    assert "a token requires a URL" in problems[0]
    assert fixes[0] == "Fix or unset them."


@pytest.mark.parametrize(
    ("interface", "title"),
    [
        ({"debuggers": ["ZeroDivide"], "dialogs": []}, "ZeroDivide"),
        ({"debuggers": [], "dialogs": ["Really quit?"]}, "Really quit?"),
    ],
)
def test_a_blocked_user_interface_is_a_problem(home: Path, interface: Mapping[str, Any], title: str) -> None:
    blocked = status(userInterface={"present": True, "answers": False, **interface})
    with companion(status=blocked, evaluate=seven) as there:
        write_connection_file(home, there.address.port)
        problems, fixes = diagnosis(home)
    assert f"does not respond: it waits for '{title}'" in problems[0]
    assert fixes[0] == "Close that window in the image."


def test_a_read_only_image_is_not_evaluated_in(home: Path) -> None:
    with companion(status=status(readOnly=True)) as there:
        write_connection_file(home, there.address.port)
        result = run("doctor", home=home)
    assert result.returncode == 0
    assert "The image is read-only" in result.stdout


def test_an_image_that_does_not_respond_is_a_problem(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        write_connection_file(home, silent.getsockname()[1])
        problems, fixes = diagnosis(home)
    assert all("did not answer a status request in time" in problem for problem in problems)
    assert all(fixes)


def test_a_failing_evaluation_is_a_problem(home: Path) -> None:
    busy = (503, {"ok": False, "error": {"kind": "busy", "messageText": "The image is busy."}})
    with companion(status=status(), evaluate=lambda _: busy) as there:
        write_connection_file(home, there.address.port)
        problems, _ = diagnosis(home)
    assert "The image cannot evaluate 3 + 4" in problems[0]
    assert "busy" in problems[0]


def test_a_proxy_is_not_used(home: Path, image: LiveImage) -> None:
    assert run("doctor", home=image.home, http_proxy="http://127.0.0.1:1").returncode == 0


def test_windows_subsystem_for_linux_is_listed(home: Path) -> None:
    assert "This is WSL" in run("doctor", home=home, WSL_DISTRO_NAME="Ubuntu").stdout


def test_no_token_is_printed(home: Path) -> None:
    token = "5ec2e7" * 10
    with companion(status=status()) as there:
        write_connection_file(home, there.address.port, token)
        result = run("doctor", home=home, PHARO_MCP_URL=there.address.url, PHARO_MCP_TOKEN=token)
    assert token not in result.stdout + result.stderr
