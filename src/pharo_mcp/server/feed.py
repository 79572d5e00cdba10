"""From where things happen to the conversations that tell their clients."""

from collections.abc import Callable
from threading import Lock

from pharo_mcp.protocol import News

Hear = Callable[[News], None]
"""Takes news, from any thread, and does not wait."""


class Feed:
    """Passes news on to everybody who has joined, from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._hearers: list[Hear] = []

    def join(self, hear: Hear) -> None:
        """Hear all news from now on."""
        with self._lock:
            self._hearers.append(hear)

    def leave(self, hear: Hear) -> None:
        """Hear no more."""
        with self._lock:
            self._hearers.remove(hear)

    def tell(self, news: News) -> None:
        """Let everybody hear this."""
        with self._lock:
            hearers = list(self._hearers)
        for hear in hearers:
            hear(news)
