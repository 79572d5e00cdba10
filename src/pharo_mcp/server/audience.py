"""What a client wants to hear without asking each time, and the lines that tell it.

Source: the pages on subscriptions and logging of https://modelcontextprotocol.io/specification.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import cast

from pharo_mcp.jsonrpc import Id, InvalidParams, Notification, Response, encode
from pharo_mcp.protocol import News

from .lifecycle import SUBSCRIPTION, Lifecycle
from .router import Question, text_in

LISTS = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
"""What a modern client calls the wish to hear that a list is another one, by its topic."""
URIS = "resourceSubscriptions"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
DEFAULT_LEVEL = "info"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"

Wishes = Mapping[str, object]
"""What a modern client listens to, as it is acknowledged."""
Told = tuple[str, Mapping[str, object]]
"""The method of a notification and its params."""


class Audience:
    """One client, as news are told to it. One thread uses it.

    A legacy client hears after its handshake that lists change, and of the URIs that it subscribed to. A
    modern one hears what it listens to, by requests that stay open; their ids mark what is told.
    """

    def __init__(self, lifecycle: Lifecycle) -> None:
        self._lifecycle = lifecycle
        self._level = DEFAULT_LEVEL
        self._uris: dict[str, None] = {}
        self._listening: dict[Id, Wishes] = {}

    def __contains__(self, request_id: Id) -> bool:
        return request_id in self._listening

    def subscribe(self, question: Question) -> dict[str, object]:
        """Tell from now on when what can be read under a URI may be another."""
        self._uris[text_in(question.params, "uri")] = None
        return {}

    def unsubscribe(self, question: Question) -> dict[str, object]:
        """Tell no more of a URI."""
        self._uris.pop(text_in(question.params, "uri"), None)
        return {}

    def set_level(self, question: Question) -> dict[str, object]:
        """Tell messages of a level and of those above it."""
        level = text_in(question.params, "level")
        if level not in LEVELS:
            raise InvalidParams(f"level must be one of {', '.join(LEVELS)}")
        self._level = level
        return {}

    def listen(self, question: Question) -> dict[str, object]:
        """Tell what a modern client wishes, from now on until it cancels; what acknowledges that."""
        wishes = _wishes(question.params.get("notifications"))
        self._listening[question.call.id] = wishes
        return {"_meta": {SUBSCRIPTION: question.call.id}, "notifications": wishes}

    def leave(self, request_id: Id) -> None:
        """Listen no more, if that is what the request asked for."""
        self._listening.pop(request_id, None)

    def lines(self, news: News) -> Iterator[bytes]:
        """What to send of it."""
        legacy = self._lifecycle.negotiated
        if legacy and legacy.tells_news:
            for method, params in self._for_legacy(news):
                yield encode(Notification(method, params))
        for request_id, wishes in self._listening.items():
            mark = {"_meta": {SUBSCRIPTION: request_id}}
            for method, params in _for_modern(news, wishes):
                yield encode(Notification(method, {**mark, **params}))

    def farewells(self) -> Iterator[bytes]:
        """The answers to all who listen: nothing more comes."""
        for request_id in self._listening:
            meta = {SUBSCRIPTION: request_id}
            yield encode(Response(request_id, {"resultType": "complete", "_meta": meta}))
        self._listening.clear()

    def _for_legacy(self, news: News) -> Iterator[Told]:
        if news.topic in LISTS:
            yield _list_changed(news), {}
        elif news.topic == "message":
            level = news.params.get("level")
            if level in LEVELS and LEVELS.index(level) >= LEVELS.index(self._level):
                yield "notifications/message", news.params
        else:
            yield from _updates(news, self._uris)


def _for_modern(news: News, wishes: Wishes) -> Iterator[Told]:
    if wishes.get(LISTS.get(news.topic, "")):
        yield _list_changed(news), {}
    yield from _updates(news, cast(list[str], wishes.get(URIS, [])))


def _list_changed(news: News) -> str:
    return f"notifications/{news.topic}/list_changed"


def _updates(news: News, uris: Iterable[str]) -> Iterator[Told]:
    yield from ((UPDATED, {"uri": uri}) for uri in uris if news.concerns(uri))


def _wishes(asked: object) -> Wishes:
    if not isinstance(asked, dict):
        raise InvalidParams("notifications must be an object")
    wishes: dict[str, object] = {name: True for name in LISTS.values() if asked.get(name) is True}
    match asked.get(URIS):
        case None:
            return wishes
        case list() as uris if all(isinstance(uri, str) for uri in uris):
            return {**wishes, URIS: list(dict.fromkeys(uris))}
    raise InvalidParams(f"{URIS} must be a list of strings")
