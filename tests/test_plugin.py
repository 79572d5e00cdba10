"""The plugin for Claude Code and Codex: its manifests agree with the project, and name what is there."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import pharo_mcp
from pharo_mcp.cli.commands import SERVING
from pharo_mcp.resources import FOLDER
from pharo_mcp.tools.all import TOOLS

ROOT = Path(__file__).parents[1]
MANIFESTS = (".claude-plugin/plugin.json", ".codex-plugin/plugin.json")
AGENT = (ROOT / "agents" / "pharo-debugger.md").read_text("utf-8")


def manifest(name: str) -> Any:
    return json.loads((ROOT / name).read_text("utf-8"))


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_names_the_version_and_the_skills_of_the_package(name: str) -> None:
    plugin = manifest(name)
    assert plugin["version"] == pharo_mcp.__version__
    assert (ROOT / plugin["skills"]).resolve() == FOLDER.resolve()


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_starts_pharo_mcp_from_the_plugin_itself(name: str) -> None:
    [(server, entry)] = manifest(name)["mcpServers"].items()
    source, program, *options = entry["args"][1:]
    assert (server, program) == ("pharo", "pharo-mcp")
    assert source in ("${CLAUDE_PLUGIN_ROOT}", ".")
    assert set(options) <= {option.flag for option in SERVING}


def test_the_marketplace_has_the_plugin_of_this_folder() -> None:
    [listed] = manifest(".claude-plugin/marketplace.json")["plugins"]
    plugin = manifest(MANIFESTS[0])
    assert listed == {"name": plugin["name"], "source": "./", "description": plugin["description"]}


def test_the_debugging_agent_has_tools_that_exist_and_none_that_publishes() -> None:
    named = set(re.findall(r"mcp__plugin_pharo-mcp_pharo__(\w+)", AGENT))
    assert named <= {tool.name for tool in TOOLS}
    assert {"debug_show", "debug_step", "set_breakpoint", "undo_change"} < named
    assert not named & {"save_image", "commit", "export_package", "load_project"}


def test_the_debugging_agent_opens_a_skill_that_exists() -> None:
    [skill] = re.findall(r"skill `([\w-]+)`", AGENT)
    assert (FOLDER / skill / "SKILL.md").exists()
