"""The compiler for Smalltalk: it turns source into a tree with notices, or into a compiled method."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from pharo_practice.compiling.compiler import Parsed, compile_source, parse
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Behavior, CompiledMethod, Pointers, Value
from pharo_practice.reading import nodes


@primitive("compilerParse")
def _parse(
    vm: Machine, receiver: Value, source: Value, behavior: Value, scripting: Value, bindings: Pointers
) -> Value:
    text = text_of(source)
    parsed = _parsed(vm, text, behavior, scripting=scripting, bindings=bindings)
    return Mirror(vm, text, behavior).method(parsed, is_doit=scripting is True)


@primitive("compilerCompile")
def _compile(
    vm: Machine, receiver: Value, source: Value, behavior: Value, scripting: Value, bindings: Pointers
) -> CompiledMethod:
    text = text_of(source)
    parsed = _parsed(vm, text, behavior, scripting=scripting, bindings=bindings)
    return compile_source(vm, text, cls=behavior, is_doit=scripting is True, parsed=parsed)


def _parsed(vm: Machine, source: str, behavior: Value, *, scripting: Value, bindings: Pointers) -> Parsed:
    if not isinstance(behavior, Behavior):
        raise PrimitiveFailed
    return parse(vm, source, cls=behavior, is_doit=scripting is True, bindings=_by_name(vm, bindings))


def _by_name(vm: Machine, bindings: Pointers) -> Mapping[str, Pointers]:
    if not all(isinstance(each, Pointers) and each.fields for each in bindings.fields):
        raise PrimitiveFailed
    return {text_of(binding.fields[0]): binding for binding in bindings.fields}


def _slots(behavior: Behavior) -> tuple[str, ...]:
    """The names of the fields of a class's instances, which every class in the image knows."""
    return behavior.field_names or ()


class Mirror:
    """Makes Smalltalk objects for the nodes of a tree."""

    def __init__(self, vm: Machine, source: str, behavior: Behavior) -> None:
        self.vm, self.source, self.behavior = vm, source, behavior
        self.shown: dict[nodes.Node, Pointers] = {}

    def method(self, parsed: Parsed, *, is_doit: bool) -> Pointers:
        """A method node with its notices; an empty one if the source cannot be parsed."""
        tree = parsed.node
        if tree is None:
            tree = nodes.MethodNode(1, "DoIt" if is_doit else "", [])
            tree.stop = len(self.source)
        method = self._new(
            "OCDoItMethodNode" if is_doit else "OCMethodNode",
            tree,
            selector=self.vm.symbol(tree.selector),
            arguments=self.all(tree.arguments),
            keywordsPositions=self.vm.array(list(tree.keyword_positions)),
            pragmas=self.all(tree.pragmas),
            body=self.sequence(tree),
            source=self.vm.string(self.source),
            methodClass=self.behavior,
        )
        for notice in parsed.notices:
            self._attach(notice, self.shown.get(notice.node, method) if notice.node is not None else method)
        return method

    def _attach(self, notice: nodes.Notice, target: Pointers) -> None:
        shown = self._make(_kind(notice), messageText=self.vm.string(notice.message), node=target)
        if notice.is_syntax_error:
            self._set(shown, "position", notice.position)
        target.fields[_slots(target.cls).index("notices")].fields.append(shown)

    # nodes

    def show(self, node: nodes.Node) -> Pointers:
        """The object for a node."""
        kind, parts = NODES[type(node)]
        return self._new(kind, node, **parts(self, node))

    def all(self, several: Iterable[nodes.Node]) -> Pointers:
        """An Array of the objects for nodes."""
        return self.vm.array([self.show(node) for node in several])

    def sequence(self, node: nodes.MethodNode | nodes.BlockNode) -> Pointers:
        """The object for the body of a method or block, which has no node of its own here."""
        inside = [*node.temporaries, *node.statements]
        body = (
            nodes.Node(inside[0].start, inside[-1].stop) if inside else nodes.Node(node.stop + 1, node.stop)
        )
        parts = {"temporaries": self.all(node.temporaries), "statements": self.all(node.statements)}
        return self._new("OCSequenceNode", body, **parts)

    def message(self, node: nodes.MessageNode, receiver: Pointers) -> dict[str, Value]:
        """What a message has; those of a cascade share their receiver."""
        return {
            "receiver": receiver,
            "selector": self.vm.symbol(node.selector),
            "arguments": self.all(node.arguments),
            "keywordsPositions": self.vm.array(list(node.keyword_positions)),
        }

    def cascade(self, node: nodes.CascadeNode) -> dict[str, Value]:
        """What a cascade has."""
        receiver = self.show(node.receiver)
        shown = [self._new("OCMessageNode", each, **self.message(each, receiver)) for each in node.messages]
        return {"messages": self.vm.array(shown)}

    def _new(self, kind: str, node: nodes.Node, /, **parts: Value) -> Pointers:
        mirror = self._make(kind, start=node.start, stop=node.stop, notices=self.vm.array([]), **parts)
        for part in parts.values():
            for child in part.fields if _is_array(self.vm, part) else [part]:
                if type(child) is Pointers and "parent" in _slots(child.cls):
                    self._set(child, "parent", mirror)
        self.shown[node] = mirror
        return mirror

    # objects

    def _make(self, kind: str, /, **values: Value) -> Pointers:
        behavior = self.vm.classes[kind]
        return Pointers(behavior, list(map(values.get, _slots(behavior))))

    def _set(self, target: Pointers, slot: str, value: Value) -> None:
        target.fields[_slots(target.cls).index(slot)] = value


Parts: TypeAlias = Callable[[Mirror, Any], dict[str, Value]]

NODES: dict[type[nodes.Node], tuple[str, Parts]] = {
    nodes.VariableNode: ("OCVariableNode", lambda mirror, node: {"name": mirror.vm.symbol(node.name)}),
    nodes.LiteralNode: ("OCLiteralValueNode", lambda mirror, node: {"value": mirror.vm.literal(node.value)}),
    nodes.ArrayNode: ("OCArrayNode", lambda mirror, node: {"statements": mirror.all(node.elements)}),
    nodes.CascadeNode: ("OCCascadeNode", Mirror.cascade),
    nodes.ReturnNode: ("OCReturnNode", lambda mirror, node: {"value": mirror.show(node.value)}),
    nodes.AssignmentNode: (
        "OCAssignmentNode",
        lambda mirror, node: {"variable": mirror.show(node.variable), "value": mirror.show(node.value)},
    ),
    nodes.BlockNode: (
        "OCBlockNode",
        lambda mirror, node: {"arguments": mirror.all(node.arguments), "body": mirror.sequence(node)},
    ),
    nodes.MessageNode: (
        "OCMessageNode",
        lambda mirror, node: mirror.message(node, mirror.show(node.receiver)),
    ),
    nodes.PragmaNode: (
        "OCPragmaNode",
        lambda mirror, node: {
            "selector": mirror.vm.symbol(node.selector),
            "arguments": mirror.all(node.arguments),
        },
    ),
}
"""The Smalltalk class for each kind of node, and what its instances hold besides positions and notices."""


def _kind(notice: nodes.Notice) -> str:
    if notice.is_syntax_error:
        return "OCSyntaxErrorNotice"
    if notice.is_undeclared:
        return "OCUndeclaredVariableNotice"
    return "OCErrorNotice" if notice.is_error else "OCWarningNotice"


def _is_array(vm: Machine, value: Value) -> bool:
    return isinstance(value, Pointers) and value.cls is vm.classes["Array"]
