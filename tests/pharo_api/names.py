"""The variables that a method declares, reads and assigns to."""

from collections.abc import Iterable
from dataclasses import dataclass

from pharo_api.classes import Side
from pharo_api.context import Context
from pharo_api.expressions import RESERVED
from pharo_api.problems import error, warning
from pharo_api.receivers import CLASS_OF_GLOBAL, Certainty, Receiver, instance_of
from pharo_api.suggestions import suggestion
from pharo_api.syntax_tree import Variable


@dataclass(slots=True)
class Local:
    """An argument or temporary."""

    name: str
    position: int
    kind: str
    is_read: bool = False
    value: Receiver | None = None
    """What is known of its value, if it is assigned to once only."""


class Names:
    """The arguments and temporaries at the place in a method that is being checked."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.scopes: list[dict[str, Local]] = []

    def open(self, locals_: Iterable[Local]) -> None:
        """Begin a method or a block, which declares these."""
        scope: dict[str, Local] = {}
        for each in locals_:
            self._check_declaration(each, scope)
            scope[each.name] = each
        self.scopes.append(scope)

    def _check_declaration(self, local: Local, scope: dict[str, Local]) -> None:
        position, name = local.position, local.name
        if local.kind == "error code":
            return
        if name in scope:
            self.context.report(error(position, f"{name} is declared twice"))
        elif name in RESERVED:
            self.context.report(error(position, f"{name} is reserved"))
        elif self.context.is_variable(name):
            owner = self.context.method.owner
            self.context.report(warning(position, f"{local.kind} {name} shadows a variable of {owner}"))
        elif self._local(name):
            self.context.report(warning(position, f"{local.kind} {name} shadows one of an outer scope"))

    def close(self) -> None:
        """End the method or block begun last."""
        for local in self.scopes.pop().values():
            if local.kind == "temporary" and not local.is_read:
                use = "assigned but never read" if local.name in self.context.assignments else "unused"
                self.context.report(warning(local.position, f"temporary {local.name} is {use}"))

    def _local(self, name: str) -> Local | None:
        return next((scope[name] for scope in reversed(self.scopes) if name in scope), None)

    def read(self, variable: Variable) -> Receiver | None:
        """Check a variable that is read; answers what is known of its value."""
        name = variable.name
        if local := self._local(name):
            local.is_read = True
            return local.value if self.context.assignments[name] == 1 else None
        match name:
            case "self":
                return Receiver(self.context.method.side, self.context.method.owner, Certainty.KIND)
            case "super":
                return self._super()
            case "thisContext":
                return instance_of(self.context.version, "Context", Certainty.EXACT)
        if name == "thisProcess" or self.context.is_variable(name):
            return None
        if name[0].isupper():
            return self._read_global(variable)
        in_trait = self.context.in_trait and self.context.method.side is Side.INSTANCE
        if in_trait or self.context.sees_everything:
            self._report_undeclared(variable)
        return None

    def _super(self) -> Receiver | None:
        method = self.context.method
        info = self.context.version.classes.get(method.owner)
        if info is None or info.kind != "class":
            return None
        if info.superclass == "nil":
            return Receiver(Side.INSTANCE, "Class", Certainty.KIND) if method.side is Side.CLASS else None
        return Receiver(method.side, info.superclass, Certainty.SUPER)

    def _read_global(self, variable: Variable) -> Receiver | None:
        name, version = variable.name, self.context.version
        if version.knows(name):
            return Receiver(Side.CLASS, name, Certainty.EXACT)
        if name in CLASS_OF_GLOBAL:
            return instance_of(version, CLASS_OF_GLOBAL[name])
        if name in self.context.allowed:
            return None
        if name in version.classes:
            unknown = f"{name} is of unknown origin (Pharo only extends it)"
            self.context.report(warning(variable.position, unknown))
        elif self.context.sees_everything:
            unknown = f"unknown class or global {name}"
            self.context.report(error(variable.position, unknown, lambda: suggestion(name, version.classes)))
        return None

    def assign(self, variable: Variable, value: Receiver | None) -> None:
        """Check a variable that is assigned to; remember what is known of its value."""
        name = variable.name
        local = self._local(name)
        if local is None:
            self._assign_beyond(variable)
        elif local.kind == "argument":
            self.context.report(error(variable.position, f"assignment to the argument {name}"))
        elif self.context.assignments[name] == 1:
            local.value = value

    def _assign_beyond(self, variable: Variable) -> None:
        name = variable.name
        if self.context.is_variable(name):
            return
        if name in self.context.version.classes:
            self.context.report(error(variable.position, f"assignment to the class {name}"))
        elif self.context.sees_everything and name not in CLASS_OF_GLOBAL:
            self._report_undeclared(variable)

    def _report_undeclared(self, variable: Variable) -> None:
        similar = suggestion(variable.name, self.context.variables.instance)
        self.context.report(error(variable.position, f"{variable.name} is not declared{similar}"))
