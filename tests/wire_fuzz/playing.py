"""Plays a session with a real process, and passes its whole output to the oracle."""

import json
import os
import re
import select
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, NamedTuple, Self

from programs import COMMAND, environment

from .envelopes import ProtocolViolation
from .messages import CAPABILITIES, MODERN, VERSION
from .oracle import Oracle
from .rules import Tools
from .sessions import END_OF_INPUT, HANG_UP, SIGINT, SIGTERM, STOP_READING, Session
from .stub_image import TOKEN

TIME_LIMIT = 60.0
"""Seconds without output after which a process counts as hung."""
PIECE = 65536
REGISTERED = frozenset(["order_total"])
"""Tools that the stub image registers: they can be called before they are listed."""
SIGNALS = {SIGTERM: signal.SIGTERM, SIGINT: signal.SIGINT}
UNDELIVERED = re.compile(rb"(pharo-mcp: some answers were not delivered: [^\n]+\n)?")
"""The standard error of a process whose answers were not read."""


class SessionFailed(Exception):
    """A session showed an error."""


class Setup(NamedTuple):
    """What sessions need: a home without connection files, and the URL of the stub image."""

    home: Path
    url: str

    def command(self, session: Session) -> list[str]:
        """The command line for a session."""
        image = ["--url", self.url, "--token", TOKEN] if session.has_image else []
        return [*COMMAND, *image]


class ServerProcess:
    """One process, which one thread writes to and reads from; all waits are bounded."""

    def __init__(self, command: list[str], env: Mapping[str, str], log: IO[bytes]) -> None:
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        os.set_blocking(self.stdin.fileno(), False)
        self._queued = b""
        self._line = b""
        self._is_over = False

    def queue(self, content: bytes) -> None:
        """Queue bytes, which are sent while output is read."""
        self._queued += content

    def exchange(self, receive: Callable[[bytes], None], until: Callable[[], bool] = lambda: False) -> None:
        """Send and read lines until a condition holds and all is sent, or to the end of output.

        Raises:
            SessionFailed: If nothing happens within the time limit.
        """
        while not self._is_over and (self._queued or not until()):
            readable, writable, _ = select.select(
                [self.stdout], [self.stdin] if self._queued else [], [], TIME_LIMIT
            )
            if not readable and not writable:
                raise SessionFailed(f"no output for {TIME_LIMIT:g} seconds")
            if writable:
                self._send()
            if readable:
                self._receive(receive)

    def send_all(self) -> None:
        """Send without reading.

        Raises:
            SessionFailed: If the process stopped reading.
        """
        while self._queued:
            if not select.select([], [self.stdin], [], TIME_LIMIT)[1]:
                raise SessionFailed("it stopped reading")
            self._send()

    def _send(self) -> None:
        try:
            sent = self.stdin.write(self._queued[:PIECE])
        except BrokenPipeError:
            self._queued = b""
        else:
            self._queued = self._queued[sent or 0 :]

    def _receive(self, receive: Callable[[bytes], None]) -> None:
        received = os.read(self.stdout.fileno(), PIECE)
        self._is_over = not received
        *lines, self._line = (self._line + received).split(b"\n")
        for line in lines:
            receive(line)
        if self._is_over and self._line:
            raise SessionFailed(f"ended in the middle of a line: {self._line[:200]!r}")

    def wait(self) -> int:
        """The exit status.

        Raises:
            SessionFailed: If it does not end.
        """
        try:
            return self.process.wait(TIME_LIMIT)
        except subprocess.TimeoutExpired:
            raise SessionFailed(f"did not end within {TIME_LIMIT:g} seconds") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.stdin.close()
        self.stdout.close()


def play(session: Session, setup: Setup) -> None:
    """Play a session from its beginning to its end.

    Raises:
        SessionFailed: If it shows an error.
    """
    with tempfile.TemporaryFile() as log:
        with ServerProcess(setup.command(session), environment(setup.home), log) as server:
            try:
                statuses = play_rounds(session, server)
                status = server.wait()
            except ProtocolViolation as wrong:
                raise SessionFailed(*wrong.args, contents_of(log)) from wrong
            except SessionFailed as failed:
                raise SessionFailed(*failed.args, contents_of(log)) from failed
        written = contents_of(log)
        if status not in statuses:
            raise SessionFailed(f"exit status {status} after {session.end.how}", written)
        if not (UNDELIVERED if 1 in statuses else re.compile(b"")).fullmatch(written):
            raise SessionFailed("wrote to standard error", written)


