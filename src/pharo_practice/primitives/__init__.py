"""The primitives by area; each module registers its functions when it is imported."""

from __future__ import annotations

import importlib
import pkgutil


def register_all() -> None:
    """Import every module here."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
