"""Serve clients over HTTP."""

from collections.abc import Callable, Mapping
from threading import Thread

from pharo_mcp.extras import how_to_install
from pharo_mcp.http.application import Application
from pharo_mcp.http.requests import check_token, make_token

from .lazy_backend import LazyBackend
from .settings import ServingFailed
from .signals import catch_signals, ignore_signals

TOKEN = "PHARO_MCP_HTTP_TOKEN"  # noqa: S105 - the name of a variable


def serve(backend: LazyBackend, environ: Mapping[str, str], port: int, report: Callable[[str], None]) -> int:
    """See `serve_http`."""
    chosen = environ.get(TOKEN)
    try:
        from pharo_mcp.http.serving import HttpServer  # here: its web server is optional
    except ImportError as error:
        raise ServingFailed(f"serving over HTTP requires uvicorn: {how_to_install('http')}") from error
    try:
        token = check_token(chosen) if chosen else make_token()
        server = HttpServer(Application(backend.connect, token, backend.catalog), port)
    except ValueError as error:
        raise ServingFailed(str(error)) from error
    except OSError as error:
        raise ServingFailed(f"cannot listen on port {port}: {error.strerror or error}") from error
    signals: list[int] = []

    def stop(number: int) -> None:
        signals.append(number)
        if len(signals) == 1:
            server.close()  # the web server may not have installed its own signal handlers yet

    catch_signals(stop)
    report(f"pharo-mcp serves MCP at {server.url}")
    if not chosen:
        report(f"Authorization: Bearer {token}")
    Thread(target=backend.get_ready, name="get ready", daemon=True).start()
    try:
        server.run()
    finally:
        backend.close()
        ignore_signals()
    return 128 + signals[0] if signals else 0
