"""The command line, as a person meets it."""

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest

import pharo_mcp
from programs import COMMAND, PATIENCE, environment


def run(*arguments: str, home: Path, **environ: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_it_tells_its_version(home: Path) -> None:
    told = run("--version", home=home)
    assert (told.returncode, told.stdout, told.stderr) == (0, f"pharo-mcp {pharo_mcp.__version__}\n", "")


def test_help_names_every_option_and_command(home: Path) -> None:
    told = run("--help", home=home)
    assert told.returncode == 0
    for word in (
        "--url",
        "--token",
        "--image",
        "--stand-in",
        "--structured",
        "--read-only",
        "stand-in",
        "demo",
        "PHARO_MCP_URL",
    ):
        assert word in told.stdout


@pytest.mark.parametrize("command", ["stand-in", "demo"])
def test_every_command_has_help(home: Path, command: str) -> None:
    told = run(command, "--help", home=home)
    assert told.returncode == 0
    assert f"pharo-mcp {command}" in told.stdout


@pytest.mark.parametrize(
    ("arguments", "environ", "sentence"),
    [
        (["--zork"], {}, "--zork"),
        (["zork"], {}, "zork"),
        (["stand-in", "--port", "0"], {}, "0 is no port"),
        (["stand-in", "--port", "many"], {}, "argument --port: many is no port"),
        (["--http", "many"], {}, "argument --http: many is no port"),
        (["eval", "3", "--timeout", "long"], {}, "argument --timeout: long is no length of time"),
        (["call"], {}, "the following arguments are required: TOOL\n"),
        (["config", "cursor", "--tools", "some"], {}, "there are no tools some"),
        (["setup", "cursor", "--image", "Zoo", "--stand-in"], {}, "give one of"),
        (["load", "--in-place"], {}, "--in-place is for an image: give --image, too"),
        (["launch", "--new", "13", "--image", "Zoo.image"], {}, "give one of --new and --image"),
        (["stand-in", "--load", "/nowhere"], {}, "argument --load: there is no folder /nowhere"),
        (["stand-in", "--load", os.path.dirname(__file__)], {}, "no Tonel package in"),
        (["--url", "http://example.org:80"], {}, "must be like http://127.0.0.1:50123"),
        (["--url", ""], {}, "argument --url: it must not be empty"),
        (["--image", " "], {}, "argument --image: it must not be empty"),
        (["--token", ""], {}, "argument --token: it must not be empty"),
        (["--url", "http://127.0.0.1:1", "demo"], {}, "--url is for serving; demo takes no such option"),
        (["--stand-in", "demo"], {}, "--stand-in is for serving"),
        (["--read-only", "stand-in"], {}, "--read-only is for serving"),
        (["--image", "Zoo", "--stand-in"], {}, "give one of"),
        ([], {"PHARO_MCP_TOKEN": "5ec2e7"}, "a token belongs to an address"),
        (["--url", "http://127.0.0.1:1", "--token", "5ec2e7 5ec2e7"], {}, "printable ASCII"),
    ],
)
def test_what_is_not_understood_is_said_in_a_sentence(
    home: Path, arguments: list[str], environ: dict[str, str], sentence: str
) -> None:
    told = run(*arguments, home=home, **environ)
    assert told.returncode == 2
    assert told.stdout == ""
    assert sentence in told.stderr
    assert "Traceback" not in told.stderr
    assert "5ec2e7" not in told.stderr


def test_without_a_command_and_a_client_it_ends(home: Path) -> None:
    told = run(home=home)
    assert (told.returncode, told.stdout, told.stderr) == (0, "", "")


@pytest.mark.skipif(os.name != "posix", reason="a shell closes descriptors for it")
def test_without_an_output_it_says_so_in_a_sentence(home: Path) -> None:
    told = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *COMMAND],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert told.returncode == 1
    assert told.stderr.startswith("pharo-mcp: ")
    assert "Traceback" not in told.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has it")
def test_answers_that_cannot_be_written_are_told_in_a_sentence(home: Path) -> None:
    handshake = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25"},
    }
    with open("/dev/full", "wb") as full:
        told = subprocess.run(
            COMMAND,
            env=environment(home),
            input=json.dumps(handshake) + "\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert told.returncode == 1
    assert told.stderr == "pharo-mcp: the client did not get all answers: No space left on device\n"


def test_a_port_that_is_taken_is_told_in_a_sentence(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        told = run("stand-in", "--port", str(number), home=home)
    assert told.returncode == 1
    assert told.stdout == ""
    [line] = told.stderr.splitlines()
    assert line.startswith(f"pharo-mcp: port {number} cannot be listened on: ")
