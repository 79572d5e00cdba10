"""Serve one client on standard input and output, or any number over HTTP."""

from collections.abc import Callable, Mapping
from threading import Thread

from pharo_mcp.wire.stdio import NoClient, claim_stdio

from .lazy_backend import LazyBackend
from .settings import Settings
from .signals import catch_signals, ignore_signals


def serve(settings: Settings, environ: Mapping[str, str]) -> int:
    """Serve one client until its input ends or a signal arrives, and return the exit status.

    Raises:
        NoClient: If standard input or output is closed, or some answers were not delivered.
    """
    backend = LazyBackend(settings, environ)
    signals: list[int] = []

    def stop(number: int) -> None:
        signals.append(number)
        connection.close()

    def get_ready() -> None:
        # After writing: the thread's imports would keep the writer's thread from running.
        transport.after_writing(Thread(target=backend.get_ready, name="get ready", daemon=True).start)

    transport = claim_stdio()
    connection = backend.connect(transport, get_ready)
    catch_signals(stop)
    try:
        lost = connection.serve()
    finally:
        backend.close()
        ignore_signals()
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
    from .http_serving import serve  # here: serving standard input and output does not need it

    return serve(LazyBackend(settings, environ), environ, port, report)
