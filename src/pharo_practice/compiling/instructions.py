"""The instructions of the stack machine, which the assembler turns into operations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from pharo_practice.model.behavior import Value

Instruction: TypeAlias = tuple[Value, ...]
"""The name of an operation and its operands."""

DOIT = "DoIt"
"""The selector of expressions."""


@dataclass(eq=False)
class Label:
    """A place in the code; its position is set when code generation reaches it."""

    position: int = 0
