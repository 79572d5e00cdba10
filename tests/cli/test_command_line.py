"""The command line: options, help and error messages."""

import json
import os
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


def test_it_prints_its_version(home: Path) -> None:
    result = run("--version", home=home)
    assert (result.returncode, result.stdout, result.stderr) == (
        0,
        f"pharo-mcp {pharo_mcp.__version__}\n",
        "",
    )


def test_help_lists_every_option_and_command(home: Path) -> None:
    result = run("--help", home=home)
    assert result.returncode == 0
    for word in (
        "--url",
        "--token",
        "--image",
        "--practice",
        "--read-only",
        "practice",
        "demo",
        "PHARO_MCP_URL",
    ):
        assert word in result.stdout


@pytest.mark.parametrize("command", ["practice", "demo"])
def test_every_command_has_help(home: Path, command: str) -> None:
    result = run(command, "--help", home=home)
    assert result.returncode == 0
    assert f"pharo-mcp {command}" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "environ", "message"),
    [
        (["--zork"], {}, "--zork"),
        (["zork"], {}, "zork"),
        (["--http", "-1"], {}, "argument --http: invalid port '-1' (0 to 65535)"),
        (["--http", "many"], {}, "argument --http: invalid port 'many' (0 to 65535)"),
        (["eval", "3", "--timeout", "long"], {}, "long is not a number of seconds (--timeout,"),
        (["eval", "3", "--timeout", "0"], {}, "must be greater than 0 and at most"),
        (["call"], {}, "the following arguments are required: TOOL\n"),
        (["config", "cursor", "--tools", "some"], {}, "unknown --tools value some: use all, core, or names"),
        (["setup", "cursor", "--image", "Zoo", "--practice"], {}, "exclude each other"),
        (["launch", "--new", "13", "--image", "Zoo.image"], {}, "--new and --image exclude each other"),
        (["practice", "--load", "/nowhere"], {}, "argument --load: folder /nowhere does not exist"),
        (["practice", "--load", os.path.dirname(__file__)], {}, "no Tonel package in"),
        (["--url", "http://example.org:80"], {}, "must be like http://127.0.0.1:50123"),
        (["--url", ""], {}, "argument --url: must not be empty"),
        (["--image", " "], {}, "argument --image: must not be empty"),
        (["--token", ""], {}, "argument --token: must not be empty"),
        (
            ["--url", "http://127.0.0.1:1", "demo"],
            {},
            "pharo-mcp demo: error: the command does not accept --url",
        ),
        (["--practice", "demo"], {}, "pharo-mcp demo: error: the command does not accept --practice"),
        (
            ["--read-only", "practice"],
            {},
            "practice: error: the command does not accept --read-only",
        ),
        (["images", "--timeout=3"], {}, "pharo-mcp images: error: unrecognized arguments: --timeout=3"),
        (["--image", "Zoo", "--practice"], {}, "exclude each other"),
        ([], {"PHARO_MCP_TOKEN": "5ec2e7"}, "a token requires a URL"),
        (["--url", "http://127.0.0.1:1", "--token", "5ec2e7 5ec2e7"], {}, "printable ASCII"),
    ],
)
def test_invalid_usage_is_reported_in_one_sentence(
    home: Path, arguments: list[str], environ: dict[str, str], message: str
) -> None:
    result = run(*arguments, home=home, **environ)
    assert result.returncode == 2
    assert result.stdout == ""
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert "5ec2e7" not in result.stderr


def test_it_ends_when_standard_input_is_empty(home: Path) -> None:
    result = run(home=home)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.skipif(os.name != "posix", reason="a shell closes descriptors for it")
def test_a_closed_standard_output_is_reported(home: Path) -> None:
    result = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", *COMMAND],
        env=environment(home),
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert result.returncode == 1
    assert result.stderr.startswith("pharo-mcp: ")
    assert "Traceback" not in result.stderr


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has it")
def test_undelivered_answers_are_reported(home: Path) -> None:
    handshake = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25"},
    }
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            COMMAND,
            env=environment(home),
            input=json.dumps(handshake) + "\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr == "pharo-mcp: some answers were not delivered: No space left on device\n"
