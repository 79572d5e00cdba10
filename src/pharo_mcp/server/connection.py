"""A connection to one client, and the handshake that begins it."""

from collections.abc import Callable
from time import monotonic

from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.times import DRAIN_SECONDS, HEARTBEAT_SECONDS
from pharo_mcp.wire.jsonrpc import JsonRpcError, Request, Response, encode
from pharo_mcp.wire.transport import Transport

from .conversation import Conversation
from .event_bus import EventBus
from .events import Closing, Event, Inbox
from .identity import Identity
from .lifecycle import Lifecycle


class Connection:
    """Answers one client over one transport.

    If the client begins with `initialize`, that is answered before anything else is imported: people wait for
    their clients to start, and clients for this answer. Everything after it, and any other beginning, is for
    a `Conversation`.

    `catalog` is called when a list or a call first needs it, possibly in two threads at once, so that the
    handshake need not wait for it. `event_bus` brings what happens without a request while `serve` runs.
    """

    def __init__(
        self,
        transport: Transport,
        catalog: Callable[[], Catalog],
        identity: Identity,
        *,
        event_bus: EventBus | None = None,
        after_first_answer: Callable[[], None] | None = None,
        drain_seconds: float = DRAIN_SECONDS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._transport = transport
        self._catalog = catalog
        self._lifecycle = Lifecycle(identity)
        self._event_bus = event_bus or EventBus()
        self._after_first_answer = after_first_answer
        self._drain_seconds = drain_seconds
        self._clock = clock
        self._inbox = Inbox()

    def serve(self) -> str | None:
        """Answer until the connection is closed.

        Returns:
            Why some answers were not delivered; None if all were.
        """
        self._transport.start(self._inbox.put)
        self._event_bus.join(self._inbox.put)
        try:
            event = self._next_event()
            if self._shake_hands(event):
                event = self._next_event()
            return self._converse(event)
        finally:
            self._event_bus.leave(self._inbox.put)

    def close(self) -> None:
        """End `serve` now; requests in flight are stopped and not answered. Signal handlers may call it."""
        self._inbox.put(Closing())

    def _next_event(self) -> Event:
        while (event := self._inbox.take()) is None:
            self._inbox.wait(HEARTBEAT_SECONDS)
        return event

    def _shake_hands(self, event: Event) -> bool:
        """Answer the event if it is a valid legacy handshake; whether it was."""
        if not isinstance(event, Request) or event.method != "initialize":
            return False
        try:
            if self._lifecycle.revision_of(event.params):
                return False
            result = self._lifecycle.negotiate(event.params)
        except JsonRpcError:
            return False
        self._transport.send(encode(Response(event.id, result)))
        action, self._after_first_answer = self._after_first_answer, None
        if action:
            action()
        return True

    def _converse(self, first: Event) -> str | None:
        conversation = Conversation(
            self._transport,
            self._catalog,
            self._lifecycle,
            self._inbox,
            tasks=self._event_bus.tasks,
            after_first_answer=self._after_first_answer,
            drain_seconds=self._drain_seconds,
            clock=self._clock,
        )
        return conversation.hold(first)
