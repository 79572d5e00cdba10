"""Connection files of images that have died are removed by whoever finds them, and no others."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from image.servers import TOKEN, companion, nobodys_port
from pharo_mcp.image.connection_files import connection_files
from programs import PATIENCE

HERE = socket.gethostname()
needs_posix = pytest.mark.skipif(os.name != "posix", reason="elsewhere a process cannot be looked for")


@pytest.fixture
def ended() -> int:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait(PATIENCE)
    return process.pid


def write_file(folder: Path, pid: int | None, host: str | None, url: str | None = None) -> Path:
    path = folder / "0123456789abcdef.json"
    content = {
        "url": url or f"http://127.0.0.1:{nobodys_port()}",
        "token": TOKEN,
        "name": "Zoo",
        "image": "/images/Zoo.image",
        "system": "Pharo 13.0",
        "pid": pid,
        "host": host,
    }
    path.write_text(json.dumps(content), "utf-8")
    path.chmod(0o600)
    return path


@needs_posix
def test_the_file_of_a_process_that_has_ended_is_removed(folder: Path, ended: int) -> None:
    path = write_file(folder, ended, HERE)
    assert connection_files(str(folder)) == []
    assert not path.exists()


@pytest.mark.parametrize("host", ["another-computer", None])
def test_a_process_of_another_computer_is_not_judged(folder: Path, ended: int, host: str | None) -> None:
    path = write_file(folder, ended, host)
    assert [file.name for file in connection_files(str(folder))] == ["Zoo"]
    assert path.exists()


def test_the_file_of_a_process_that_runs_stays(folder: Path) -> None:
    path = write_file(folder, os.getpid(), HERE)
    assert [file.name for file in connection_files(str(folder))] == ["Zoo"]
    assert path.exists()


def test_a_file_without_a_process_stays(folder: Path) -> None:
    path = write_file(folder, None, HERE)
    assert [file.name for file in connection_files(str(folder))] == ["Zoo"]
    assert path.exists()


def test_the_file_of_an_image_that_answers_stays(folder: Path, ended: int) -> None:
    with companion() as image:
        path = write_file(folder, ended, HERE, image.address.url)
        assert [file.name for file in connection_files(str(folder))] == ["Zoo"]
        assert path.exists()
