"""The web server that runs the application: uvicorn, an optional dependency."""

import asyncio
import socket
from types import FrameType

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .application import PATH, Application

HTTP_ARRIVAL_SECONDS = 20.0
"""A request must have arrived completely by then. Then its connection is closed."""
HTTP_STOP_SECONDS = 5
"""How long responses in progress may take after a stop."""


class PatientProtocol(H11Protocol):
    """Closes a connection whose request has not arrived completely in time, however slowly it comes.

    The time begins with the connection, or with the first byte of a later request.
    """

    seconds = HTTP_ARRIVAL_SECONDS

    _limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(transport)
        self._begin()

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        self._begin()
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._end()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._end()
        super().connection_lost(exc)

    def _begin(self) -> None:
        if self._limit is None:
            self._limit = self.loop.call_later(self.seconds, self._close)

    def _end(self) -> None:
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def _close(self) -> None:
        self._limit = None
        self.transport.close()


HOST = "127.0.0.1"
MAX_CONNECTIONS = 256
"""Most concurrent HTTP connections; further ones get status 503."""


class HttpServer:
    """Listens on a port of this computer; with port 0, the system chooses one.

    Raises:
        OSError: If it cannot listen on the port.
    """

    def __init__(
        self, application: Application, port: int, arrival_seconds: float = HTTP_ARRIVAL_SECONDS
    ) -> None:
        class Protocol(PatientProtocol):
            seconds = arrival_seconds

        class Server(uvicorn.Server):
            def handle_exit(self, sig: int, frame: FrameType | None) -> None:
                if not self.should_exit:  # a second signal would not end it in order
                    application.stop()  # as in `close`
                    super().handle_exit(sig, frame)

        self._application = application
        self._socket = socket.create_server((HOST, port))
        self._server = Server(
            uvicorn.Config(
                application,
                http=Protocol,
                loop="asyncio",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=MAX_CONNECTIONS,
                timeout_graceful_shutdown=HTTP_STOP_SECONDS,
            )
        )

    @property
    def url(self) -> str:
        """The URL for clients."""
        return f"http://{HOST}:{self._socket.getsockname()[1]}{PATH}"

    def run(self) -> None:
        """Serve until a signal arrives or `close` is called; the previous signal handlers are called too."""
        asyncio.run(self._server.serve([self._socket]))

    def close(self) -> None:
        """Stop `run` in an orderly way; any thread may call it."""
        # Otherwise pending requests and listeners would keep the server running until HTTP_STOP_SECONDS.
        self._application.stop()
        self._server.should_exit = True
