"""The web server that runs the application; it is an optional dependency."""

import asyncio
import socket
from types import FrameType

from pharo_mcp.extras import how_to_install
from pharo_mcp.times import HTTP_ARRIVAL_SECONDS, HTTP_STOP_SECONDS

from .application import PATH, Application

HOST = "127.0.0.1"
MAX_CONNECTIONS = 256
"""Most concurrent HTTP connections; further ones get status 503."""


class WebServerMissing(Exception):
    """The web server is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__(f"serving over HTTP requires uvicorn: {how_to_install('http')}")


class HttpServer:
    """Listens on a port of this computer; with port 0, the system chooses one.

    Raises:
        WebServerMissing: If the web server is not installed.
        OSError: If it cannot listen on the port.
    """

    def __init__(
        self, application: Application, port: int, arrival_seconds: float = HTTP_ARRIVAL_SECONDS
    ) -> None:
        try:
            import uvicorn  # here: optional, and slow to import

            from .arrival import PatientProtocol
        except ImportError as error:
            raise WebServerMissing from error

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
