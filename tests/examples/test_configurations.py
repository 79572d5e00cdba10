"""The JSON in the pages: client configurations, of the form that `pharo-mcp config` prints."""

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cli.running import run
from examples.pages import Block, blocks_of
from programs import COMMAND, Client, environment

INSTALLED = "/home/me/.local/bin/pharo-mcp"
"""The command of pharo-mcp on a computer of the examples."""
LAUNCHER = """#!/bin/sh
echo "$*" > '{folder}/arguments'
exec '{python}' -m pharo_mcp
"""
"""Imitates a program that starts the command after its own arguments, such as ssh."""

BLOCKS = blocks_of("json")
STARTED = [block for block in BLOCKS if '"command"' in block.text]
ELSEWHERE = [block for block in STARTED if f'"command": "{INSTALLED}"' not in block.text]
REMOTE = [block for block in BLOCKS if '"url"' in block.text]


def entry_of(block: Block) -> dict[str, Any]:
    """The entry of the one server in a configuration."""
    [(name, entry)] = json.loads(block.text)["mcpServers"].items()
    assert name == "pharo"
    assert isinstance(entry, dict)
    return entry


def test_each_configuration_is_played() -> None:
    assert sorted(STARTED + REMOTE) == sorted(BLOCKS)


@pytest.mark.parametrize("block", STARTED, ids=str)
def test_a_configuration_has_the_form_that_config_prints(home: Path, block: Block) -> None:
    printed = json.loads(run("config", "claude-desktop", home=home).stdout)
    printed["mcpServers"]["pharo"] |= entry_of(block)
    assert json.loads(block.text) == printed


@pytest.mark.skipif(os.name == "nt", reason="the imitated program is a shell script")
@pytest.mark.parametrize("block", ELSEWHERE, ids=str)
def test_a_command_that_starts_pharo_mcp_elsewhere_carries_its_lines(tmp_path: Path, block: Block) -> None:
    entry = entry_of(block)
    assert entry["args"][-1] == INSTALLED
    program = tmp_path / entry["command"]
    program.write_text(LAUNCHER.format(folder=tmp_path, python=sys.executable), "utf-8")
    program.chmod(0o700)
    with Client(command=[str(program), *entry["args"]], env=environment(tmp_path)) as client:
        assert client.shake_hands()["serverInfo"]["name"] == "pharo-mcp"
    assert (tmp_path / "arguments").read_text("utf-8").split() == entry["args"]


@pytest.mark.parametrize("block", REMOTE, ids=str)
def test_a_configuration_for_http_has_the_address_and_the_token_that_are_printed(block: Block) -> None:
    entry: Mapping[str, Any] = entry_of(block)
    page = " ".join(each.text for each in blocks_of("console") if each.page == block.page)
    [(header, token)] = entry["headers"].items()
    assert entry["type"] == "http"
    assert f"pharo-mcp serves MCP at {entry['url']}\n{header}: {token}\n" in page


def test_the_command_that_config_prints_serves(home: Path) -> None:
    entry = json.loads(run("config", "claude-desktop", home=home).stdout)["mcpServers"]["pharo"]
    assert entry["command"] == COMMAND[0] or Path(entry["command"]).name.startswith("pharo-mcp")
    with Client(command=[entry["command"], *entry["args"]], env=environment(home)) as client:
        assert client.shake_hands()["serverInfo"]["name"] == "pharo-mcp"
