"""Serving clients over HTTP."""

from collections.abc import Callable, Mapping
from threading import Thread

from pharo_mcp.http import Application, HttpMissing, HttpServer, check_token, make_token

from .serving import Later, NotServed, catch_signals

TOKEN = "PHARO_MCP_HTTP_TOKEN"  # noqa: S105 - the name of a variable


def serve(later: Later, environ: Mapping[str, str], port: int, say: Callable[[str], None]) -> int:
    """See `serve_http`."""
    chosen = environ.get(TOKEN)
    try:
        token = check_token(chosen) if chosen else make_token()
        server = HttpServer(Application(later.connect, token), port)
    except (HttpMissing, ValueError) as error:
        raise NotServed(str(error)) from error
    except OSError as error:
        raise NotServed(f"port {port} cannot be had: {error.strerror or error}") from error
    signals: list[int] = []

    def stop(number: int) -> None:
        signals.append(number)
        server.close()  # it may not have begun to look out for signals itself

    catch_signals(stop)
    say(f"pharo-mcp serves MCP at {server.url}")
    if not chosen:
        say(f"Authorization: Bearer {token}")
    Thread(target=later.get_ready, name="get ready", daemon=True).start()
    try:
        server.run()
    finally:
        later.close()
    return 128 + signals[0] if signals else 0
