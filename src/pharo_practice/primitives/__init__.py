"""The primitives by area; each module registers its functions when it is imported."""

from __future__ import annotations

import importlib
import os


def register_all() -> None:
    """Import every module here."""
    for name in sorted(os.listdir(__path__[0])):
        module, extension = os.path.splitext(name)
        if extension == ".py" and module != "__init__":
            importlib.import_module(f"{__name__}.{module}")
