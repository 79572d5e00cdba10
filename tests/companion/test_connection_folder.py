"""Where a companion writes no token: into folders that others could read."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from programs import PATIENCE, environment

COMPANION = Path(__file__).parents[2] / "pharo"
START = "[ PharoMcp start. 'started' ] on: Error do: [ :error | error messageText ]"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows protects the whole profile")


def start(home: Path) -> str:
    """What an image says that starts the companion with a home folder."""
    run = subprocess.run(
        [sys.executable, "-m", "pharo_practice", "--load", COMPANION, "--print", START],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return run.stdout.strip()


def images_linked(home: Path, elsewhere: Path) -> None:
    (home / ".pharo-mcp").mkdir()
    (home / ".pharo-mcp" / "images").symlink_to(elsewhere)


def above_linked(home: Path, elsewhere: Path) -> None:
    (home / ".pharo-mcp").symlink_to(elsewhere)


def given_away(home: Path, elsewhere: Path) -> None:
    folder = home / ".pharo-mcp" / "images"
    folder.mkdir(parents=True)
    os.chown(folder, os.getuid() + 1, -1)


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        (images_linked, "images is a symbolic link"),
        (above_linked, ".pharo-mcp is a symbolic link"),
        pytest.param(
            given_away,
            "images belongs to another user",
            marks=pytest.mark.skipif(
                sys.platform != "win32" and os.getuid() != 0, reason="only root can give files away"
            ),
        ),
    ],
)
def test_a_folder_of_another_user_gets_no_token(
    tmp_path: Path, prepare: Callable[[Path, Path], None], reason: str
) -> None:
    home, elsewhere = tmp_path / "home", tmp_path / "elsewhere"
    home.mkdir()
    elsewhere.mkdir()
    prepare(home, elsewhere)
    assert reason in start(home)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and path.suffix in (".json", ".part")]


def test_a_folder_that_others_could_write_is_closed_to_them(tmp_path: Path) -> None:
    folder = tmp_path / ".pharo-mcp" / "images"
    folder.mkdir(parents=True)
    folder.chmod(0o777)
    folder.parent.chmod(0o777)
    assert start(tmp_path) == "started"
    assert [path.stat().st_mode & 0o777 for path in (folder, folder.parent)] == [0o700, 0o700]
