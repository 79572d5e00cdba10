"""The semantic analysis: declares and resolves variables, decides on inlining, collects notices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pharo_practice.model.objects import Pointers, SourceRange, Temporary
from pharo_practice.reading import nodes


def inlined_structure(node: nodes.MessageNode) -> str | None:
    """The selector, if this message is compiled in place, else None."""
    condition = CONDITIONS.get(node.selector)
    return node.selector if condition is not None and condition(node) else None


def _is_block(node: nodes.Node, *arguments: int) -> bool:
    return isinstance(node, nodes.BlockNode) and len(node.arguments) in arguments


def _plain_blocks(node: nodes.MessageNode) -> bool:
    return not isinstance(node.receiver, nodes.BlockNode) and all(
        _is_block(each, 0) for each in node.arguments
    )


def _nil_blocks(node: nodes.MessageNode) -> bool:
    if isinstance(node.receiver, nodes.BlockNode):
        return False
    keywords = node.selector.split(":")
    return all(
        _is_block(argument, *((0, 1) if keyword == "ifNotNil" else (0,)))
        for keyword, argument in zip(keywords, node.arguments, strict=False)
    )


def _while(node: nodes.MessageNode) -> bool:
    return _is_block(node.receiver, 0) and all(_is_block(each, 0) for each in node.arguments)


def _to_do(node: nodes.MessageNode) -> bool:
    limit, block = node.arguments[0], node.arguments[-1]
    if isinstance(node.receiver, nodes.BlockNode) or not _is_block(block, 1):
        return False
    if isinstance(limit, nodes.VariableNode) and _assigns(block, limit.name):
        return False
    if len(node.arguments) == 2:
        return True
    step = node.arguments[1]
    return (
        isinstance(step, nodes.LiteralNode)
        and isinstance(step.value, int | float)
        and step.value not in (0, True)
    )


def _assigns(node: object, name: str) -> bool:
    """Whether any assignment within the node goes to the variable of this name."""
    pending: list[object] = [node]
    while pending:
        each = pending.pop()
        if isinstance(each, nodes.AssignmentNode) and each.variable.name == name:
            return True
        if isinstance(each, list):
            pending.extend(each)
        elif isinstance(each, nodes.Node) and not isinstance(each, nodes.VariableNode | nodes.LiteralNode):
            pending.extend(vars(each).values())
    return False


def _repeat(node: nodes.MessageNode) -> bool:
    return _is_block(node.receiver, 0)


CHOICES = ("ifTrue:", "ifFalse:", "ifTrue:ifFalse:", "ifFalse:ifTrue:")
LOGIC = ("and:", "or:")
NIL_TESTS = ("ifNil:", "ifNotNil:", "ifNil:ifNotNil:", "ifNotNil:ifNil:")
WHILE = ("whileTrue:", "whileFalse:", "whileTrue", "whileFalse")
TO_DO = ("to:do:", "to:by:do:")
LOOPS = frozenset({*WHILE, *TO_DO, "repeat"})

CONDITIONS: dict[str, Callable[[nodes.MessageNode], bool]] = {
    **dict.fromkeys((*CHOICES, *LOGIC), _plain_blocks),
    **dict.fromkeys(NIL_TESTS, _nil_blocks),
    **dict.fromkeys(WHILE, _while),
    **dict.fromkeys(TO_DO, _to_do),
    "repeat": _repeat,
}
"""When a message is compiled in place, by its selector."""

MOST_ARGUMENTS = 15
LACKING = " (the practice image has no global of this name; Pharo may)"


class FrameScope:
    """A method, or a block that becomes a closure: it has a frame of its own."""

    def __init__(self, outer: FrameScope | None) -> None:
        self.outer = outer
        self.size = 0
        """How many arguments and temporaries the frame holds."""
        self.temporaries: list[Temporary] = []
        """Those of them that have names, the innermost first."""


class Local(nodes.Variable):
    """An argument or temporary."""

    def __init__(self, name: str, frame: FrameScope, index: int, *, is_argument: bool) -> None:
        self.name, self.frame, self.index, self.is_argument = name, frame, index, is_argument
        self.is_captured = False
        """Whether a closure inside the frame uses it."""


class Slot(nodes.Variable):
    """An instance variable, by its index in the fields."""

    def __init__(self, name: str, index: int) -> None:
        self.name, self.index = name, index


class Shared(nodes.Variable):
    """A global, class variable or given binding: an object whose second field is the value."""

    def __init__(self, name: str, binding: Pointers) -> None:
        self.name, self.binding = name, binding


class Pseudo(nodes.Variable):
    """``self``, ``super``, ``thisContext`` or ``thisProcess``."""

    def __init__(self, name: str) -> None:
        self.name = name


class Undeclared(nodes.Variable):
    """A name that is not declared here."""

    def __init__(self, name: str) -> None:
        self.name = name


Lookup: TypeAlias = Callable[[str], Pointers | None]
"""Finds the binding of a class variable, pool variable or global."""

PSEUDO = {name: Pseudo(name) for name in ("self", "super", "thisContext", "thisProcess")}


class Analysis:
    """Gives every variable node of a method its meaning.

    ``names`` holds the visible locals, innermost last; ``slots`` the instance variables of the class.
    """

    def __init__(self, slots: Mapping[str, int], bindings: Mapping[str, Pointers], lookup: Lookup) -> None:
        self.slots, self.bindings, self.lookup = slots, bindings, lookup
        self.frame = FrameScope(None)
        self.names: list[Local] = []
        self.notices: list[nodes.Notice] = []
        self.frames: dict[nodes.Node, FrameScope] = {}
        """The frame of the method and of each block that becomes a closure."""

    def analyze(self, method: nodes.MethodNode) -> None:
        """Resolve the whole method."""
        self.frames[method] = self.frame
        self._check_arguments(method.arguments, method)
        for argument in method.arguments:
            self._declare(argument, is_argument=True)
        for pragma in method.pragmas:
            if pragma.selector.startswith("primitive:"):
                for name in pragma.arguments:
                    if isinstance(name, nodes.VariableNode):
                        self._declare(name, is_argument=False)
        self._body(method)
        self._keep(self.names, (method.start, method.stop))

    def _keep(self, declared: list[Local], source_range: SourceRange) -> None:
        """Record where in the frame the variables are, and where in the source they can be used."""
        self.frame.temporaries += [
            Temporary(each.name, each.index, source_range) for each in reversed(declared)
        ]

    def _body(self, node: nodes.MethodNode | nodes.BlockNode) -> None:
        for temporary in node.temporaries:
            self._declare(temporary, is_argument=False)
        for statement in node.statements:
            self._visit(statement)

    def _check_arguments(self, arguments: list[nodes.VariableNode], node: nodes.Node) -> None:
        if len(arguments) > MOST_ARGUMENTS:
            self.notices.append(nodes.Notice("Too many arguments", node.start, node=node))

    def _declare(self, node: nodes.VariableNode, *, is_argument: bool) -> None:
        if any(local.name == node.name for local in self.names) or node.name in self.slots:
            self.notices.append(nodes.Notice("Name already defined", node.start, is_error=False, node=node))
        local = Local(node.name, self.frame, self.frame.size, is_argument=is_argument)
        self.frame.size += 1
        self.names.append(local)
        node.variable = local

    def _visit(self, node: nodes.Node) -> None:
        VISITS[type(node)](self, node)

    def _read(self, node: nodes.VariableNode) -> None:
        self._resolve(node, is_write=False)

    def _assignment(self, node: nodes.AssignmentNode) -> None:
        self._visit(node.value)
        self._resolve(node.variable, is_write=True)

    def _return(self, node: nodes.ReturnNode) -> None:
        self._visit(node.value)

    def _cascade(self, node: nodes.CascadeNode) -> None:
        self._visit(node.receiver)
        for message in node.messages:
            message.inlined = None
            for argument in message.arguments:
                self._visit(argument)

    def _array(self, node: nodes.ArrayNode) -> None:
        for element in node.elements:
            self._visit(element)

    def _literal(self, _node: nodes.LiteralNode) -> None:
        pass

    def _closure(self, node: nodes.BlockNode) -> None:
        self._check_arguments(node.arguments, node)
        self.frame = FrameScope(self.frame)
        self.frames[node] = self.frame
        self._scope(node)
        assert self.frame.outer is not None  # noqa: S101
        self.frame = self.frame.outer

    def _scope(self, node: nodes.BlockNode) -> list[Local]:
        """Analyze a block's inside in the current frame; answer what it declares."""
        visible = len(self.names)
        for argument in node.arguments:
            self._declare(argument, is_argument=True)
        self._body(node)
        declared = self.names[visible:]
        del self.names[visible:]
        self._keep(declared, (node.start, node.stop))
        return declared

    def _message(self, node: nodes.MessageNode) -> None:
        chain: list[nodes.MessageNode] = []
        inner: nodes.Node = node
        while isinstance(inner, nodes.MessageNode):
            chain.append(inner)
            inner.inlined = inlined_structure(inner)
            if inner.inlined in LOOPS:
                break
            inner = inner.receiver
        if not isinstance(inner, nodes.MessageNode):
            self._visit(inner)
        for message in reversed(chain):
            if message.inlined in LOOPS:
                self._loop(message)
                continue
            for argument in message.arguments:
                if message.inlined is not None and isinstance(argument, nodes.BlockNode):
                    self._scope(argument)
                else:
                    self._visit(argument)

    def _loop(self, node: nodes.MessageNode) -> None:
        """Inline a loop, unless a closure captures a variable of it: each iteration needs its own then."""
        noticed = len(self.notices)
        parts = [node.receiver, *node.arguments]
        declared: list[Local] = []
        for part in parts:
            if isinstance(part, nodes.BlockNode):
                declared += self._scope(part)
            else:
                self._visit(part)
        if any(local.is_captured for local in declared):
            del self.notices[noticed:]
            node.inlined = None
            for part in parts:
                self._visit(part)

    def _resolve(self, node: nodes.VariableNode, *, is_write: bool) -> None:
        variable = self._find(node.name)
        node.variable = variable
        match variable:
            case Local() if variable.frame is not self.frame:
                variable.is_captured = True
            case Undeclared():
                text = "Undeclared variable" + (LACKING if node.name[0].isupper() else "")
                self.notices.append(
                    nodes.Notice(text, node.start, is_undeclared=True, node=node, is_write=is_write)
                )
        if is_write and (
            isinstance(variable, Pseudo) or (isinstance(variable, Local) and variable.is_argument)
        ):
            self.notices.append(nodes.Notice("Assignment to read-only variable", node.start, node=node))

    def _find(self, name: str) -> nodes.Variable:
        for local in reversed(self.names):
            if local.name == name:
                return local
        if name in PSEUDO:
            return PSEUDO[name]
        if name in self.bindings:
            return Shared(name, self.bindings[name])
        if name in self.slots:
            return Slot(name, self.slots[name])
        binding = self.lookup(name)
        return Undeclared(name) if binding is None else Shared(name, binding)


VISITS: dict[type[nodes.Node], Callable[[Analysis, Any], None]] = {
    nodes.VariableNode: Analysis._read,
    nodes.MessageNode: Analysis._message,
    nodes.AssignmentNode: Analysis._assignment,
    nodes.ReturnNode: Analysis._return,
    nodes.BlockNode: Analysis._closure,
    nodes.CascadeNode: Analysis._cascade,
    nodes.ArrayNode: Analysis._array,
    nodes.LiteralNode: Analysis._literal,
}
