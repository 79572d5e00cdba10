"""The web server under the application, which is an optional extra."""

import asyncio
import socket
from types import FrameType

from .application import PATH, Application

HOST = "127.0.0.1"
MOST_CONNECTIONS = 256
"""Connections at the same time: more are told to come back."""
STOP_SECONDS = 5
"""How long open answers may take in the end."""


class HttpMissing(Exception):
    """The web server is not installed; the sentence says how to install it."""

    def __init__(self) -> None:
        super().__init__(
            "serving HTTP needs uvicorn, which is an extra: install it with `pip install 'pharo-mcp[http]'`, "
            "or run `uvx --from 'pharo-mcp[http]' pharo-mcp --http PORT`"
        )


class HttpServer:
    """Listens on a port of this computer, which is 0 for one that the system chooses.

    Raises:
        HttpMissing: If the web server is not installed.
        OSError: If the port cannot be had.
    """

    def __init__(self, application: Application, port: int) -> None:
        try:
            import uvicorn  # only a few want it, and it is slow to import
        except ImportError as error:
            raise HttpMissing from error

        class Server(uvicorn.Server):
            def handle_exit(self, sig: int, frame: FrameType | None) -> None:
                application.end_soon()  # as in `close`
                super().handle_exit(sig, frame)

        self._application = application
        self._socket = socket.create_server((HOST, port))
        self._server = Server(
            uvicorn.Config(
                application,
                http="h11",
                loop="asyncio",
                ws="none",
                lifespan="on",
                log_config=None,
                access_log=False,
                proxy_headers=False,
                server_header=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_graceful_shutdown=STOP_SECONDS,
            )
        )

    @property
    def url(self) -> str:
        """Where clients find it."""
        return f"http://{HOST}:{self._socket.getsockname()[1]}{PATH}"

    def run(self) -> None:
        """Serve until a signal or `close` ends it; who handled signals before is told of that, too."""
        asyncio.run(self._server.serve([self._socket]))

    def close(self) -> None:
        """End `run`, in order; any thread may call it."""
        # Answers that wait for the image, and listeners, would keep the server until its bound.
        self._application.end_soon()
        self._server.should_exit = True
