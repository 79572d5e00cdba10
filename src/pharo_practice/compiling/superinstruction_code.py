"""The functions of superinstructions: of the code of a shape, with operands and places as their defaults."""

from __future__ import annotations

from types import CodeType, FunctionType

from pharo_practice.compiling.kept_templates import kept_templates, unpacked
from pharo_practice.compiling.templates import AFTER, OPERATION, Shape, Template
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVE_ERRORS, SWITCH
from pharo_practice.model.behavior import Operation
from pharo_practice.model.code import DEAD, Context
from pharo_practice.model.objects import NATIVE_TYPES, class_of, identical, native_class

MOST_SHAPES = 10_000
"""Shapes whose code is shared, each of about 5 KB; code that is forgotten stays with its operations."""
UNKNOWN = (KeyError, AttributeError)
"""Raised where the class has not looked a message up yet, or the receiver does not know its class."""
NAMES: dict[str, object] = {
    "Context": Context,
    "DEAD": DEAD,
    "SWITCH": SWITCH,
    "PRIMITIVE_ERRORS": PRIMITIVE_ERRORS,
    "UNKNOWN": UNKNOWN,
    "NATIVE_TYPES": NATIVE_TYPES,
    "class_of": class_of,
    "native_class": native_class,
    "identical": identical,
}
"""What the source refers to, besides the machine."""


def make(vm: Machine, shape: Shape, start: int, operands: tuple[object, ...]) -> Operation:
    """An operation of a shape that begins at a place, with the operands of its instructions."""
    code = vm.templates.get(shape)
    if code is None:
        if not vm.template_names:
            vm.template_names.update(NAMES, vm=vm, lookup=vm.lookup)
            vm.kept_templates = kept_templates()
        if len(vm.templates) >= MOST_SHAPES:
            vm.templates.clear()
        kept = vm.kept_templates.pop(shape, None)
        code = vm.templates[shape] = code_of(shape) if kept is None else unpacked(kept)
    places = code.co_varnames[1 + len(operands) : code.co_argcount]
    defaults = (*operands, *(start + int(name.removeprefix(AFTER)) for name in places))
    return FunctionType(code, vm.template_names, OPERATION, defaults)


def code_of(shape: Shape) -> CodeType:
    """The code of the operations of a shape."""
    module = compile(Template(shape).source(), f"<{shape}>", "exec")
    code: CodeType = module.co_consts[0]
    return code
