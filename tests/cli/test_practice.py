"""`pharo-mcp practice` with packages of the user."""

import subprocess
from pathlib import Path

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
    assert output == f"cannot load {folder}: Dog: the practice image has no class Animal (Pharo may)\n"
    assert not (home / ".pharo-mcp" / "images").exists()
