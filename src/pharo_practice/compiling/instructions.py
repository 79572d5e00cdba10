"""The instructions of the stack machine, which the assembler turns into operations."""

from __future__ import annotations

from typing import TypeAlias

from pharo_practice.model.behavior import Value
from pharo_practice.reading.records import Record

Instruction: TypeAlias = tuple[Value, ...]
"""The name of an operation and its operands."""

DOIT = "DoIt"
"""The selector of expressions."""


class Label(Record):
    """A place in the code; its position is set when code generation reaches it."""

    position: int = 0
