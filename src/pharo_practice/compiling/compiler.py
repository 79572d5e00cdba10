"""From source text to code: lazily for methods, at once for evaluations; checks only get the notices."""

from __future__ import annotations

from collections.abc import Mapping

from pharo_practice.compiling.codegen import generate
from pharo_practice.compiling.semantics import Analysis
from pharo_practice.machine.execution import run_method
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES
from pharo_practice.model.classes import declare_missing
from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.model.objects import NOTHING, Behavior, CompiledMethod, Pointers, Value, class_of
from pharo_practice.reading.nodes import LiteralNode, MethodNode, Notice, VariableNode
from pharo_practice.reading.parser import parse_source


def find_binding(vm: ObjectMemory, cls: Behavior, name: str) -> Pointers | None:
    """The binding of a class variable, pool variable or global as code of ``cls`` sees it."""
    for behavior in cls.instance_side.lineage():
        found = behavior.class_variables.get(name)
        if found is not None:
            return found
        for pool in behavior.pools:
            shared = vm.classes.get(pool)
            if shared is not None and name in shared.class_variables:
                return shared.class_variables[name]
    return vm.globals.get(name)


def install_primitive(method: CompiledMethod) -> None:
    """Connect a method with the primitive that its pragmas name."""
    method.primitive = None
    for pragma in method.pragmas:
        if not pragma.selector.startswith("primitive:") or not isinstance(pragma.arguments[0], LiteralNode):
            continue
        name = pragma.arguments[0].value
        if isinstance(name, int):
            method.primitive_number = name
        else:
            method.primitive = PRIMITIVES.get(str(name))


class Parsed:
    """An analyzed tree, or the notices that explain why there is none."""

    def __init__(self, node: MethodNode | None, analysis: Analysis | None, notices: list[Notice]) -> None:
        self.node = node
        self.analysis = analysis
        self.notices = notices


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


class SourceError(ValueError):
    """Source that cannot be compiled; ``notice`` says why. A primitive that meets one fails."""

    def __init__(self, notice: Notice) -> None:
        super().__init__(f"{notice.message} (at position {notice.position})")
        self.notice = notice


def _compile_fault(vm: Machine, method: CompiledMethod, notice: Notice) -> None:
    """Give a method code that signals what is wrong with its source."""
    text = notice.message.replace("'", "''")
    name = f"{method.method_class.name}>>{method.selector}"
    source = f"self primSyntaxError: '{name}: {text} (at position {notice.position})'"
    fault = compile_source(vm, source, cls=method.method_class, is_doit=True)
    method.code, method.source_ranges = fault.code, fault.source_ranges
    method.empty_temporaries, method.step_kinds = fault.empty_temporaries, fault.step_kinds


class EvaluationFailed(Exception):
    """Source that could not be run; the text explains why."""


def evaluate(
    vm: Machine,
    source: str,
    *,
    receiver: Value = None,
    bindings: Mapping[str, Pointers] | None = None,
    turns: int | None = None,
) -> Value:
    """The value of the last expression, run as a process of the user's priority.

    ``turns`` bounds it to so many quanta of the machine (``OutOfTurns``).

    Raises:
        EvaluationFailed: If the source has errors, undeclared variables among them.
    """
    cls = class_of(receiver)
    parsed = parse(vm, source, cls=cls, is_doit=True, bindings=bindings)
    errors = [notice for notice in parsed.notices if notice.is_error]
    if errors:
        raise EvaluationFailed(f"{errors[0].message} (at position {errors[0].position})")
    try:
        method = compile_source(vm, source, cls=cls, is_doit=True, parsed=parsed)
    except SourceError as error:
        raise EvaluationFailed(str(error)) from error
    return run_method(vm, method, receiver, [], turns=turns)
