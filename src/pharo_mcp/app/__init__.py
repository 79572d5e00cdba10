"""Connects the parts: the only package that imports all others except the command line."""

from pharo_mcp.transports import NoClient

from .pharo_commands import evaluate, run_script
from .practice_command import practice_command
from .serving import serve, serve_http
from .session import is_open, open_backend, open_launch
from .settings import ServingFailed, Settings

__all__ = [
    "NoClient",
    "ServingFailed",
    "Settings",
    "evaluate",
    "is_open",
    "open_backend",
    "open_launch",
    "practice_command",
    "run_script",
    "serve",
    "serve_http",
]
