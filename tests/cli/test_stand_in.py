"""`pharo-mcp stand-in`: the practice image with packages of the user's own."""

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
    """A folder with one Tonel package of one class."""
    inside = folder / "Zoo"
    inside.mkdir(parents=True)
    (inside / "package.st").write_text("Package { #name : 'Zoo' }\n", "utf-8")
    (inside / f"{name}.class.st").write_text(TONEL.format(name=name, superclass=superclass), "utf-8")
    return str(folder)


def test_it_serves_what_it_loaded_from_several_folders(home: Path, tmp_path: Path) -> None:
    folders = package(tmp_path / "animals", "Animal"), package(tmp_path / "my dogs [old]", "Dog", "Animal")
    command = [*COMMAND, "stand-in", "--load", folders[0], "--load", folders[1]]
    with Program(command, environment(home)) as program:
        assert b"The practice image answers at " in (program.read_line() or b"")
        with Client(env=environment(home)) as client:
            client.shake_hands()
            [told] = client.call("evaluate", expression="{ Dog superclass. Dog new legs }")["content"]
            assert "{Animal. 4}" in told["text"]


def test_a_package_that_cannot_be_loaded_is_told_before_anything_starts(home: Path, tmp_path: Path) -> None:
    folder = package(tmp_path / "dogs", "Dog", "Animal")
    with Program(
        [*COMMAND, "stand-in", "--load", folder], environment(home), stderr=subprocess.PIPE
    ) as program:
        assert program.read_line() is None
        assert program.wait() == 1
        assert program.process.stderr is not None
        told = program.process.stderr.read().decode()
    assert told == f"cannot load {folder}: Dog: the practice image has no class Animal (Pharo may)\n"
    assert not (home / ".pharo-mcp" / "images").exists()
