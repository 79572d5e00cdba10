"""Notifications without a request: the bus of events, and what each client has subscribed to.

Source: the pages on subscriptions and logging of https://modelcontextprotocol.io/specification.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock

from pharo_mcp.protocol.catalog import ServerEvent
from pharo_mcp.wire.jsonrpc import Id, InvalidParams, Notification, Response, encode

from .lifecycle import SUBSCRIPTION, Lifecycle, RequestContext, text_in
from .tasks import TaskEvent, Tasks

LISTS = {
    "tools": "toolsListChanged",
    "prompts": "promptsListChanged",
    "resources": "resourcesListChanged",
}
"""The filters of a modern client for list changes, by topic."""
URIS = "resourceSubscriptions"
TASK_IDS = "taskIds"
LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
DEFAULT_LEVEL = "info"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
UPDATED = "notifications/resources/updated"

Filters = dict[str, object]
"""What a modern client listens to, as it is acknowledged."""
MethodAndParams = tuple[str, Mapping[str, object]]
"""The method of a notification and its params."""

Subscriber = Callable[[ServerEvent | TaskEvent], None]
"""Is called with an event, in any thread. Must not block."""


class EventBus:
    """Passes each event to every subscriber. Any thread may use it.

    `tasks` are those of all clients; their changes are events.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._subscribers: list[Subscriber] = []
        self.tasks = Tasks(self.publish)

    def join(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        with self._lock:
            self._subscribers.append(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        with self._lock:
            self._subscribers.remove(subscriber)

    def publish(self, event: ServerEvent | TaskEvent) -> None:
        """Pass an event to every subscriber."""
        with self._lock:
            subscribers = list(self._subscribers)
        for subscriber in subscribers:
            subscriber(event)


class Subscriptions:
    """The subscriptions of one client. One thread at a time uses it.

    Its `tasks` are those of all clients. `open_requests` has what a modern client listens to,
    by the ids of its requests.

    After its handshake, a legacy client is notified of changed lists and of the URIs that it subscribed to.
    A modern one gets what it listens to by requests that stay open; notifications carry the request's id.
    """

    def __init__(self, lifecycle: Lifecycle, tasks: Tasks) -> None:
        self._lifecycle = lifecycle
        self._tasks = tasks
        self._level = DEFAULT_LEVEL
        self._uris: dict[str, None] = {}
        self.open_requests: dict[Id, Filters] = {}

    def subscribe(self, context: RequestContext) -> dict[str, object]:
        """Notify from now on when the contents of a URI may have changed."""
        self._uris[text_in(context.params, "uri")] = None
        return {}

    def unsubscribe(self, context: RequestContext) -> dict[str, object]:
        """End the subscription to a URI."""
        self._uris.pop(text_in(context.params, "uri"), None)
        return {}

    def set_level(self, context: RequestContext) -> dict[str, object]:
        """Send log messages of a level and above."""
        level = text_in(context.params, "level")
        if level not in LEVELS:
            raise InvalidParams(f"level must be one of {', '.join(LEVELS)}")
        self._level = level
        return {}

    def listen(self, context: RequestContext) -> dict[str, object]:
        """Send what a modern client listens to until it cancels; returns the acknowledgement."""
        wanted = context.params.get("notifications")
        if not isinstance(wanted, dict):
            raise InvalidParams("notifications must be an object")
        filters = _filters(wanted)
        if TASK_IDS in wanted:
            context.check_tasks_declared()
            filters[TASK_IDS] = self._known_tasks(_strings(wanted[TASK_IDS], TASK_IDS))
        self.open_requests[context.call.id] = filters
        return {"_meta": {SUBSCRIPTION: context.call.id}, "notifications": filters}

    def leave(self, request_id: Id) -> None:
        """End what a `subscriptions/listen` request started, if the id is of one."""
        self.open_requests.pop(request_id, None)

    def lines(self, event: ServerEvent) -> Iterator[bytes]:
        """Return the notifications for an event, encoded."""
        legacy = self._lifecycle.negotiated
        if legacy and legacy.sends_notifications:
            for method, params in self._for_legacy(event):
                yield encode(Notification(method, params))
        for request_id, filters in self.open_requests.items():
            mark = {"_meta": {SUBSCRIPTION: request_id}}
            for method, params in _for_modern(event, filters):
                yield encode(Notification(method, {**mark, **params}))

    def lines_about_task(self, event: TaskEvent) -> Iterator[bytes]:
        """Return the notifications for a change of a task, encoded: for its owner, or a listening client."""
        if event.task.owner is self._lifecycle:
            yield from map(encode, event.legacy_notifications())
        if event.task.owner is None and event.is_new_status:
            for request_id, filters in self.open_requests.items():
                ids = filters.get(TASK_IDS)
                if isinstance(ids, list) and event.task.id in ids:
                    yield encode(event.modern_notification({SUBSCRIPTION: request_id}))

    def closing_lines(self) -> Iterator[bytes]:
        """Return the answers to the open `subscriptions/listen` requests, encoded."""
        for request_id in self.open_requests:
            meta = {SUBSCRIPTION: request_id}
            yield encode(Response(request_id, {"resultType": "complete", "_meta": meta}))
        self.open_requests.clear()

    def _known_tasks(self, task_ids: Iterable[str]) -> list[str]:
        """Return the ids of tasks among some; publish the state of each, since it may have ended before."""
        known = [task for task_id in task_ids if (task := self._tasks.find(task_id, None))]
        for task in known:
            self._tasks.announce(task)
        return [task.id for task in known]

    def _for_legacy(self, event: ServerEvent) -> Iterator[MethodAndParams]:
        if event.topic in LISTS:
            yield _list_changed(event), {}
        elif event.topic == "message":
            level = event.params.get("level")
            if level in LEVELS and LEVELS.index(level) >= LEVELS.index(self._level):
                yield "notifications/message", event.params
        else:
            yield from _updates(event, self._uris)


def _for_modern(event: ServerEvent, filters: Filters) -> Iterator[MethodAndParams]:
    if filters.get(LISTS.get(event.topic, "")):
        yield _list_changed(event), {}
    uris = filters.get(URIS)
    yield from _updates(event, uris if isinstance(uris, list) else [])


def _list_changed(event: ServerEvent) -> str:
    return f"notifications/{event.topic}/list_changed"


def _updates(event: ServerEvent, uris: Iterable[str]) -> Iterator[MethodAndParams]:
    yield from ((UPDATED, {"uri": uri}) for uri in uris if event.concerns(uri))


def _filters(wanted: Mapping[str, object]) -> Filters:
    filters: Filters = {name: True for name in LISTS.values() if wanted.get(name) is True}
    if wanted.get(URIS) is not None:
        filters[URIS] = _strings(wanted[URIS], URIS)
    return filters


def _strings(given: object, name: str) -> list[str]:
    """Return the different strings of a list."""
    if isinstance(given, list) and all(isinstance(each, str) for each in given):
        return list(dict.fromkeys(given))
    raise InvalidParams(f"{name} must be a list of strings")
