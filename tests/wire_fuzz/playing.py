"""Plays a session to a real process, and lets the judge read all that it says."""

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

from .envelopes import Wrong
from .judge import Judge
from .messages import CAPABILITIES, MODERN, VERSION
from .rules import Tools
from .sessions import END_OF_INPUT, GONE, SIGINT, SIGTERM, STALLED, Session
from .stub_image import TOKEN

PATIENCE = 60.0
"""Seconds without a sign of life after which a process counts as one that hangs."""
PIECE = 65536
REGISTERED = frozenset(["order_total"])
"""Tools that the stub image registers: they can be called before they are listed."""
SIGNALS = {SIGTERM: signal.SIGTERM, SIGINT: signal.SIGINT}
UNHEARD = re.compile(rb"(pharo-mcp: some answers were not delivered: [^\n]+\n)?")
"""What may stand on standard error when nobody read the answers."""


class Fallen(Exception):
    """A session showed something that must not be."""


class Place(NamedTuple):
    """Where sessions are played: a home without connection files, and the URL of the stub image."""

    home: Path
    url: str

    def command(self, session: Session) -> list[str]:
        """What is started for a session."""
        image = ["--url", self.url, "--token", TOKEN] if session.has_image else []
        return [*COMMAND, *image]


class Talk:
    """One process, written to and read from in one thread; never waits for it for ever."""

    def __init__(self, command: list[str], env: Mapping[str, str], log: IO[bytes]) -> None:
        self.process = subprocess.Popen(
            command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, bufsize=0
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        os.set_blocking(self.stdin.fileno(), False)
        self._unsent = b""
        self._line = b""
        self._is_over = False

    def say(self, content: bytes) -> None:
        """Send this while something is awaited."""
        self._unsent += content

    def stop_saying(self) -> None:
        """Send nothing more, not even what was said already."""
        self._unsent = b""

    def listen(self, hear: Callable[[bytes], None], until: Callable[[], bool] = lambda: False) -> None:
        """Send and read, line by line, until something is true and all is sent, or to the end of output.

        Raises:
            Fallen: If nothing happens any more.
        """
        while not self._is_over and (self._unsent or not until()):
            readable, writable, _ = select.select(
                [self.stdout], [self.stdin] if self._unsent else [], [], PATIENCE
            )
            if not readable and not writable:
                raise Fallen(f"nothing came for {PATIENCE:g} seconds")
            if writable:
                self._send()
            if readable:
                self._receive(hear)

    def send_all(self) -> None:
        """Send without reading.

        Raises:
            Fallen: If the process does not read any more.
        """
        while self._unsent:
            if not select.select([], [self.stdin], [], PATIENCE)[1]:
                raise Fallen("it reads no more")
            self._send()

    def _send(self) -> None:
        try:
            sent = self.stdin.write(self._unsent[:PIECE])
        except BrokenPipeError:
            self._unsent = b""
        else:
            self._unsent = self._unsent[sent or 0 :]

    def _receive(self, hear: Callable[[bytes], None]) -> None:
        received = os.read(self.stdout.fileno(), PIECE)
        self._is_over = not received
        *lines, self._line = (self._line + received).split(b"\n")
        for line in lines:
            hear(line)
        if self._is_over and self._line:
            raise Fallen(f"ended in the middle of a line: {self._line[:200]!r}")

    def wait(self) -> int:
        """The exit status.

        Raises:
            Fallen: If it does not end.
        """
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Fallen(f"did not end within {PATIENCE:g} seconds") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.stdin.close()
        self.stdout.close()


def play(session: Session, place: Place) -> None:
    """Play a session from its beginning to its end.

    Raises:
        Fallen: If anything was wrong.
    """
    with tempfile.TemporaryFile() as log:
        with Talk(place.command(session), environment(place.home), log) as talk:
            try:
                statuses = converse(session, talk)
                status = talk.wait()
            except Wrong as wrong:
                raise Fallen(*wrong.args, logged(log)) from wrong
            except Fallen as fallen:
                raise Fallen(*fallen.args, logged(log)) from fallen
        said = logged(log)
        if status not in statuses:
            raise Fallen(f"exit status {status} after {session.end.how}", said)
        if not (UNHEARD if 1 in statuses else re.compile(b"")).fullmatch(said):
            raise Fallen("said on standard error", said)


def converse(session: Session, talk: Talk) -> tuple[int, ...]:
    """Say all rounds and end; the exit statuses that are right then."""
    judge = Judge(Tools(tools_of(talk), REGISTERED if session.has_image else frozenset()))
    for number, lines in enumerate(session.rounds[:-1]):
        say_round(talk, judge, [*lines, *valid_requests(number)])
    say_round(talk, judge, valid_requests(len(session.rounds)))  # it runs, whatever signal comes now
    return ENDINGS[session.end.how](session, talk, judge)


def say_round(talk: Talk, judge: Judge, lines: list[bytes]) -> None:
    """Say lines, and wait for all that they must be answered by."""
    sent = b"".join(line + b"\n" for line in lines)
    for line in sent.split(b"\n"):  # what is a line to the writer may be several on the wire
        judge.hear(line)
    talk.say(sent)
    try:
        talk.listen(judge.read, lambda: judge.is_settled)
    except Fallen as fallen:
        raise Fallen(*fallen.args, judge.missing()) from fallen
    if not judge.is_settled:
        raise Fallen("ended by itself", judge.missing())
    judge.settle()


def valid_requests(number: int) -> list[bytes]:
    """What must be answered rightly whatever came before: a request of each era."""
    ping = {"jsonrpc": "2.0", "id": f"valid ping {number}", "method": "ping"}
    discover = request_of_modern_era(f"valid discover {number}", "server/discover")
    return [json.dumps(each).encode() for each in (ping, discover)]


def request_of_modern_era(request_id: str, method: str) -> dict[str, object]:
    """A request that needs no handshake."""
    params = {"_meta": {VERSION: MODERN, CAPABILITIES: {}}}
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def tools_of(talk: Talk) -> frozenset[str]:
    """The names of the tools that are listed."""
    lines: list[bytes] = []
    talk.say(json.dumps(request_of_modern_era("tools", "tools/list")).encode() + b"\n")
    talk.listen(lines.append, lambda: bool(lines))
    if not lines:
        raise Fallen("ended before its first answer")
    names = {tool["name"] for tool in json.loads(lines[0])["result"]["tools"]}
    return frozenset(names - REGISTERED)


def last_round(session: Session) -> bytes:
    """The last round up to where the session ends, in the middle of a line perhaps."""
    return b"".join(line + b"\n" for line in session.rounds[-1])[: session.end.after]


def end_input(session: Session, talk: Talk, judge: Judge) -> tuple[int, ...]:
    """Send no more: all that was asked is answered."""
    sent = last_round(session)
    for line in sent.split(b"\n"):
        judge.hear(line)
    judge.end_of_input()
    talk.say(sent)
    talk.listen(judge.read, lambda: True)
    talk.stdin.close()
    talk.listen(judge.read)
    if not judge.is_settled:
        raise Fallen(judge.missing())
    return (0,)


def be_ended(session: Session, talk: Talk, judge: Judge) -> tuple[int, ...]:
    """Send a signal while it works: what is said is right, though not all may be."""
    sent = last_round(session)
    for line in sent.split(b"\n"):
        judge.hear(line)
    talk.say(sent)
    talk.listen(judge.read, lambda: True)
    number = SIGNALS[session.end.how]
    talk.process.send_signal(number)
    talk.listen(judge.read)
    return (128 + number,)


def go_away(session: Session, talk: Talk, judge: Judge) -> tuple[int, ...]:
    """Close both ends while answers are on their way, and after one more request that has no reader."""
    talk.say(last_round(session))
    talk.listen(lambda line: None, lambda: True)
    talk.stdout.close()
    talk.say(b"\n" + valid_requests(0)[0] + b"\n")
    talk.send_all()
    return (1,)


def read_no_more(session: Session, talk: Talk, judge: Judge) -> tuple[int, ...]:
    """Ask for more than a pipe holds, read none of it, and go away."""
    ask = json.dumps(request_of_modern_era("unread", "tools/list")).encode() + b"\n"
    talk.say(last_round(session) + b"\n" + ask * 20)
    talk.send_all()
    if session.end.after % 2:
        talk.process.send_signal(signal.SIGTERM)
        return (128 + signal.SIGTERM,)
    talk.stdin.close()
    talk.stdout.close()
    return (1,)


ENDINGS: Mapping[str, Callable[[Session, Talk, Judge], tuple[int, ...]]] = {
    END_OF_INPUT: end_input,
    SIGTERM: be_ended,
    SIGINT: be_ended,
    GONE: go_away,
    STALLED: read_no_more,
}


def logged(log: IO[bytes]) -> bytes:
    """What stands in the log."""
    log.seek(0)
    return log.read()
