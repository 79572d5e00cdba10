"""What compiled code refers to by name: variables that live outside of methods, and primitives."""

from __future__ import annotations

from pharo_practice.machine.primitive import PRIMITIVES
from pharo_practice.model.behavior import Behavior, CompiledMethod, Pointers
from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.reading.nodes import LiteralNode


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
