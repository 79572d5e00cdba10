"""The extension of the modern era by which clients declare, with each request, that they know tasks."""

from collections.abc import Mapping

from .errors import MissingClientCapability
from .lifecycle import CLIENT_CAPABILITIES, TASKS
from .router import RequestContext

REQUIRED: Mapping[str, object] = {"extensions": {TASKS: {}}}


def declares_tasks(context: RequestContext) -> bool:
    """Whether the client of a modern request knows tasks."""
    meta = context.params.get("_meta")
    match meta.get(CLIENT_CAPABILITIES) if isinstance(meta, dict) else None:
        case {"extensions": dict() as extensions}:
            return isinstance(extensions.get(TASKS), dict)
    return False


def check_tasks_declared(context: RequestContext) -> None:
    """Refuse a modern request of a client that does not know tasks.

    Raises:
        MissingClientCapability: If it has not declared that it does.
    """
    if context.revision.modern and not declares_tasks(context):
        raise MissingClientCapability(REQUIRED)
