"""Standard error in the background: its writers never wait for its reader."""

import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import pytest

from pharo_mcp import standard_error
from pharo_mcp.standard_error import Relay
from programs import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="waits for pipes with a bound")

DROPPED = re.compile(
    rb"\n\[pharo-mcp: (\d+) bytes of output were dropped here, because nothing read standard error\]\n"
)
LINES = b"".join(b"line %06d\n" % number for number in range(50_000))
"""Several times what a pipe holds."""
LAST_LINE = b"line 049999\n"


class Pipe(NamedTuple):
    """A pipe that stands for standard error, and its reader."""

    reader: int
    writer: int

    def read_until(self, end: bytes) -> bytes:
        """All bytes up to these, and with them."""
        read = b""
        while not read.endswith(end):
            assert select.select([self.reader], [], [], PATIENCE)[0], read[-200:]
            read += os.read(self.reader, 65536)
        return read

    def fill(self) -> None:
        """Write until its writer would have to wait."""
        os.set_blocking(self.writer, False)
        with suppress(BlockingIOError):
            while True:
                os.write(self.writer, bytes(4096))
        os.set_blocking(self.writer, True)

    def write_in_child(self, output: bytes) -> None:
        """Let a child process write; that it ends shows that it does not wait."""
        program = "import sys; sys.stderr.buffer.write(sys.stdin.buffer.read())"
        subprocess.run(
            [sys.executable, "-c", program], input=output, stderr=self.writer, timeout=PATIENCE, check=True
        )


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe(*os.pipe())
    yield pipe
    for descriptor in pipe:
        with suppress(OSError):
            os.close(descriptor)


def test_what_is_written_arrives_in_order(pipe: Pipe) -> None:
    with Relay(descriptor=pipe.writer):
        for number in range(100):
            os.write(pipe.writer, b"line %d\n" % number)
    assert pipe.read_until(b"line 99\n") == b"".join(b"line %d\n" % number for number in range(100))


def test_without_a_reader_the_oldest_lines_are_dropped_and_counted(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standard_error, "LIMIT", 1000)
    with Relay(descriptor=pipe.writer):
        pipe.write_in_child(LINES)
        received = pipe.read_until(LAST_LINE)
    dropped = [int(each) for each in DROPPED.findall(received)]
    pieces = DROPPED.split(received)[::2]
    assert len(received) < len(LINES)
    assert sum(dropped) + sum(map(len, pieces)) == len(LINES)
    assert all(piece in LINES for piece in pieces)
    assert all(piece.startswith(b"line ") for piece in pieces if piece)


def test_the_end_does_not_wait_for_a_reader_for_long_and_later_output_is_dropped(
    pipe: Pipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standard_error, "LAST_OUTPUT_SECONDS", 0.01)
    pipe.fill()
    with Relay(descriptor=pipe.writer):
        os.write(pipe.writer, b"never read")
    pipe.write_in_child(LINES)


def test_output_after_the_block_is_written_at_once(pipe: Pipe) -> None:
    with Relay(descriptor=pipe.writer):
        os.write(pipe.writer, b"inside\n")
    os.write(pipe.writer, b"after\n")
    assert pipe.read_until(b"after\n") == b"inside\nafter\n"


def test_a_reader_that_has_gone_disturbs_no_writer(pipe: Pipe) -> None:
    os.close(pipe.reader)
    with Relay(descriptor=pipe.writer):
        pipe.write_in_child(LINES)


def test_copies_of_the_descriptor_do_not_delay_the_end(pipe: Pipe) -> None:
    copy = os.open(os.devnull, os.O_WRONLY)
    with Relay(copy, descriptor=pipe.writer):
        os.dup2(pipe.writer, copy)
        os.write(copy, b"by the copy\n")
    assert pipe.read_until(b"\n") == b"by the copy\n"
    os.close(copy)


def test_a_terminal_is_left_as_it_is() -> None:
    reader, terminal = os.openpty()
    with Relay(descriptor=terminal):
        assert os.isatty(terminal)
    os.close(reader)
    os.close(terminal)


def test_a_module_runs_with_its_arguments_and_its_exit_status() -> None:
    command = [sys.executable, "-m", "pharo_mcp.standard_error", "timeit", "--help"]
    plain = [sys.executable, "-m", "timeit", "--help"]
    ran, alone = (
        subprocess.run(each, capture_output=True, timeout=PATIENCE, check=False) for each in (command, plain)
    )
    assert (ran.returncode, ran.stdout) == (alone.returncode, alone.stdout)
    assert alone.stdout
