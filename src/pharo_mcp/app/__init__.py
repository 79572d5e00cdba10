"""Connects the parts: the only package that imports all others except the command line."""

from pharo_mcp.imports import TYPE_CHECKING, import_later
from pharo_mcp.transports import NoClient

from .serving import serve, serve_http
from .settings import IMAGE_CHOICES, ServingFailed, Settings

if TYPE_CHECKING:
    from .image_process import how_it_ended
    from .launch_records import LaunchRecord, new_record, one_at_a_time, read_launch_records
    from .pharo_commands import evaluate, run_script
    from .practice_image import SESSION_PREFIX
    from .session import end_launched, is_left, is_open, open_backend, open_client, open_launch
else:  # serving needs none of these
    __getattr__ = import_later(
        __name__, ("image_process", "launch_records", "pharo_commands", "practice_image", "session")
    )

__all__ = [
    "IMAGE_CHOICES",
    "SESSION_PREFIX",
    "LaunchRecord",
    "NoClient",
    "ServingFailed",
    "Settings",
    "end_launched",
    "evaluate",
    "how_it_ended",
    "is_left",
    "is_open",
    "new_record",
    "one_at_a_time",
    "open_backend",
    "open_client",
    "open_launch",
    "read_launch_records",
    "run_script",
    "serve",
    "serve_http",
]
