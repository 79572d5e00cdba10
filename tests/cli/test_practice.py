"""`pharo-mcp practice` with packages of the user."""

import json
import subprocess
from pathlib import Path

import pytest

from cli.running import run
from programs import COMMAND, Client, Program, environment

TONEL = """Class {{ #name : '{name}', #superclass : '{superclass}', #category : 'Zoo', #package : 'Zoo' }}

{{ #category : 'accessing' }}
{name} >> legs [
	^ 4
]
"""


def package(folder: Path, name: str, superclass: str = "Object") -> str:
    """Write a folder with a Tonel package of one class."""
    package_folder = folder / "Zoo"
    package_folder.mkdir(parents=True)
    (package_folder / "package.st").write_text("Package { #name : 'Zoo' }\n", "utf-8")
    (package_folder / f"{name}.class.st").write_text(TONEL.format(name=name, superclass=superclass), "utf-8")
    return str(folder)


def test_it_loads_packages_from_several_folders(home: Path, tmp_path: Path) -> None:
    folders = package(tmp_path / "animals", "Animal"), package(tmp_path / "my dogs [old]", "Dog", "Animal")
    command = [*COMMAND, "practice", "--load", folders[0], "--load", folders[1]]
    with Program(command, environment(home)) as program:
        assert b"The practice image is listening at " in (program.read_line() or b"")
        with Client(env=environment(home)) as client:
            client.shake_hands()
            [content] = client.call("evaluate", expression="{ Dog superclass. Dog new legs }")["content"]
            assert "{Animal. 4}" in content["text"]


def test_a_package_that_cannot_be_loaded_is_reported_before_the_start(home: Path, tmp_path: Path) -> None:
    folder = package(tmp_path / "dogs", "Dog", "Animal")
    with Program(
        [*COMMAND, "practice", "--load", folder], environment(home), stderr=subprocess.PIPE
    ) as program:
        assert program.read_line() is None
        assert program.wait() == 1
        assert program.process.stderr is not None
        output = program.process.stderr.read().decode()
    assert output == (
        f"cannot load {folder}; nothing was loaded\n  Zoo needs\n"
        f"    class Animal (the practice image has none, Pharo may): {folder}/Zoo/Dog.class.st:1\n"
    )
    assert not (home / ".pharo-mcp" / "images").exists()


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["eval", "Dog new legs"], "4\n"),
        (["call", "evaluate", "expression=Dog new legs"], "4\n"),
        (["doctor"], "No problems found."),
    ],
    ids=lambda each: each[0],
)
def test_every_command_that_starts_a_practice_image_loads_packages(
    home: Path, tmp_path: Path, arguments: list[str], shown: str
) -> None:
    folder = package(tmp_path / "dogs", "Dog")
    result = run(*arguments, "--practice", "--load", folder, home=home)
    assert (result.returncode, result.stderr) == (0, "Loaded Zoo (1 class)\n")
    assert shown in result.stdout


def test_an_entry_has_the_absolute_paths_of_all_folders_to_load(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = package(tmp_path / "animals", "Animal"), package(tmp_path / "dogs", "Dog", "Animal")
    monkeypatch.chdir(tmp_path)
    (home / ".cursor").mkdir()
    loads = ("--load", "animals", "--load=dogs")
    assert run("setup", "cursor", "--practice", *loads, home=home).returncode == 0
    file = home / ".cursor" / "mcp.json"
    before = file.read_text("utf-8")
    entry = json.loads(before)["mcpServers"]["pharo"]
    assert entry["args"][-5:] == ["--practice", "--load", folders[0], "--load", folders[1]]
    assert run("setup", "cursor", home=home).stdout.startswith(f"Cursor: nothing to change in {file}.\n")
    assert run("setup", "cursor", "--practice", "--load", "dogs", home=home).returncode == 0
    assert file.read_text("utf-8").count("--load") == 1
    with Client(*entry["args"][-5:], env=environment(home)) as client:
        client.shake_hands()
        assert client.call("evaluate", expression="Dog new legs")["content"][0]["text"] == "4"


def test_a_package_that_cannot_be_loaded_for_a_session_is_reported_once(home: Path, tmp_path: Path) -> None:
    folder = package(tmp_path / "dogs", "Dog", "Animal")
    result = run("eval", "--practice", "--load", folder, "3", home=home)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.count(f"cannot load {folder}; nothing was loaded") == 1
    assert "The practice image is not available: it ended with status 1" in result.stderr
