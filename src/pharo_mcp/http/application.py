"""The ASGI application: one path, three methods."""

import asyncio
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic

from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.protocol.revisions import NEWEST_LEGACY
from pharo_mcp.wire.jsonrpc import InvalidRequest, Message, Notification, Request

from .requests import (
    ERROR_STATUSES,
    EVENTS,
    NO_CONTENT,
    VERSION_HEADER,
    ClientDisconnected,
    Exchange,
    Guard,
    HttpError,
    Receive,
    Scope,
    Send,
    as_event,
    check_legacy,
    check_modern,
    check_parameters,
    is_modern,
    not_allowed,
)
from .sessions import Connect, ConnectionThreads, HttpSession, Sessions, SingleRequestTransport
from .streams import Position, SessionStream, Stream

HTTP_JSON_SECONDS = 2.0
"""A response is JSON until then, and a stream of events from then on."""
STREAM_KEEP_ALIVE_SECONDS = 15.0
"""The interval of comments in a quiet stream: shorter than the timeouts of proxies."""
SESSION_CLEANUP_SECONDS = 60.0
"""The interval of the search for idle sessions."""


PATH = "/mcp"
SESSION = "mcp-session-id"
LAST_EVENT = "last-event-id"


class Application:
    """Serves MCP over HTTP: one connection per session of a legacy client and per request of a modern one.

    `connect` makes the connection that serves a transport; `catalog` has the tools whose arguments clients
    repeat in headers.
    """

    def __init__(
        self,
        connect: Connect,
        token: str,
        catalog: Callable[[], Catalog],
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._guard = Guard(token)
        self._catalog = catalog
        self._threads = ConnectionThreads(connect)
        self._sessions = Sessions(self._threads, clock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._methods = {"POST": self._post, "GET": self._get, "DELETE": self._delete}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request or, with the scope `lifespan`, the start and end of the server."""
        if scope["type"] == "lifespan":
            await self._run_lifespan(receive, send)
            return
        exchange = Exchange(scope, receive, send)
        try:
            await self._handle(exchange)
        except HttpError as error:
            await exchange.respond(error.status, error.line, error.headers)
        except ClientDisconnected:
            return

    def stop(self) -> None:
        """Stop all connections; any thread, and a signal handler, may call it."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._threads.stop_all)

    async def _run_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._loop = asyncio.get_running_loop()
        await send({"type": "lifespan.startup.complete"})
        cleanup = asyncio.create_task(self._end_idle_sessions())
        await receive()
        cleanup.cancel()
        self._threads.stop_all()
        await asyncio.to_thread(self._threads.join_all)
        await send({"type": "lifespan.shutdown.complete"})

    async def _end_idle_sessions(self) -> None:
        while True:
            await asyncio.sleep(SESSION_CLEANUP_SECONDS)
            self._sessions.end_idle()

    async def _handle(self, exchange: Exchange) -> None:
        self._guard.check(exchange.headers)
        if exchange.path != PATH:
            raise HttpError(404, InvalidRequest(f"unknown path: use {PATH}"))
        if exchange.method not in self._methods:
            raise not_allowed(exchange.method, ", ".join(self._methods))
        await self._methods[exchange.method](exchange)

    async def _post(self, exchange: Exchange) -> None:
        if not any(exchange.accepts):
            raise HttpError(406, InvalidRequest("Accept must include application/json or text/event-stream"))
        message = await exchange.read_message()
        if is_modern(message, exchange.headers):
            await self._respond_to_modern(exchange, message)
        elif SESSION in exchange.headers:
            await self._respond_in_session(exchange, message)
        elif isinstance(message, Request) and message.method == "initialize":
            await self._open_session(exchange, message)
        else:
            error = InvalidRequest("Mcp-Session-Id is missing: start with initialize")
            raise HttpError(400, error, message.id if isinstance(message, Request) else None)

    async def _get(self, exchange: Exchange) -> None:
        """Send messages that belong to no POST, as long as the client listens, or resume a broken stream."""
        transport = self._session_of(exchange).transport
        if not exchange.accepts.events:
            raise HttpError(406, InvalidRequest("Accept must include text/event-stream"))
        reader = Stream()
        if last_event := exchange.headers.get(LAST_EVENT):
            after = Position.parse(last_event)
            resumed = transport.resume(reader, after) if after else None
            if resumed is None:
                raise HttpError(400, InvalidRequest(f"no stream with the event {last_event} can be resumed"))
            await self._relay(exchange, reader, partial(transport.stop_reading, resumed, reader))
        else:
            stream = transport.listen(reader)
            on_end = partial(transport.stop_reading, stream, reader)
            await self._relay(exchange, reader, on_end, beginning=_beginning(exchange, stream))

    async def _delete(self, exchange: Exchange) -> None:
        self._sessions.end(self._session_of(exchange))
        await exchange.respond(NO_CONTENT)

    async def _respond_to_modern(self, exchange: Exchange, message: Message) -> None:
        match message:
            case Request():
                check_modern(message, exchange.headers)
                self._check_parameters(message, exchange.headers)
            case Notification():  # it cannot refer to another request, so there is nothing to do
                await exchange.respond(202)
                return
            case _:
                raise HttpError(400, InvalidRequest("the body must be one request or one notification"))
        stream = Stream()
        thread = self._threads.start(SingleRequestTransport(message, stream))
        await self._relay(exchange, stream, thread.stop, ERROR_STATUSES)

    def _check_parameters(self, request: Request, headers: Mapping[str, str]) -> None:
        name = request.params.get("name")
        if request.method == "tools/call" and isinstance(name, str):
            tool = self._catalog().find_tool(name)
            check_parameters(request, headers, tool.input_schema.definition if tool else {})

    async def _open_session(self, exchange: Exchange, message: Request) -> None:
        session = self._sessions.open()
        reader = Stream()
        stream = session.post(message, reader)
        answer = await reader.take_last()
        if stream:
            session.transport.forget(stream)
        line = answer.line or b""
        if answer.code is None:
            headers = {SESSION: session.id}
        else:
            headers = {}
            self._sessions.end(session)
        if exchange.accepts.json:
            await exchange.respond(200, line, headers)
        else:
            await exchange.respond(200, as_event(line), headers, EVENTS)

    async def _respond_in_session(self, exchange: Exchange, message: Message) -> None:
        session = self._session_of(exchange)
        reader = Stream()
        stream = session.post(message, reader)
        if stream is None:
            await exchange.respond(202)
            return
        # A disconnect does not cancel a legacy request: it continues, and its stream can be resumed.
        beginning = _beginning(exchange, stream)
        if not await self._relay(exchange, reader, lambda: None, {}, beginning):
            session.transport.forget(stream)

    def _session_of(self, exchange: Exchange) -> HttpSession:
        check_legacy(exchange.method, exchange.headers)
        if SESSION not in exchange.headers:
            raise HttpError(400, InvalidRequest("Mcp-Session-Id is missing"))
        return self._sessions.find(exchange.headers[SESSION])

    async def _relay(
        self,
        exchange: Exchange,
        stream: Stream,
        on_end: Callable[[], None],
        statuses: Mapping[int, int] | None = None,
        beginning: str | None = None,
    ) -> bool:
        """Respond with the lines of a stream; return whether they were events. `on_end` is always called.

        With `statuses` (by error code; other responses have 200), the response is JSON if the last line is
        the first one and arrives within HTTP_JSON_SECONDS. Otherwise it is a stream of events, which starts
        with one of the id `beginning` if that is given.
        """
        watcher = asyncio.create_task(_finish_on_disconnect(exchange, stream))
        item = None
        try:
            if statuses is not None and exchange.accepts.json:
                item = await (
                    stream.take(HTTP_JSON_SECONDS) if exchange.accepts.events else stream.take_last()
                )
                if item.is_last and item.line:
                    await exchange.respond(statuses.get(item.code or 0, 200), item.line)
                    return False
            await exchange.start_events()
            if beginning:
                await exchange.send_beginning(beginning)
            item = item or await stream.take(STREAM_KEEP_ALIVE_SECONDS)
            while not item.is_last:
                await exchange.send_event(item.line, item.id)
                item = await stream.take(STREAM_KEEP_ALIVE_SECONDS)
            if item.line:
                await exchange.send_event(item.line, item.id)
            await exchange.end_events()
            return True
        finally:
            watcher.cancel()
            on_end()


def _beginning(exchange: Exchange, stream: SessionStream) -> str | None:
    """Return the id of a stream's beginning, for clients of 2025-11-25: they know events without data."""
    knows_it = exchange.headers.get(VERSION_HEADER) == NEWEST_LEGACY.name
    return stream.beginning if knows_it else None


async def _finish_on_disconnect(exchange: Exchange, stream: Stream) -> None:
    """End a stream when the client disconnects."""
    await exchange.wait_for_disconnect()
    stream.finish()
