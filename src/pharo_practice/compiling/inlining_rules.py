"""Which messages the compiler inlines, under the conditions of Pharo's own compiler."""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.reading.nodes import (
    AssignmentNode,
    BlockNode,
    LiteralNode,
    MessageNode,
    Node,
    VariableNode,
)

LOOPS = frozenset(
    {"whileTrue:", "whileFalse:", "whileTrue", "whileFalse", "repeat", "to:do:", "to:by:do:", "timesRepeat:"}
)


def inlined_structure(node: MessageNode) -> str | None:
    """The selector, if this message is compiled in place, else None."""
    condition = CONDITIONS.get(node.selector)
    return node.selector if condition is not None and condition(node) else None


def _is_block(node: Node, *arguments: int) -> bool:
    return isinstance(node, BlockNode) and len(node.arguments) in arguments


def _plain_blocks(node: MessageNode) -> bool:
    return not isinstance(node.receiver, BlockNode) and all(_is_block(each, 0) for each in node.arguments)


def _nil_blocks(node: MessageNode) -> bool:
    if isinstance(node.receiver, BlockNode):
        return False
    keywords = node.selector.split(":")
    return all(
        _is_block(argument, *((0, 1) if keyword == "ifNotNil" else (0,)))
        for keyword, argument in zip(keywords, node.arguments, strict=False)
    )


def _while(node: MessageNode) -> bool:
    return _is_block(node.receiver, 0) and all(_is_block(each, 0) for each in node.arguments)


def _to_do(node: MessageNode) -> bool:
    limit, block = node.arguments[0], node.arguments[-1]
    if isinstance(node.receiver, BlockNode) or not _is_block(block, 1):
        return False
    if isinstance(limit, VariableNode) and _assigns(block, limit.name):
        return False
    if len(node.arguments) == 2:
        return True
    step = node.arguments[1]
    return (
        isinstance(step, LiteralNode) and isinstance(step.value, int | float) and step.value not in (0, True)
    )


def _assigns(node: object, name: str) -> bool:
    """Whether any assignment within the node goes to the variable of this name."""
    pending: list[object] = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, AssignmentNode) and each.variable.name == name:
            return True
        if isinstance(each, list):
            pending.extend(each)
        elif isinstance(each, Node) and not isinstance(each, VariableNode | LiteralNode):
            pending.extend(vars(each).values())
    return False


def _times_repeat(node: MessageNode) -> bool:
    return not isinstance(node.receiver, BlockNode) and _is_block(node.arguments[0], 0)


def _repeat(node: MessageNode) -> bool:
    return _is_block(node.receiver, 0)


CONDITIONS: dict[str, Callable[[MessageNode], bool]] = {
    "ifTrue:": _plain_blocks,
    "ifFalse:": _plain_blocks,
    "ifTrue:ifFalse:": _plain_blocks,
    "ifFalse:ifTrue:": _plain_blocks,
    "and:": _plain_blocks,
    "or:": _plain_blocks,
    "ifNil:": _nil_blocks,
    "ifNotNil:": _nil_blocks,
    "ifNil:ifNotNil:": _nil_blocks,
    "ifNotNil:ifNil:": _nil_blocks,
    "whileTrue:": _while,
    "whileFalse:": _while,
    "whileTrue": _while,
    "whileFalse": _while,
    "to:do:": _to_do,
    "to:by:do:": _to_do,
    "timesRepeat:": _times_repeat,
    "repeat": _repeat,
}
