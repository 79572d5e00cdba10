"""Serving clients: one on standard input and output, or any number over HTTP."""

import signal
from collections.abc import Callable, Mapping
from threading import Lock, Thread
from typing import TYPE_CHECKING

from pharo_mcp import __version__
from pharo_mcp.protocol import Offers
from pharo_mcp.server import Connection, Feed, Identity
from pharo_mcp.transports import NoClient, Transport, claim_stdio

from .instructions import instructions
from .settings import Settings

if TYPE_CHECKING:
    from .image_side import ImageSide


def serve(settings: Settings, environ: Mapping[str, str]) -> int:
    """Answer one client until it leaves, or until a signal ends us; the exit status.

    Raises:
        NoClient: If standard input or output is closed, or the client left before it was answered.
    """
    later = Later(settings, environ)
    signals: list[int] = []

    def stop(number: int) -> None:
        signals.append(number)
        connection.close()

    def get_ready() -> None:
        Thread(target=later.get_ready, name="get ready", daemon=True).start()

    connection = later.connect(claim_stdio(), get_ready)
    catch_signals(stop)
    try:
        lost = connection.serve()
    finally:
        later.close()
    if signals:
        return 128 + signals[0]
    if lost:
        raise NoClient(f"the client did not get all answers: {lost}")
    return 0


class NotServed(Exception):
    """Nobody can be served over HTTP; the sentence says why."""


def serve_http(settings: Settings, environ: Mapping[str, str], port: int, say: Callable[[str], None]) -> int:
    """Answer clients over HTTP until a signal ends us; the exit status.

    `say` is told where that is, and the token if it is a new one.

    Raises:
        NotServed: If the port cannot be had, the web server is not installed, or the token is none.
    """
    from .http_serving import serve  # here: standard input and output need none of it

    return serve(Later(settings, environ), environ, port, say)


class Later:
    """The image side, made when it is first needed.

    The handshake needs none of it, so it does not wait for the import of all those modules either.
    """

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._environ = environ
        self._lock = Lock()
        self._made: ImageSide | None = None
        self._feed = Feed()

    def connect(
        self, transport: Transport, after_first_answer: Callable[[], None] | None = None
    ) -> Connection:
        """What answers a client over a transport."""
        words = instructions(all_tools=self._settings.tools == "all", read_only=self._settings.read_only)
        identity = Identity("pharo-mcp", __version__, "Pharo", words)
        return Connection(
            transport, self.offers, identity, feed=self._feed, after_first_answer=after_first_answer
        )

    def offers(self) -> Offers:
        """What is offered."""
        return self._make().offers

    def get_ready(self) -> None:
        """See ImageSide."""
        self._make().get_ready()

    def close(self) -> None:
        """See ImageSide."""
        with self._lock:
            if self._made:
                self._made.close()

    def _make(self) -> "ImageSide":
        with self._lock:
            if self._made is None:
                from .image_side import ImageSide

                self._made = ImageSide(self._settings, self._environ, self._feed.tell)
            return self._made


def catch_signals(stop: Callable[[int], None]) -> None:
    """Let the signals that end a program end it in order."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: stop(number))
