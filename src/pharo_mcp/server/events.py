"""The events in the inbox of a connection."""

from pharo_mcp.imports import TYPE_CHECKING, NamedTuple


class Closing(NamedTuple):
    """The request to close the connection at once."""


if TYPE_CHECKING:
    from pharo_mcp.protocol import ServerEvent
    from pharo_mcp.transports import TransportEvent

    from .client_requests import Outgoing
    from .in_flight import Finished, Ready
    from .progress import Report
    from .task_states import TaskEvent

    Event = TransportEvent | ServerEvent | TaskEvent | Report | Ready | Finished | Outgoing | Closing
