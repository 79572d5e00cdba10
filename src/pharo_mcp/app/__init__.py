"""Puts the parts together: the only package that knows them all."""

from .practice import practice_command
from .serving import serve
from .settings import Settings

__all__ = ["Settings", "practice_command", "serve"]
