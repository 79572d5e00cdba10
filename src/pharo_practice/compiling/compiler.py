"""From source text to code: lazily for methods, at once for evaluations; checks only get the notices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pharo_practice.compiling.codegen import generate
from pharo_practice.compiling.linking import find_binding, install_primitive
from pharo_practice.compiling.semantics import Analysis
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import NOTHING, Behavior, CompiledMethod, Pointers
from pharo_practice.model.classes import declare_missing
from pharo_practice.reading.nodes import MethodNode, Notice, VariableNode
from pharo_practice.reading.parser import parse_source


@dataclass(eq=False)
class Parsed:
    """An analyzed tree, or the notices that explain why there is none."""

    node: MethodNode | None
    analysis: Analysis | None
    notices: list[Notice]


def parse(
    vm: Machine,
    source: str,
    *,
    cls: Behavior,
    is_doit: bool,
    bindings: Mapping[str, Pointers] | None = None,
) -> Parsed:
    """Parse and analyze source as a method of ``cls``, or as expressions with an instance of it as self."""
    node, fault = parse_source(source, is_doit=is_doit)
    if node is None:
        return Parsed(None, None, [fault] if fault is not None else [])
    slots = {name: index for index, name in enumerate(cls.all_slots())}

    def lookup(name: str) -> Pointers | None:
        return find_binding(vm, cls, name)

    analysis = Analysis(slots, bindings or {}, lookup)
    analysis.analyze(node)
    return Parsed(node, analysis, analysis.notices)


def compile_lazily(vm: Machine, method: CompiledMethod) -> None:
    """Give a method its code; one that has errors signals the first when it runs."""
    parsed = parse(vm, method.source, cls=method.method_class, is_doit=False)
    method.is_compiled = True
    errors = [notice for notice in parsed.notices if notice.is_error and not notice.is_undeclared]
    if parsed.node is None or parsed.analysis is None or errors:
        method.primitive = None
        _compile_fault(vm, method, errors[0])
        return
    method.pragmas = parsed.node.pragmas or NOTHING
    install_primitive(method)
    generate(vm, method, parsed.node, parsed.analysis)
    _declare(vm, parsed.notices)


def _declare(vm: Machine, notices: list[Notice]) -> None:
    for notice in notices:
        if notice.is_undeclared and isinstance(notice.node, VariableNode):
            declare_missing(vm, notice.node.name)


def compile_source(
    vm: Machine,
    source: str,
    *,
    cls: Behavior,
    is_doit: bool,
    bindings: Mapping[str, Pointers] | None = None,
    parsed: Parsed | None = None,
) -> CompiledMethod:
    """A compiled method that is in no class; undeclared variables are looked up again when it runs.

    Raises:
        SourceError: If the source has errors other than undeclared variables.
    """
    parsed = parsed or parse(vm, source, cls=cls, is_doit=is_doit, bindings=bindings)
    errors = [notice for notice in parsed.notices if notice.is_error and not notice.is_undeclared]
    if parsed.node is None or parsed.analysis is None or errors:
        raise SourceError(errors[0])
    method = CompiledMethod(parsed.node.selector, source, cls)
    method.is_compiled = True
    method.pragmas = parsed.node.pragmas or NOTHING
    install_primitive(method)
    generate(vm, method, parsed.node, parsed.analysis)
    _declare(vm, parsed.notices)
    return method


class SourceError(Exception):
    """Source that cannot be compiled; ``notice`` says why."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(f"{notice.message} (at position {notice.position})")
        self.notice = notice


def _compile_fault(vm: Machine, method: CompiledMethod, notice: Notice) -> None:
    """Give a method code that signals what is wrong with its source."""
    text = notice.message.replace("'", "''")
    name = f"{method.method_class.name}>>{method.selector}"
    source = f"self primSyntaxError: '{name}: {text} (at position {notice.position})'"
    fault = compile_source(vm, source, cls=method.method_class, is_doit=True)
    method.code, method.spans = fault.code, fault.spans
    method.blanks, method.stops = fault.blanks, fault.stops
