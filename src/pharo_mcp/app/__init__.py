"""Puts the parts together: the only package that knows them all."""

from pharo_mcp.transports import NoClient

from .practice import practice_command
from .serving import serve
from .session import offered
from .settings import Settings

__all__ = ["NoClient", "Settings", "offered", "practice_command", "serve"]
