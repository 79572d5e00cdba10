"""The compiler for Smalltalk: it turns source into a tree with notices, or into a compiled method."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pharo_practice.compiling.compiler import Parsed, SourceError, compile_source, parse
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, CompiledMethod, Pointers, Value
from pharo_practice.primitives.arguments import text_of
from pharo_practice.reading.nodes import (
    ArrayNode,
    AssignmentNode,
    BlockNode,
    CascadeNode,
    LiteralNode,
    MessageNode,
    MethodNode,
    Node,
    Notice,
    PragmaNode,
    ReturnNode,
    VariableNode,
)

ROOM_FOR_SOURCE = 200
"""Bytes that a character of source may take as a tree."""


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
    try:
        return compile_source(vm, text, cls=behavior, is_doit=scripting is True, parsed=parsed)
    except SourceError:
        raise PrimitiveFailed from None


def _parsed(vm: Machine, source: str, behavior: Value, *, scripting: Value, bindings: Pointers) -> Parsed:
    vm.limits.reserve(len(source) * ROOM_FOR_SOURCE)
    if not isinstance(behavior, Behavior):
        raise PrimitiveFailed
    return parse(vm, source, cls=behavior, is_doit=scripting is True, bindings=_by_name(vm, bindings))


def _by_name(vm: Machine, bindings: Pointers) -> Mapping[str, Pointers]:
    if not all(isinstance(each, Pointers) and each.fields for each in bindings.fields):
        raise PrimitiveFailed
    return {text_of(binding.fields[0]): binding for binding in bindings.fields}


def _slots(behavior: Behavior) -> tuple[str, ...]:
    """The names of the fields of a class's instances, which every class in the image knows."""
    return behavior.shape or ()


@dataclass(eq=False)
class Mirror:
    """Makes Smalltalk objects for the nodes of a tree."""

    vm: Machine
    source: str
    behavior: Behavior

    def method(self, parsed: Parsed, *, is_doit: bool) -> Pointers:
        """A method node with its notices; an empty one if the source cannot be parsed."""
        tree = parsed.node or MethodNode(
            1, len(self.source), "DoIt" if is_doit else "", [], [], [], source=self.source
        )
        shown: dict[Node, Pointers] = {}
        method = self._method(tree, shown, is_doit=is_doit)
        for notice in parsed.notices:
            place = shown.get(notice.node) if notice.node is not None else None
            self._attach(notice, place or method)
        return method

    def _method(self, tree: MethodNode, shown: dict[Node, Pointers], *, is_doit: bool) -> Pointers:
        return self._new(
            "OCDoItMethodNode" if is_doit else "OCMethodNode",
            tree,
            shown,
            selector=self.vm.symbol(tree.selector),
            arguments=self._all(tree.arguments, shown),
            pragmas=self._all(tree.pragmas, shown),
            body=self._sequence(tree, shown),
            source=self.vm.string(self.source),
            methodClass=self.behavior,
        )

    def _attach(self, notice: Notice, place: Pointers) -> None:
        shown = self._make(_kind(notice), messageText=self.vm.string(notice.message), node=place)
        if notice.is_syntax_error:
            self._set(shown, "position", notice.position)
        self._slot(place, "notices").fields.append(shown)

    # nodes

    def _all(self, nodes: Iterable[Node], shown: dict[Node, Pointers]) -> Pointers:
        return self.vm.array([self._show(node, shown) for node in nodes])

    def _sequence(self, node: MethodNode | BlockNode, shown: dict[Node, Pointers]) -> Pointers:
        inside = [*node.temporaries, *node.statements]
        place = Node(inside[0].start, inside[-1].stop) if inside else Node(node.stop + 1, node.stop)
        return self._new(
            "OCSequenceNode",
            place,
            shown,
            temporaries=self._all(node.temporaries, shown),
            statements=self._all(node.statements, shown),
        )

    def _show(self, node: Node, shown: dict[Node, Pointers]) -> Pointers:
        match node:
            case VariableNode():
                return self._new("OCVariableNode", node, shown, name=self.vm.symbol(node.name))
            case LiteralNode():
                return self._new("OCLiteralValueNode", node, shown, value=self.vm.literal(node.value))
            case ArrayNode():
                return self._new("OCArrayNode", node, shown, statements=self._all(node.elements, shown))
            case MessageNode():
                return self._message(node, self._show(node.receiver, shown), shown)
            case CascadeNode():
                receiver = self._show(node.receiver, shown)
                messages = [self._message(each, receiver, shown) for each in node.messages]
                return self._new("OCCascadeNode", node, shown, messages=self.vm.array(messages))
            case AssignmentNode():
                return self._new(
                    "OCAssignmentNode",
                    node,
                    shown,
                    variable=self._show(node.variable, shown),
                    value=self._show(node.value, shown),
                )
            case ReturnNode():
                return self._new("OCReturnNode", node, shown, value=self._show(node.value, shown))
            case BlockNode():
                return self._new(
                    "OCBlockNode",
                    node,
                    shown,
                    arguments=self._all(node.arguments, shown),
                    body=self._sequence(node, shown),
                )
            case PragmaNode():
                return self._new(
                    "OCPragmaNode",
                    node,
                    shown,
                    selector=self.vm.symbol(node.selector),
                    arguments=self._all(node.arguments, shown),
                )
        raise TypeError(f"no mirror for {type(node).__name__}")

    def _message(self, node: MessageNode, receiver: Pointers, shown: dict[Node, Pointers]) -> Pointers:
        return self._new(
            "OCMessageNode",
            node,
            shown,
            receiver=receiver,
            selector=self.vm.symbol(node.selector),
            arguments=self._all(node.arguments, shown),
        )

    def _new(self, kind: str, node: Node, shown: dict[Node, Pointers], /, **parts: Value) -> Pointers:
        mirror = self._make(kind, start=node.start, stop=node.stop, notices=self.vm.array([]), **parts)
        for part in parts.values():
            for child in part.fields if _is_array(self.vm, part) else [part]:
                if type(child) is Pointers and "parent" in _slots(child.cls):
                    self._set(child, "parent", mirror)
        shown[node] = mirror
        return mirror

    # objects

    def _make(self, kind: str, /, **values: Value) -> Pointers:
        behavior = self.vm.classes[kind]
        return Pointers(behavior, list(map(values.get, _slots(behavior))))

    def _set(self, target: Pointers, slot: str, value: Value) -> None:
        target.fields[_slots(target.cls).index(slot)] = value

    def _slot(self, target: Pointers, slot: str) -> Pointers:
        found: Pointers = target.fields[_slots(target.cls).index(slot)]
        return found


def _kind(notice: Notice) -> str:
    if notice.is_syntax_error:
        return "OCSyntaxErrorNotice"
    if notice.is_undeclared:
        return "OCUndeclaredVariableNotice"
    return "OCErrorNotice" if notice.is_error else "OCWarningNotice"


def _is_array(vm: Machine, value: Value) -> bool:
    return isinstance(value, Pointers) and value.cls is vm.classes["Array"]
