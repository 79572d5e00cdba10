"""How the inlined control structures are compiled: branches, loops, tests for nil."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pharo_practice.compiling.emitter import Emitter
from pharo_practice.compiling.instructions import Label
from pharo_practice.reading.nodes import BlockNode, LiteralNode, MessageNode, Node, VariableNode


def _branch(emitter: Emitter, condition: Node, *, jump_when: bool, target: Label, owner: MessageNode) -> None:
    """Evaluate a condition and jump if it is ``jump_when``; ``and:`` and ``or:`` leave no value."""
    if isinstance(condition, MessageNode) and condition.inlined in ("and:", "or:"):
        # a and: [b] is settled by a false a, a or: [b] by a true one
        settled_by = condition.inlined == "or:"
        statements = _statements(condition.arguments[0])
        if len(statements) == 1 and len(condition.arguments) == 1:
            emitter.mention(condition)
            past = Label()
            first = target if settled_by == jump_when else past
            _branch(emitter, condition.receiver, jump_when=settled_by, target=first, owner=condition)
            _branch(emitter, statements[0], jump_when=jump_when, target=target, owner=condition)
            emitter.place(past)
            return
    emitter.value(condition)
    emitter.node = owner
    emitter.add("jump_true" if jump_when else "jump_false", target)


def _statements(block: Node) -> list[Node]:
    return block.statements if isinstance(block, BlockNode) and not block.temporaries else []


def _conditional(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``ifTrue:``, ``ifFalse:`` and their combinations."""
    first_when = node.selector.startswith("ifTrue:")
    otherwise, end = Label(), Label()
    _branch(emitter, node.receiver, jump_when=not first_when, target=otherwise, owner=node)
    _one_way(emitter, node.arguments[0], wanted)
    second = node.arguments[1] if len(node.arguments) > 1 else None
    if wanted or second is not None:
        emitter.add("jump", end)
    emitter.place(otherwise)
    if second is not None:
        _one_way(emitter, second, wanted)
    elif wanted:
        emitter.add("constant", None)
    emitter.place(end)


def _one_way(emitter: Emitter, block: Node, wanted: bool) -> None:
    if wanted:
        emitter.inlined_values(block)
    else:
        emitter.inlined_effect(block)


def _logical(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``and:`` and ``or:`` for their value."""
    settled_by = node.selector == "or:"
    settled, end = Label(), Label()
    _branch(emitter, node.receiver, jump_when=settled_by, target=settled, owner=node)
    emitter.inlined_values(node.arguments[0])
    emitter.add("jump", end)
    emitter.place(settled)
    emitter.add("constant", settled_by)
    emitter.place(end)
    if not wanted:
        emitter.add("pop")


def _nil_test(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``ifNil:``, ``ifNotNil:`` and both; where no block applies the value is the receiver."""
    keywords = node.selector.split(":")[:-1]
    branches = dict(zip(keywords, node.arguments, strict=True))
    when_nil, when_not = branches.get("ifNil"), branches.get("ifNotNil")
    not_nil, end = Label(), Label()
    emitter.value(node.receiver)
    emitter.node = node
    emitter.add("duplicate")
    emitter.add("jump_not_nil", not_nil)
    if when_nil is not None:
        emitter.add("pop")
        emitter.inlined_values(when_nil)
    emitter.add("jump", end)
    emitter.place(not_nil)
    if when_not is not None:
        if isinstance(when_not, BlockNode) and when_not.arguments:
            emitter.store(when_not.arguments[0])
        else:
            emitter.add("pop")
        emitter.inlined_values(when_not)
    emitter.place(end)
    if not wanted:
        emitter.add("pop")


def _while(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``whileTrue:``, ``whileFalse:`` and both without argument; the value is nil."""
    goes_on = node.selector.startswith("whileTrue")
    end = Label()
    top = emitter.top()
    condition = node.receiver
    if len(statements := _statements(condition)) == 1:
        _branch(emitter, statements[0], jump_when=not goes_on, target=end, owner=node)
    else:
        emitter.inlined_values(condition)
        emitter.node = node
        emitter.add("jump_false" if goes_on else "jump_true", end)
    for body in node.arguments:
        emitter.inlined_effect(body)
    emitter.add("loop", top)
    emitter.place(end)
    if wanted:
        emitter.add("constant", None)


def _repeat(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``repeat``: only a return ends it."""
    top = emitter.top()
    emitter.inlined_effect(node.receiver)
    emitter.node = node
    emitter.add("loop", top)
    if wanted:
        emitter.add("constant", None)


def _counting(
    emitter: Emitter,
    node: MessageNode,
    counter: VariableNode | int,
    limit: Node | int,
    step: Node,
    wanted: bool,
) -> None:
    """Count from what is on the stack to the limit; the first number is the value."""
    if wanted:
        emitter.add("duplicate")

    def load() -> None:
        if isinstance(counter, VariableNode):
            emitter.load(counter)
        else:
            emitter.add("temporary", counter)

    def store() -> None:
        if isinstance(counter, VariableNode):
            emitter.store(counter)
        else:
            emitter.keep(counter)

    emitter.node = node
    store()
    if not isinstance(limit, LiteralNode | int):
        emitter.value(limit)
        limit = emitter.new_temporary()
        emitter.keep(limit)
    end = Label()
    top = emitter.top()
    load()
    if isinstance(limit, int):
        emitter.add("temporary", limit)
    else:
        emitter.value(limit)
    emitter.node = node
    rising = isinstance(step, LiteralNode) and isinstance(step.value, int | float) and step.value > 0
    emitter.add("send", "<=" if rising else ">=", 1)
    emitter.add("jump_false", end)
    emitter.inlined_effect(node.arguments[-1])
    emitter.node = node
    load()
    emitter.value(step)
    emitter.node = node
    emitter.add("send", "+", 1)
    store()
    emitter.add("loop", top)
    emitter.place(end)


def _to_do(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``to:do:`` and ``to:by:do:``."""
    block = node.arguments[-1]
    assert isinstance(block, BlockNode)  # noqa: S101
    step = node.arguments[1] if len(node.arguments) == 3 else LiteralNode(node.start, node.stop, 1)
    emitter.value(node.receiver)
    _counting(emitter, node, block.arguments[0], node.arguments[0], step, wanted)


def _times_repeat(emitter: Emitter, node: MessageNode, wanted: bool) -> None:
    """``timesRepeat:``; the receiver is the value."""
    one = LiteralNode(node.start, node.stop, 1)
    emitter.value(node.receiver)
    limit = emitter.new_temporary()
    if wanted:
        emitter.add("duplicate")
    emitter.keep(limit)
    emitter.value(one)
    _counting(emitter, node, emitter.new_temporary(), limit, one, wanted=False)


Structure: TypeAlias = Callable[[Emitter, MessageNode, bool], None]
"""Emits a control structure; the flag is whether its value is wanted."""

STRUCTURES: dict[str, Structure] = {
    "ifTrue:": _conditional,
    "ifFalse:": _conditional,
    "ifTrue:ifFalse:": _conditional,
    "ifFalse:ifTrue:": _conditional,
    "and:": _logical,
    "or:": _logical,
    "ifNil:": _nil_test,
    "ifNotNil:": _nil_test,
    "ifNil:ifNotNil:": _nil_test,
    "ifNotNil:ifNil:": _nil_test,
    "whileTrue:": _while,
    "whileFalse:": _while,
    "whileTrue": _while,
    "whileFalse": _while,
    "repeat": _repeat,
    "to:do:": _to_do,
    "to:by:do:": _to_do,
    "timesRepeat:": _times_repeat,
}
