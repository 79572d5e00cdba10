"""Keeps the code of an image's methods, so that the next one is fast sooner."""

from __future__ import annotations

from contextlib import suppress

from pharo_practice.compiling.packing import packed
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import CompiledMethod
from pharo_practice.model.stored_text import StoredText
from pharo_practice.tonel.cache import keep_code

FEWEST = 100
"""Methods for which it is worth to write the file anew."""


def keep_compiled_methods(vm: Machine) -> None:
    """Keep the code of methods that were compiled from kept sources, if there are enough of them."""
    methods = {
        method.stored_source: method
        for method in vm.compiled_from_sources
        if isinstance(method.stored_source, StoredText) and _is_its_own(method)
    }
    if len(methods) >= FEWEST:
        with suppress(OSError):  # the sources may be gone
            keep_code({text: packed(vm, method) for text, method in methods.items()})


def _is_its_own(method: CompiledMethod) -> bool:
    """Whether the method is written in the class that has it: it may also come from a trait."""
    return method.origin is method.method_class
