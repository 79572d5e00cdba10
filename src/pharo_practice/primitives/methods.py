"""Primitives of compiled methods: their source, class, protocol and literals."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from pharo_practice.compiling.compiler import parse
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Behavior, CompiledBlock, CompiledMethod, Pointers, Value
from pharo_practice.primitives.classes import UNCLASSIFIED, symbols
from pharo_practice.reading.nodes import AssignmentNode, MessageNode, Node, VariableNode
from pharo_practice.reading.parser import parse_source

METHOD: dict[str, Primitive] = {
    "methodSelector": lambda vm, method: vm.symbol(method.selector),
    "methodSource": lambda vm, method: vm.string(method.source),
    "methodClass": lambda _vm, method: method.method_class,
    "methodProtocol": lambda vm, method: vm.symbol(method.protocol or UNCLASSIFIED),
    "methodPackageName": lambda vm, method: vm.symbol(
        method.package or method.method_class.instance_side.package
    ),
    "methodOrigin": lambda _vm, method: method.origin,
    "methodNumArgs": lambda _vm, method: method.num_args,
    "methodProperties": lambda _vm, method: method.properties,
    "blockNumArgs": lambda _vm, method: method.num_args,
    "blockIsConstant": lambda _vm, method: method.is_constant,
    "blockMethod": lambda _vm, method: method.method,
}
"""What a compiled method or block is asked for, and knows."""

PRIMITIVES.update(METHOD)


@primitive("methodSetProtocol")
def _method_set_protocol(vm: Machine, receiver: CompiledMethod, protocol: Value) -> Value:
    receiver.protocol = text_of(protocol)
    return receiver


@primitive("methodSetPackage")
def _method_set_package(vm: Machine, receiver: CompiledMethod, name: Value) -> Value:
    receiver.package = text_of(name)
    return receiver


@primitive("methodSetProperties")
def _method_set_properties(_vm: Machine, receiver: CompiledMethod, properties: Value) -> Value:
    receiver.properties = properties
    return receiver


@primitive("methodSetSource")
def _method_set_source(vm: Machine, receiver: CompiledMethod, source: Value) -> Value:
    """Show another source than the one that the code was compiled from."""
    vm.compile(receiver)
    receiver.source = text_of(source)
    return receiver


@primitive("methodLiterals")
def _method_literals(vm: Machine, receiver: CompiledMethod) -> Value:
    vm.compile(receiver)
    return vm.array(list(receiver.literals))


@primitive("methodReadNames")
def _method_read_names(vm: Machine, receiver: CompiledMethod) -> Value:
    nodes = list(_nodes(vm, receiver))
    written = {id(node.variable) for node in nodes if isinstance(node, AssignmentNode)}
    read = {node.name for node in nodes if isinstance(node, VariableNode) and id(node) not in written}
    return symbols(vm, read)


@primitive("methodWrittenNames")
def _method_written_names(vm: Machine, receiver: CompiledMethod) -> Value:
    nodes = _nodes(vm, receiver)
    return symbols(vm, {node.variable.name for node in nodes if isinstance(node, AssignmentNode)})


@primitive("methodMessages")
def _method_messages(vm: Machine, receiver: CompiledMethod) -> Value:
    sent = {node.selector: None for node in _nodes(vm, receiver) if isinstance(node, MessageNode)}
    return symbols(vm, sent)


@primitive("methodComments")
def _method_comments(vm: Machine, receiver: CompiledMethod) -> Value:
    node = parse_source(receiver.source, is_doit=False)[0]
    return vm.array([vm.string(each.contents) for each in node.comments] if node is not None else [])


def _nodes(vm: Machine, method: CompiledMethod) -> Iterator[Node]:
    """Every node of a method's source, in no order."""
    pending: list[object] = [parse(vm, method.source, cls=method.method_class, is_doit=False).node]
    while pending:
        part = pending.pop()
        if isinstance(part, list):
            pending += part
        elif isinstance(part, Node):
            yield part
            pending += vars(part).values()


@primitive("methodPragmas")
def _method_pragmas(vm: Machine, receiver: CompiledMethod) -> Value:
    """The pragmas of a method, as pairs of selector and arguments."""
    vm.compile(receiver)
    pairs = []
    for pragma in receiver.pragmas:
        arguments = [vm.literal(each.value) for each in pragma.arguments if hasattr(each, "value")]
        pairs.append(vm.array([vm.symbol(pragma.selector), vm.array(arguments)]))
    return vm.array(pairs)


@primitive("blockSource")
def _block_source(vm: Machine, receiver: CompiledBlock) -> Value:
    start, stop = receiver.source_range
    return vm.string(receiver.method.source[start - 1 : stop])


@primitive("blockLiterals")
def _block_literals(vm: Machine, receiver: CompiledBlock) -> Value:
    """The literals of a block that only answers a literal."""
    if not receiver.is_constant:
        raise PrimitiveFailed
    return vm.array(list(receiver.literals))


@primitive("methodsMentioning")
def _methods_mentioning(vm: Machine, _receiver: Value, text: Value, behaviors: Pointers) -> Value:
    """Methods of these classes, not of traits, whose source contains the text after its own name."""
    sought = text_of(text)
    methods = chain.from_iterable(each.methods.values() for each in behaviors.fields)
    found = [method for method in methods if method.source.find(sought, 1) > 0]
    return vm.array([method for method in found if is_own(method)])


@primitive("methodsMarked")
def _methods_marked(vm: Machine, _receiver: Value, text: Value) -> Value:
    """Methods whose source contains the text, including those of removed classes."""
    sought = text_of(text)
    removed = [binding.fields[1] for binding in vm.undeclared.values()]
    kept = chain.from_iterable(
        side.methods.values() for each in removed if isinstance(each, Behavior) for side in (each, each.cls)
    )
    found = [method for method in chain(vm.all_methods(), kept) if sought in method.source]
    return vm.array([method for method in found if is_own(method)])


def is_own(method: CompiledMethod) -> bool:
    """Whether its class defines the method itself, not a trait."""
    return method.origin is method.method_class
