"""What only a process shows: pipes, signals, exit."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs import PATIENCE
from server.conversation import request

TESTS = Path(__file__).parents[1]
HANDSHAKE = request("hello", "initialize", protocolVersion="2025-11-25")


class Server:
    """The fixture server; its output is read only when a test does so."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "server.fixture_server", *arguments],
            env={**os.environ, "PYTHONPATH": str(TESTS)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.send(HANDSHAKE)

    def send(self, *messages: object) -> None:
        """Write messages, one a line, in one piece."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"".join(json.dumps(message).encode() + b"\n" for message in messages))

    def read_line(self) -> bytes:
        """The next line."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self) -> tuple[list[object], bytes]:
        """Send no more and wait for the exit; the ids of what was still answered, and what was logged."""
        output, log = self.process.communicate(timeout=PATIENCE)
        return [json.loads(line)["id"] for line in output.splitlines()], log


@pytest.fixture
def server() -> Iterator[Server]:
    started = Server()
    with started.process:
        yield started
        started.process.kill()


def call(request_id: object, tool: str, **arguments: object) -> dict[str, object]:
    return request(request_id, "tools/call", name=tool, arguments=arguments)


def test_the_end_of_input_ends_the_process_after_every_answer(server: Server) -> None:
    server.send(*[call(number, "echo", text="x" * 10_000) for number in range(200)])
    answered, log = server.end()
    assert set(answered) == {"hello", *range(200)}
    assert log == b""
    assert server.process.returncode == 0


def test_input_that_ends_at_once_ends_the_process(server: Server) -> None:
    assert server.end() == (["hello"], b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_though_its_reader_is_blocked(
    server: Server, number: signal.Signals
) -> None:
    server.read_line()
    server.process.send_signal(number)
    assert server.process.wait(PATIENCE) == 0


def test_a_signal_stops_the_work_in_flight(server: Server) -> None:
    server.send(call(1, "wait"), call(2, "echo", text="the first one has begun"))
    server.read_line()
    assert b'"id":2' in server.read_line()
    server.process.terminate()
    answered, log = server.end()
    assert answered == []
    assert log == b"the work was stopped\n"


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="needs POSIX threads")
def test_a_signal_that_does_not_wake_the_main_thread_is_handled() -> None:
    server = Server("--signal")
    with server.process:
        server.send(call(1, "wait"))
        server.read_line()
        assert server.process.wait(PATIENCE) == 0
        assert server.end() == ([], b"the work was stopped\n")


def test_a_client_that_stops_reading_cannot_keep_the_process(server: Server) -> None:
    server.read_line()
    server.send(call(1, "echo", text="x" * 1_000_000))
    assert server.process.stdout is not None
    server.process.stdout.read(1)  # the answer is on its way, and more than the pipe holds
    server.process.terminate()
    assert server.process.wait(PATIENCE) == 0


def test_a_client_that_reads_late_gets_every_answer(server: Server) -> None:
    server.send(*[call(number, "echo", text="x" * 100_000) for number in range(50)])
    answered, _ = server.end()
    assert len(answered) == 51


def test_a_client_that_closed_its_end_ends_the_process_and_its_work(server: Server) -> None:
    server.send(call(1, "wait"), call(2, "echo", text="the first one has begun"))
    server.read_line()
    server.read_line()
    assert server.process.stdout is not None
    server.process.stdout.close()
    server.send(request(3, "ping"))
    assert server.process.wait(PATIENCE) == 0
    assert server.process.stderr is not None
    assert server.process.stderr.read() == b"the work was stopped\n"


@pytest.mark.skipif(not hasattr(select, "poll"), reason="the system cannot tell")
def test_a_client_that_died_ends_the_process_and_its_work(server: Server) -> None:
    server.send(call(1, "wait"), call(2, "echo", text="the first one has begun"))
    server.read_line()
    server.read_line()
    assert server.process.stdin is not None
    assert server.process.stdout is not None
    assert server.process.stderr is not None
    server.process.stdin.close()
    server.process.stdout.close()
    assert server.process.wait(PATIENCE) == 0
    assert server.process.stderr.read() == b"the work was stopped\n"
