"""Primitives that find the piece of source for a place in compiled code."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import primitive
from pharo_practice.model.objects import Code, Context, Span, Value


@primitive("contextNodePosition")
def _context_node_position(vm: Machine, receiver: Context) -> Value:
    """Start and stop of the source that the context is executing."""
    return _position(vm, current_span(receiver))


@primitive("codeNodePosition")
def _code_node_position(vm: Machine, receiver: Code, pc: int) -> Value:
    """Start and stop of the source that a context with this program counter executes next."""
    return _position(vm, _span_at(receiver, pc))


def _position(vm: Machine, span: Span | None) -> Value:
    return None if span is None else vm.array(list(span))


def current_span(context: Context) -> Span | None:
    """The source that a context is executing, or that the message belongs to whose answer it waits for."""
    has_jumped = context.pc in context.method.loops
    return _span_at(context.method, context.pc if has_jumped else context.pc - 1)


def _span_at(code: Code, pc: int) -> Span | None:
    """The source of an operation, if it has some."""
    start, stop = code.spans[2 * pc : 2 * pc + 2] or (0, 0) if pc >= 0 else (0, 0)
    return (start, stop) if start else None
