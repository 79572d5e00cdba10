"""Compiled methods are kept for the next start, and are then what compiling their source would give."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pharo_practice.compiling.codegen import generate
from pharo_practice.compiling.compiler import parse
from pharo_practice.compiling.instructions import Instruction
from pharo_practice.compiling.linking import install_primitive
from pharo_practice.compiling.packing import packed
from pharo_practice.compiling.unpacking import unpack
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Behavior, Code, CompiledMethod, Pointers
from pharo_practice.model.code import CompiledBlock
from pharo_practice.model.objects import Bytes, Words
from pharo_practice.model.read_only import is_read_only
from practice_evaluation import Evaluate

SECONDS = 60
DEFINITION = """(Object << #MadeKept slots: #( one ); sharedVariables: #( Shared ); package: 'Made') install.
(Smalltalk globals at: #MadeKept) compile: 'one ^ one'; compile: 'shared ^ Shared'"""


class Parts:
    """What a method consists of, in a form that can be compared."""

    def __init__(self) -> None:
        self.instructions: dict[Code, list[Instruction]] = {}

    def note(
        self, _vm: Machine, instructions: list[Instruction], _method: CompiledMethod, body: Code
    ) -> None:
        """Note the instructions, instead of assembling them."""
        self.instructions[body] = instructions

    def of(self, method: CompiledMethod) -> object:
        """The parts of a method whose instructions were noted."""
        pragmas = [
            (each.start, each.stop, each.selector, [vars_of(argument) for argument in each.arguments])
            for each in method.pragmas
        ]
        literals = [self.shown(each) for each in method.literals]
        quick = getattr(method.primitive, "__qualname__", None)
        return self.body(method), literals, pragmas, method.primitive_number, quick

    def body(self, body: Code) -> object:
        """The parts of a method or block."""
        return (
            (body.num_args, body.blanks, body.spans, body.stops, body.loops),
            [(each.name, each.place, each.span) for each in body.temporaries],
            [tuple(map(self.shown, each)) for each in self.instructions[body]],
        )

    def shown(self, value: Any) -> object:
        """A literal, a variable or a block."""
        if isinstance(value, CompiledBlock):
            literals = [self.shown(each) for each in value.literals]
            return value.span, value.is_constant, literals, self.body(value)
        if isinstance(value, Bytes | Words) and not value.cls.name.endswith("Symbol"):
            return value.cls.name, list(value.data), is_read_only(value)
        if isinstance(value, Pointers) and value.cls.name in ("Array", "Fraction", "ScaledDecimal"):
            return value.cls.name, [self.shown(each) for each in value.fields], is_read_only(value)
        return type(value), repr(value) if isinstance(value, float) else value


def vars_of(node: Any) -> object:
    """A node in a pragma."""
    return type(node), [(type(getattr(node, name)), getattr(node, name)) for name in type(node).fields]


def new_method(method: CompiledMethod) -> CompiledMethod:
    """A method with the same source that is not compiled."""
    return CompiledMethod(method.selector, method.source, method.method_class)


def compiled(vm: Machine, method: CompiledMethod) -> object:
    """The parts that a method has when its source is compiled."""
    parts, made = Parts(), new_method(method)
    parsed = parse(vm, made.source, cls=made.method_class, is_doit=False)
    assert parsed.node is not None
    assert parsed.analysis is not None
    made.pragmas = parsed.node.pragmas
    install_primitive(made)
    generate(vm, made, parsed.node, parsed.analysis, parts.note)
    return parts.of(made)


def unpacked(vm: Machine, method: CompiledMethod, data: bytes) -> object:
    """The parts that a method has when it was packed before."""
    parts, made = Parts(), new_method(method)
    assert unpack(vm, made, data, parts.note)
    return parts.of(made)


def sides(vm: Machine) -> list[Behavior]:
    return [side for behavior in vm.classes.values() for side in (behavior, behavior.cls)]


def test_every_third_method_of_the_kernel_is_the_same_when_it_was_kept(vm: Machine) -> None:
    methods = [method for side in sides(vm) for method in side.methods.values()][::3]
    kept = {method: data for method in methods if (data := packed(vm, method))}
    assert len(kept) > len(methods) * 0.99
    assert [
        (method.method_class.name, method.selector)
        for method, data in kept.items()
        if unpacked(vm, method, data) != compiled(vm, method)
    ] == []


@pytest.fixture
def made(evaluate: Evaluate) -> None:
    """A class with methods that use a slot and a class variable."""
    evaluate(DEFINITION)


def method_named(vm: Machine, selector: str) -> CompiledMethod:
    return vm.classes["MadeKept"].methods[selector]


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(("selector", "slots"), [("one", "other one"), ("shared", "one")])
def test_code_is_not_used_in_a_class_with_other_slots_or_without_its_variable(
    vm: Machine, evaluate: Evaluate, selector: str, slots: str
) -> None:
    data = packed(vm, method_named(vm, selector))
    assert unpack(vm, new_method(method_named(vm, selector)), data)
    evaluate(f"(Object << #MadeKept slots: #( {slots} ); package: 'Made') install")
    assert not unpack(vm, new_method(method_named(vm, selector)), data)


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("source", ["faulty ^ ^", "faulty ^ Undeclared27", "faulty: x x := 3"])
def test_code_of_a_faulty_method_is_not_kept(vm: Machine, source: str) -> None:
    assert packed(vm, CompiledMethod("faulty", source, vm.classes["MadeKept"])) == b""


START = """
import sys
from pharo_practice.compiling.evaluation import evaluate
from pharo_practice.image import boot
from pharo_practice.kept_code import keep_compiled_methods
from pharo_practice.machine.execution import display_string
vm = boot()
value = evaluate(vm, sys.argv[1])
print(display_string(vm, value), len(vm.compiled_from_sources))
keep_compiled_methods(vm)
"""


EXPRESSION = """((1 to: 20) collect: [ :each | each / 3 ]) asOrderedCollection printString size
    -> ((Date year: 2020 month: 2 day: 3) + 5 days) printString"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps nothing")
def test_what_one_start_has_compiled_the_next_one_need_not_compile(tmp_path: Path) -> None:
    value, first = start(tmp_path)
    assert first > 100
    assert start(tmp_path) == (value, 0)


def start(caches: Path) -> tuple[str, int]:
    """What a program prints that starts an image: a value, and how many methods it has compiled."""
    environment = os.environ | {"XDG_CACHE_HOME": os.fspath(caches)}
    ended = subprocess.run(
        [sys.executable, "-c", START, EXPRESSION],
        env=environment,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
    )
    value, _, number = ended.stdout.rpartition(" ")
    return value, int(number)
