"""The backend of a server, made when it is first needed."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import TYPE_CHECKING

from pharo_mcp import __version__
from pharo_mcp.server.lifecycle import Identity
from pharo_mcp.server.serving import Server
from pharo_mcp.server.subscriptions import EventBus
from pharo_mcp.wire.transport import Transport

from .instructions import instructions
from .settings import Settings

if TYPE_CHECKING:
    from pharo_mcp.protocol.catalog import Catalog

    from .backend import Backend


class LazyBackend:
    """A `Backend` that is imported and made when it is first needed: the handshake does not wait for it."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._environ = environ
        self._lock = Lock()
        self._made: Backend | None = None
        self._event_bus = EventBus()

    def connect(self, transport: Transport, after_first_answer: Callable[[], None] | None = None) -> Server:
        """Return a server of a client over a transport."""
        words = instructions(self._settings.tools, read_only=self._settings.read_only)
        identity = Identity("pharo-mcp", __version__, "Pharo", words)
        return Server(
            transport,
            self.catalog,
            identity,
            event_bus=self._event_bus,
            after_first_answer=after_first_answer,
        )

    def catalog(self) -> "Catalog":
        """The current catalog."""
        return self._make().catalog

    def get_ready(self) -> None:
        """See Backend."""
        self._make().get_ready()

    def close(self) -> None:
        """See Backend."""
        with self._lock:
            if self._made:
                self._made.close()

    def _make(self) -> "Backend":
        with self._lock:
            if self._made is None:
                from .backend import Backend

                self._made = Backend(self._settings, self._environ, self._event_bus.publish)
            return self._made
