"""What people install: the wheel and the bundle, built by their scripts and tried from outside."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from email import message_from_bytes
from pathlib import Path
from typing import Any

import pytest

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


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the source archive beside it, installed and tried."""
    return built_by("build", tmp_path_factory.mktemp("dist"))


def test_the_wheel_holds_all_three_parts_and_answers_from_an_awkward_path(wheel: Path) -> None:
    assert wheel.name == f"pharo_mcp-{pharo_mcp.__version__}-py3-none-any.whl"
    names = zipfile.ZipFile(wheel).namelist()
    parts = (
        "pharo_mcp/py.typed",
        "pharo_practice/machine/machine.py",
        "pharo_mcp/pharo/PharoMcp-Core/package.st",
        "pharo_mcp/skills/pharo-first-hour/SKILL.md",
    )
    assert set(parts) <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.startswith("tests")]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only git knows which files are the project's")
def test_the_source_archive_holds_the_whole_project(wheel: Path) -> None:
    """So that the tests pass in it, too."""
    [archive] = wheel.parent.glob("*.tar.gz")
    with tarfile.open(archive) as contents:
        names = {name.partition("/")[2] for name in contents.getnames()}
    listed = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True)
    assert set(listed.split("\0")) - {""} <= names


def test_the_package_index_gets_a_page_whose_links_lead_somewhere(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as contents:
        [name] = [name for name in contents.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = message_from_bytes(contents.read(name))
    page = str(metadata.get_payload())
    links = re.findall(r"\]\(([^)\s]+)\)", page)
    assert [link for link in links if "/blob/main/docs/" in link]
    assert not [link for link in links if not link.startswith(("https://", "#"))]
    assert metadata["Author"]
    assert metadata["Keywords"]
    assert metadata.get_all("Classifier")
    assert len(metadata.get_all("Project-URL") or []) == 4


DOTTED = (".claude-plugin", ".codex-plugin", ".github")
OWNERS_SCRIPTS = ("owner", "check-release", "environment.py")


def project_copy(folder: Path) -> Path:
    """A copy of what the scripts about owner and release read."""
    for name in ("pyproject.toml", "server.json", "README.md", "CHANGELOG.md", "docs", *DOTTED):
        source = ROOT / name
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, folder / name)
    for name in (
        *(f"scripts/{script}" for script in OWNERS_SCRIPTS),
        "src/pharo_mcp/__init__.py",
        "pharo/PharoMcp-Core/PharoMcp.class.st",
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


def run_script(folder: Path, name: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(folder / "scripts" / name), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_the_owner_is_written_everywhere_by_one_command(tmp_path: Path) -> None:
    folder = project_copy(tmp_path)
    owner = run_script(folder, "owner").stdout.strip()
    written = run_script(folder, "owner", "somebody-else").stdout.splitlines()
    assert {"README.md", "pyproject.toml", "server.json"} <= set(written)
    assert run_script(folder, "owner").stdout == "somebody-else\n"
    texts = [path.read_text("utf-8", "ignore") for path in folder.rglob("*.*") if path.is_file()]
    assert not [text for text in texts if f"{owner}/pharo-mcp" in text or f"{owner}.github.io" in text]
    assert run_script(folder, "owner", "two words").returncode == 1


def test_a_release_is_checked_to_have_one_version_and_an_owner(tmp_path: Path) -> None:
    folder = project_copy(tmp_path)
    refused = run_script(folder, "check-release", "v0.0.99")
    assert refused.returncode == 1
    assert f"server.json names {pharo_mcp.__version__}" in refused.stderr
    changelog = folder / "CHANGELOG.md"
    version = f"## {pharo_mcp.__version__} - 2026-11-22"
    changelog.write_text(changelog.read_text("utf-8").replace("## Unreleased", version), "utf-8")
    run_script(folder, "owner", "somebody")
    assert run_script(folder, "check-release", f"v{pharo_mcp.__version__}").returncode == 0


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
    facade = (ROOT / "pharo" / "PharoMcp-Core" / "PharoMcp.class.st").read_text("utf-8")
    assert f"^ '{pharo_mcp.__version__}'" in facade


def defaults(manifest: Mapping[str, Any]) -> dict[str, str]:
    """What Claude Desktop fills in for a person who set nothing."""
    settings = manifest["user_config"].items()
    return {f"user_config.{name}": json.dumps(one["default"]).strip('"') for name, one in settings}


def filled(text: str, values: Mapping[str, str]) -> str:
    """A text with its placeholders replaced."""
    return re.sub(r"\$\{([^}]+)\}", lambda found: values[found[1]], text)
