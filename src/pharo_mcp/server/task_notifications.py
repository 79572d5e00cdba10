"""The notifications about tasks, in both eras."""

from collections.abc import Iterator, Mapping

from pharo_mcp.protocol.revisions import MODERN_REVISIONS, NEWEST_LEGACY
from pharo_mcp.wire.jsonrpc import Notification

from .task_states import RELATED, TaskEvent, encode, encode_in_full

MODERN = [*MODERN_REVISIONS.values()][-1]


def legacy_notifications(event: TaskEvent) -> Iterator[Notification]:
    """What is reported to the client of a task: its new status, and its progress if it asked for that."""
    task, state = event.task, event.state
    if event.is_new_status:
        yield Notification("notifications/tasks/status", encode(task, state, NEWEST_LEGACY))
    if event.has_advanced and state.how_far and task.token is not None:
        progress, message, total = state.how_far[:3]
        reported = {"progress": progress, "message": message, "total": total}
        params = {name: value for name, value in reported.items() if value is not None}
        meta = {RELATED: {"taskId": task.id}}
        yield Notification("notifications/progress", {"progressToken": task.token, **params, "_meta": meta})


def modern_notification(event: TaskEvent, meta: Mapping[str, object]) -> Notification:
    """What is reported to a client that listens to a task: all that `tasks/get` answers."""
    return Notification(
        "notifications/tasks",
        {"_meta": meta, **encode_in_full(event.task, event.state, event.result, MODERN)},
    )
