"""Puts the parts together: the only package that knows them all."""

from pharo_mcp.transports import NoClient

from .pharo_commands import evaluate, run_script
from .practice import practice_command
from .serving import NotServed, serve, serve_http
from .session import is_open, offered, open_launch
from .settings import Settings

__all__ = [
    "NoClient",
    "NotServed",
    "Settings",
    "evaluate",
    "is_open",
    "offered",
    "open_launch",
    "practice_command",
    "run_script",
    "serve",
    "serve_http",
]
