"""Serve one client on standard input and output, or any number over HTTP."""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Lock, Thread
from types import FrameType
from typing import TYPE_CHECKING

from pharo_mcp import __version__, how_to_install
from pharo_mcp.server.lifecycle import Identity
from pharo_mcp.server.serving import Server
from pharo_mcp.server.subscriptions import EventBus
from pharo_mcp.wire.transport import NoClient, Transport, claim_stdio

from .instructions import instructions
from .settings import Settings

if TYPE_CHECKING:
    from pharo_mcp.protocol.catalog import Catalog

    from .backend import Backend

SIGNALS = (signal.SIGTERM, signal.SIGINT)
TOKEN = "PHARO_MCP_HTTP_TOKEN"  # noqa: S105 - the name of a variable


class ServingFailed(Exception):
    """Serving over HTTP could not start; the message says why."""


class LazyBackend:
    """A `Backend` that is imported and made when it is first needed: the handshake does not wait for it."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._environ = environ
        self._lock = Lock()
        self._made: Backend | None = None
        self._event_bus = EventBus()

    def connect(self, transport: Transport, after_first_answer: Callable[[], None] | None = None) -> Server:
        """Return a server of a client over a transport."""
        words = instructions(self._settings.tools, read_only=self._settings.read_only)
        identity = Identity("pharo-mcp", __version__, "Pharo", words)
        return Server(
            transport,
            self.catalog,
            identity,
            event_bus=self._event_bus,
            after_first_answer=after_first_answer,
        )

    def catalog(self) -> "Catalog":
        """Return the current catalog."""
        return self._make().catalog()

    def get_ready(self) -> None:
        """See Backend."""
        self._make().get_ready()

    def close(self) -> None:
        """See Backend."""
        with self._lock:
            if self._made:
                self._made.close()

    def _make(self) -> "Backend":
        with self._lock:
            if self._made is None:
                from .backend import Backend

                self._made = Backend(self._settings, self._environ, self._event_bus.publish)
            return self._made


def serve(settings: Settings, environ: Mapping[str, str]) -> int:
    """Serve one client until its input ends or a signal arrives, and return the exit status.

    Raises:
        NoClient: If standard input or output is closed, or some answers were not delivered.
    """
    backend = LazyBackend(settings, environ)
    connection = backend.connect(claim_stdio(), _thread_for(backend).start)
    with _signals_to_end(backend, connection.close) as signals:
        lost = connection.serve()
    if signals:
        return 128 + signals[0]
    if lost:
        raise NoClient(f"some answers were not delivered: {lost}")
    return 0


def serve_http(
    settings: Settings, environ: Mapping[str, str], port: int, report: Callable[[str], None]
) -> int:
    """Serve clients over HTTP until a signal arrives, and return the exit status.

    `report` is called with a line for the user: the URL and, unless the user chose it, the token.

    Raises:
        ServingFailed: If the port is unavailable, the web server is not installed, or the token is invalid.
    """
    try:  # here: serving standard input and output does not need it, and its web server is optional
        from pharo_mcp.http.application import Application
        from pharo_mcp.http.requests import check_token, make_token
        from pharo_mcp.http.serving import HttpServer
    except ImportError as error:
        raise ServingFailed(f"serving over HTTP requires uvicorn: {how_to_install('http')}") from error
    backend = LazyBackend(settings, environ)
    chosen = environ.get(TOKEN)
    try:
        token = check_token(chosen) if chosen else make_token()
        server = HttpServer(Application(backend.connect, token, backend.catalog), port)
    except ValueError as error:
        raise ServingFailed(str(error)) from error
    except OSError as error:
        raise ServingFailed(f"cannot listen on port {port}: {error.strerror or error}") from error
    with _signals_to_end(backend, server.close) as signals:  # before the web server handles them itself
        report(f"pharo-mcp serves MCP at {server.url}")
        if not chosen:
            report(f"Authorization: Bearer {token}")
        _thread_for(backend).start()
        server.run()
    return 128 + signals[0] if signals else 0


def _thread_for(backend: LazyBackend) -> Thread:
    return Thread(target=backend.get_ready, name="get ready", daemon=True)


@contextmanager
def _signals_to_end(backend: LazyBackend, stop: Callable[[], None]) -> Iterator[list[int]]:
    """Call `stop` when a signal asks to end; yield the numbers of such signals. Close the backend at the end.

    No later signal changes the exit status of a process that is ending.
    """
    signals: list[int] = []

    def end(number: int, _: FrameType | None) -> None:
        signals.append(number)
        stop()

    for number in SIGNALS:
        signal.signal(number, end)
    try:
        yield signals
    finally:
        backend.close()
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