def play_rounds(session: Session, server: ServerProcess) -> tuple[int, ...]:
    """Play all rounds and the ending; return the valid exit statuses."""
    oracle = Oracle(Tools(tools_of(server), REGISTERED if session.has_image else frozenset()))
    for number, lines in enumerate(session.rounds[:-1]):
        send_round(server, oracle, [*lines, *valid_requests(number)])
    send_round(server, oracle, valid_requests(len(session.rounds)))  # so that it runs when a signal is sent
    return ENDINGS[session.end.how](session, server, oracle)


def send_round(server: ServerProcess, oracle: Oracle, lines: list[bytes]) -> None:
    """Send lines, and wait for all required answers."""
    sent = b"".join(line + b"\n" for line in lines)
    for line in sent.split(b"\n"):  # a generated line may contain newlines
        oracle.send(line)
    server.queue(sent)
    try:
        server.exchange(oracle.receive, lambda: oracle.is_answered)
    except SessionFailed as failed:
        raise SessionFailed(*failed.args, oracle.missing()) from failed
    if not oracle.is_answered:
        raise SessionFailed("the process ended by itself", oracle.missing())
    oracle.end_round()


def valid_requests(number: int) -> list[bytes]:
    """A valid request of each era, which must be answered whatever was sent before."""
    ping = {"jsonrpc": "2.0", "id": f"valid ping {number}", "method": "ping"}
    discover = request_of_modern_era(f"valid discover {number}", "server/discover")
    return [json.dumps(each).encode() for each in (ping, discover)]


def request_of_modern_era(request_id: str, method: str) -> dict[str, object]:
    """A request without a handshake."""
    params = {"_meta": {VERSION: MODERN, CAPABILITIES: {}}}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def tools_of(server: ServerProcess) -> frozenset[str]:
    """The names of the tools: of those that are listed, and of the one that is not, for a single image."""
    lines: list[bytes] = []
    server.queue(json.dumps(request_of_modern_era("tools", "tools/list")).encode() + b"\n")
    server.exchange(lines.append, lambda: bool(lines))
    if not lines:
        raise SessionFailed("ended before its first answer")
    names = {tool["name"] for tool in json.loads(lines[0])["result"]["tools"]}
    return frozenset({"select_image", *names} - REGISTERED)


def last_round(session: Session) -> bytes:
    """The last round up to the end of the session, which may be in the middle of a line."""
    return b"".join(line + b"\n" for line in session.rounds[-1])[: session.end.after]


def end_input(session: Session, server: ServerProcess, oracle: Oracle) -> tuple[int, ...]:
    """Close the input: all requests are answered."""
    sent = last_round(session)
    for line in sent.split(b"\n"):
        oracle.send(line)
    oracle.end_of_input()
    server.queue(sent)
    server.exchange(oracle.receive, lambda: True)
    server.stdin.close()
    server.exchange(oracle.receive)
    if not oracle.is_answered:
        raise SessionFailed(oracle.missing())
    return (0,)


def end_by_signal(session: Session, server: ServerProcess, oracle: Oracle) -> tuple[int, ...]:
    """Send a signal while it works: the answers are valid, but some may be missing."""
    sent = last_round(session)
    for line in sent.split(b"\n"):
        oracle.send(line)
    server.queue(sent)
    server.exchange(oracle.receive, lambda: True)
    number = SIGNALS[session.end.how]
    server.process.send_signal(number)
    server.exchange(oracle.receive)
    return (128 + number,)


def hang_up(session: Session, server: ServerProcess, oracle: Oracle) -> tuple[int, ...]:
    """Close both pipes after one more request, while answers are being written."""
    server.queue(last_round(session))
    server.exchange(lambda line: None, lambda: True)
    server.stdout.close()
    server.queue(b"\n" + valid_requests(0)[0] + b"\n")
    server.send_all()
    return (1,)


def stop_reading(session: Session, server: ServerProcess, oracle: Oracle) -> tuple[int, ...]:
    """Request more than a pipe holds, read none of it, and end."""
    ask = json.dumps(request_of_modern_era("unread", "tools/list")).encode() + b"\n"
    server.queue(last_round(session) + b"\n" + ask * 20)
    server.send_all()
    if session.end.after % 2:
        server.process.send_signal(signal.SIGTERM)
        return (128 + signal.SIGTERM,)
    server.stdin.close()
    server.stdout.close()
    return (1,)


ENDINGS: Mapping[str, Callable[[Session, ServerProcess, Oracle], tuple[int, ...]]] = {
    END_OF_INPUT: end_input,
    SIGTERM: end_by_signal,
    SIGINT: end_by_signal,
    HANG_UP: hang_up,
    STOP_READING: stop_reading,
}


def contents_of(log: IO[bytes]) -> bytes:
    """The contents of the log."""
    log.seek(0)
    return log.read()
