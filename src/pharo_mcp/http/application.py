"""The application that a web server runs: one address, three methods."""

import asyncio
from collections.abc import Callable, Mapping
from time import monotonic

from pharo_mcp.jsonrpc import InvalidRequest, Message, Notification, Request

from .conversations import Connect, Conversations
from .eras import STATUSES, check_legacy, check_modern, is_modern
from .exchange import EVENTS, NO_CONTENT, ClientLeft, Exchange, Receive, Scope, Send, as_event
from .guard import Guard
from .refusals import NotAllowed, Refusal
from .sessions import Session, Sessions
from .streams import Stream
from .transports import OneAnswer

PATH = "/mcp"
SESSION = "mcp-session-id"

PATIENCE = 2.0
"""Seconds that an answer may take to be one piece of JSON; what takes longer, or tells of its progress, is a
stream of events."""

QUIET_SECONDS = 15.0
"""How long a stream says nothing at most: less than a proxy would wait."""

SWEEP_SECONDS = 60.0
"""How often sessions are looked through for those that nobody uses."""


class Application:
    """Serves MCP over HTTP: a session per legacy client, a conversation of its own per modern request.

    `connect` makes the connection that answers over a transport.
    """

    def __init__(self, connect: Connect, token: str, clock: Callable[[], float] = monotonic) -> None:
        self._guard = Guard(token)
        self._conversations = Conversations(connect)
        self._sessions = Sessions(self._conversations, clock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._methods = {"POST": self._post, "GET": self._get, "DELETE": self._delete}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or live through the server's whole life, as ASGI asks for."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        exchange = Exchange(scope, receive, send)
        try:
            await self._answer(exchange)
        except Refusal as refusal:
            await exchange.answer(refusal.status, refusal.line, refusal.headers)
        except ClientLeft:
            return

    def end_soon(self) -> None:
        """End all conversations; any thread, and a signal handler, may call it."""
        if self._loop:
            self._loop.call_soon_threadsafe(self._conversations.end_all)

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self._loop = asyncio.get_running_loop()
        await send({"type": "lifespan.startup.complete"})
        sweeping = asyncio.create_task(self._sweep())
        await receive()
        sweeping.cancel()
        self._conversations.end_all()
        await asyncio.to_thread(self._conversations.join_all)
        await send({"type": "lifespan.shutdown.complete"})

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            self._sessions.end_idle()

    async def _answer(self, exchange: Exchange) -> None:
        self._guard.check(exchange.headers)
        if exchange.path != PATH:
            raise Refusal(404, InvalidRequest(f"there is nothing but {PATH} here"))
        if exchange.method not in self._methods:
            raise NotAllowed(exchange.method, ", ".join(self._methods))
        await self._methods[exchange.method](exchange)

    async def _post(self, exchange: Exchange) -> None:
        if not any(exchange.accepts):
            raise Refusal(406, InvalidRequest("Accept must name application/json or text/event-stream"))
        message = await exchange.read_message()
        if is_modern(message, exchange.headers):
            await self._answer_modern(exchange, message)
        elif SESSION in exchange.headers:
            await self._answer_in_session(exchange, message)
        elif isinstance(message, Request) and message.method == "initialize":
            await self._open_session(exchange, message)
        else:
            request_id = message.id if isinstance(message, Request) else None
            raise Refusal(400, InvalidRequest("Mcp-Session-Id is missing: begin with initialize"), request_id)

    async def _get(self, exchange: Exchange) -> None:
        """Send what belongs to no POST, for as long as the client listens.

        What a connection lost is not sent again: `Last-Event-ID` is not offered, so events have no ids.
        """
        session = self._session_of(exchange)
        if not exchange.accepts.events:
            raise Refusal(406, InvalidRequest("Accept must name text/event-stream"))
        stream = Stream()
        session.transport.listen(stream)
        await self._relay(exchange, stream, lambda: session.transport.stop_listening(stream))

    async def _delete(self, exchange: Exchange) -> None:
        self._sessions.end(self._session_of(exchange))
        await exchange.answer(NO_CONTENT)

    async def _answer_modern(self, exchange: Exchange, message: Message) -> None:
        match message:
            case Request():
                check_modern(message, exchange.headers)
            case Notification():  # it can only be of a conversation that is another one
                await exchange.answer(202)
                return
            case _:
                raise Refusal(400, InvalidRequest("a body must be one request or one notification"))
        stream = Stream()
        conversation = self._conversations.begin(OneAnswer(message, stream))
        await self._relay(exchange, stream, conversation.end, STATUSES)

    async def _open_session(self, exchange: Exchange, message: Request) -> None:
        session = self._sessions.open()
        stream = Stream()
        session.take(message, stream)
        piece = await stream.take_last()
        line = piece.line or b""
        if piece.code is None:
            opened = {SESSION: session.id}
        else:
            opened = {}
            self._sessions.end(session)
        if exchange.accepts.json:
            await exchange.answer(200, line, opened)
        else:
            await exchange.answer(200, as_event(line), opened, EVENTS)

    async def _answer_in_session(self, exchange: Exchange, message: Message) -> None:
        session = self._session_of(exchange)
        stream = Stream()
        if session.take(message, stream):
            # A client that is gone has not said that it wants no answer: its request goes on.
            await self._relay(exchange, stream, lambda: None, {})
        else:
            await exchange.answer(202)

    def _session_of(self, exchange: Exchange) -> Session:
        check_legacy(exchange.method, exchange.headers)
        if SESSION not in exchange.headers:
            raise Refusal(400, InvalidRequest("Mcp-Session-Id is missing"))
        return self._sessions.find(exchange.headers[SESSION])

    async def _relay(
        self,
        exchange: Exchange,
        stream: Stream,
        leave: Callable[[], None],
        statuses: Mapping[int, int] | None = None,
    ) -> None:
        """Answer with a stream's lines; `leave` is called in the end, however that comes.

        With `statuses`, by the codes of errors (others have 200), the answer may be one piece of JSON: if the
        last line comes first, and soon. Without, it is a stream of events.
        """
        watching = asyncio.create_task(_watch(exchange, stream))
        piece = None
        try:
            if statuses is not None and exchange.accepts.json:
                piece = await (stream.take(PATIENCE) if exchange.accepts.events else stream.take_last())
                if piece.is_last and piece.line:
                    await exchange.answer(statuses.get(piece.code or 0, 200), piece.line)
                    return
            await exchange.begin_events()
            piece = piece or await stream.take(QUIET_SECONDS)
            while not piece.is_last:
                await exchange.send_event(piece.line)
                piece = await stream.take(QUIET_SECONDS)
            if piece.line:
                await exchange.send_event(piece.line)
            await exchange.end_events()
        finally:
            watching.cancel()
            leave()


async def _watch(exchange: Exchange, stream: Stream) -> None:
    """End a stream when the client is gone."""
    await exchange.wait_until_gone()
    stream.finish()
