"""What people install: the wheel and the bundle, built by their scripts and tried from outside."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pharo_mcp
from programs import Client, LiveImage

ROOT = Path(__file__).parents[1]
PATIENCE = 300


def built_by(script: str, folder: Path) -> Path:
    """What a script builds; its last line is the path."""
    command = [sys.executable, str(ROOT / "scripts" / script), "--into", str(folder)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert told.returncode == 0, told.stderr
    return Path(told.stdout.splitlines()[-1])


def test_the_wheel_holds_all_three_parts_and_answers_from_an_awkward_path(tmp_path: Path) -> None:
    wheel = built_by("build", tmp_path)  # which installs and tries it
    assert wheel.name == f"pharo_mcp-{pharo_mcp.__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    parts = (
        "pharo_mcp/py.typed",
        "pharo_practice/machine/machine.py",
        "pharo_mcp/pharo/PharoMcp-Server/package.st",
    )
    assert set(parts) <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


def test_the_bundle_starts_with_the_command_of_its_manifest(tmp_path: Path, image: LiveImage) -> None:
    folder = tmp_path / "Claude Extensions"
    with zipfile.ZipFile(built_by("build-mcpb", tmp_path)) as archive:
        archive.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert manifest["version"] == pharo_mcp.__version__
    assert (folder / manifest["server"]["entry_point"]).is_file()
    start = manifest["server"]["mcp_config"]
    if os.name == "nt":
        start |= start["platform_overrides"]["win32"]
    values = {"__dirname": str(folder)} | defaults(manifest)
    env = {name: filled(text, values) for name, text in start["env"].items()}
    command = [sys.executable, "-S", *(filled(word, values) for word in start["args"])]
    with Client(command=command, env=image.env(**env)) as client:
        assert client.shake_hands()["serverInfo"]["version"] == pharo_mcp.__version__
        assert client.call("evaluate", expression="3 + 4")["content"] == [{"type": "text", "text": "7"}]


def test_the_registrys_page_names_this_version() -> None:
    page = json.loads((ROOT / "server.json").read_text("utf-8"))
    assert page["version"] == pharo_mcp.__version__
    [package] = page["packages"]
    assert (package["identifier"], package["version"]) == ("pharo-mcp", pharo_mcp.__version__)
    assert f"mcp-name: {page['name']}" in (ROOT / "README.md").read_text("utf-8")


def test_both_halves_have_one_version_number() -> None:
    facade = (ROOT / "pharo" / "PharoMcp-Server" / "PharoMcp.class.st").read_text("utf-8")
    assert f"^ '{pharo_mcp.__version__}'" in facade


def defaults(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What Claude Desktop fills in for a person who set nothing."""
    settings = manifest["user_config"].items()
    return {f"user_config.{name}": json.dumps(one["default"]).strip('"') for name, one in settings}


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its placeholders replaced."""
    return re.sub(r"\$\{([^}]+)\}", lambda found: values[found[1]], text)
