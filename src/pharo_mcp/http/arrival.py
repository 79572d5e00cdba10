"""The web server's protocol, with a limit for how long a request may take to arrive."""

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pharo_mcp.times import HTTP_ARRIVAL_SECONDS


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
