"""What is wrong with definitions that are to be loaded, and what they need and the image lacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pharo_practice.model.classes import LAYOUTS
from pharo_practice.model.object_memory import ObjectMemory
from pharo_practice.model.objects import Behavior
from pharo_practice.model.traits import parse_composition
from pharo_practice.reading.nodes import LiteralNode, MessageNode, Node, VariableNode
from pharo_practice.reading.parser import parse_source
from pharo_practice.tonel.reader import Definition

PLAIN = frozenset({"InstanceVariableSlot", "ClassVariable"})
"""The kinds of slots and class variables that are variables like all others."""
RESERVED = frozenset({"self", "super", "thisContext", "thisProcess", "nil", "true", "false"})
TEXTS = ("superclass", "type", "traits", "classTraits", "category", "package", "tag")
LISTS = ("instVars", "classInstVars", "classVars", "pools")
LACKING = "the practice image has none, Pharo may"


class Need(NamedTuple):
    """Something that a definition needs."""

    what: str
    """Such as "class Morph"."""
    location: str
    """The file and the line that need it."""
    why: str = LACKING
    """Why it is missing."""


class Use(NamedTuple):
    """A class or trait of the same folder that a definition needs."""

    name: str
    need: Need


def slot_in(text: str) -> tuple[str, str]:
    """The name and the kind of the variable that ``name`` or ``#name => WeakSlot`` stands for.

    Raises:
        ValueError: If the text is neither.
    """
    if text.isidentifier() and text not in RESERVED:
        return text, "InstanceVariableSlot"
    tree, _ = parse_source(text, is_doit=True)
    node: Node | None = tree.statements[0] if tree is not None and len(tree.statements) == 1 else None
    kind: Node | None = None
    while isinstance(node, MessageNode):  # such as ``default: 3`` may come behind the kind
        kind = node.arguments[0] if node.selector == "=>" else None
        node = node.receiver
    while isinstance(kind, MessageNode):
        kind = kind.receiver
    match node, kind:
        case LiteralNode(value=str() as name), (None | VariableNode()) if name.isidentifier():
            return name, "InstanceVariableSlot" if kind is None else kind.name
    raise ValueError(f"{text} is not the name of a variable")


class Check:
    """Looks at all definitions of a folder, before any of them is installed."""

    def __init__(self, vm: ObjectMemory, definitions: Iterable[Definition]) -> None:
        self.vm = vm
        self.definitions = [each for each in definitions if each.kind != "Package"]
        self.faults: list[str] = []
        """What is wrong, each with its location."""
        self.needs: dict[str, list[Need]] = {}
        """What each package needs that will not be there."""
        self.uses: dict[str, list[Use]] = {}
        """What each package needs of this folder."""
        self.kinds: dict[str, Definition] = {}
        """The class or trait of each name that is defined here."""
        self.homes: dict[str, set[str]] = {}
        """The packages that define a class or trait of this name."""
        self.traits: dict[str, set[str]] = {}
        """The names of the traits that each class and trait uses."""
        for definition in self.definitions:
            if definition.kind != "Extension" and definition.name:
                self.kinds[definition.name] = definition
                self.homes.setdefault(definition.name, set()).add(definition.package)
        for definition in self.definitions:
            self._check(definition)
        known = [each for name, each in self.vm.classes.items() if name not in self.kinds]
        above = {each.name: {each.superclass.name} for each in known if each.superclass is not None}
        above |= {name: {each.text("superclass")} for name, each in self.kinds.items()}
        self._check_circles("superclass", "inherit from", above)
        used = {
            each.name: {trait.name for trait in each.composition.traits()}
            for each in known
            if each.composition
        }
        self._check_circles("traits", "use", used | self.traits)
        self._spread()

    # one definition

    def _check(self, definition: Definition) -> None:
        name = definition.properties.get("name")
        if not isinstance(name, str) or not name.isidentifier() or not name[0].isupper():
            shown = f"{name} is not a name of a class" if name else "the name of the class (#name) is missing"
            self._fault(definition, "name", shown)
            return
        for key in TEXTS:
            if not isinstance(definition.properties.get(key), str | None):
                self._fault(definition, key, f"#{key} must be a text")
        for key in LISTS:
            found = definition.properties.get(key, [])
            if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
                self._fault(definition, key, f"#{key} must be a list of names")
        for other, line in definition.others.items():
            self._need_class(definition, other, f"{definition.path}:{line}")
        if definition.kind == "Extension":
            self._need_class(definition, name, definition.location("name"))
        else:
            self._check_class(definition)

    def _check_class(self, definition: Definition) -> None:
        is_trait = definition.kind == "Trait"
        known, binding = self.vm.classes.get(definition.name), self.vm.globals.get(definition.name)
        if known is not None and known.is_trait is not is_trait:
            self._fault(definition, "name", f"{definition.name} is a {_noun(known)} in the image")
        elif known is None and binding is not None:
            self._fault(definition, "name", f"{definition.name} is a global of the image, and not a class")
        if not is_trait:
            self._check_superclass(definition)
        kind = definition.text("type")
        if kind and kind not in LAYOUTS:
            self._need(definition, f"the layout {kind}", definition.location("type"))
        for key in ("instVars", "classInstVars", "classVars"):
            self._check_variables(definition, key)
        for name in definition.names("pools"):
            self._find(definition, name, f"the pool {name}", definition.location("pools"))
        for key in ("traits", "classTraits"):
            self._check_composition(definition, key)

    def _check_superclass(self, definition: Definition) -> None:
        name = definition.properties.get("superclass", "")
        if name == "":
            self._fault(definition, "name", "the superclass (#superclass) is missing")
        elif isinstance(name, str) and name != "nil":
            self._need_class(definition, name, definition.location("superclass"), is_trait=False)

    def _check_variables(self, definition: Definition, key: str) -> None:
        """Variables have a name of their own, and a kind that the practice image has."""
        location, names = definition.location(key), set[str]()
        for text in definition.names(key):
            try:
                name, kind = slot_in(text)
            except ValueError as error:
                self._fault(definition, key, str(error))
                continue
            if name in names:
                self._fault(definition, key, f"there are two variables {name}")
            if kind not in PLAIN:
                self._need(definition, f"variables of the kind {kind}", location)
            names.add(name)

    def _check_composition(self, definition: Definition, key: str) -> None:
        used = self.traits.setdefault(definition.name, set())
        location = definition.location(key)

        def note(name: str) -> Behavior:
            if key == "traits":
                used.add(name)
            self._need_class(definition, name, location, is_trait=True)
            return self.vm.classes["Object"]  # for any: one of its own would stay among all objects

        try:
            parse_composition(definition.text(key), note)
        except ValueError as error:
            self._fault(definition, key, str(error))

    # what is needed

    def _need_class(
        self, definition: Definition, name: str, location: str, *, is_trait: bool | None = None
    ) -> None:
        """Note that a class is needed; or a trait, or either of them."""
        wanted = "trait" if is_trait else "class"
        found = self._find(definition, name, f"{wanted} {name}", location)
        if found is not None and is_trait is not None and found is not is_trait:
            self.faults.append(f"{location}: {name} is not a {wanted}")

    def _find(self, definition: Definition, name: str, what: str, location: str) -> bool | None:
        """Whether the class of this name is a trait; None if there is none, which is noted."""
        here, known = self.kinds.get(name), self.vm.classes.get(name)
        if here is not None:
            self.uses.setdefault(definition.package, []).append(Use(name, Need(what, location)))
            return here.kind == "Trait"
        if known is None:
            self._need(definition, what, location)
            return None
        return known.is_trait

    def _need(self, definition: Definition, what: str, location: str) -> None:
        self.needs.setdefault(definition.package, []).append(Need(what, location))

    def _fault(self, definition: Definition, key: str, text: str) -> None:
        self.faults.append(f"{definition.location(key)}: {text}")

    # all definitions

    def _check_circles(self, key: str, verb: str, edges: Mapping[str, set[str]]) -> None:
        """Find what would inherit from itself, or use itself."""
        for name, first in edges.items():
            reached, pending = set(first), list(first)
            while pending:
                further = edges.get(pending.pop(), set()) - reached
                pending += further
                reached |= further
            if name in reached and name in self.kinds:
                self._fault(self.kinds[name], key, f"{name} would {verb} itself")

    def _spread(self) -> None:
        """Note what packages need of those that cannot be loaded, until there are no more of them."""
        while lost := [
            (package, use)
            for package, uses in self.uses.items()
            if package not in self.needs
            for use in uses
            if use.name not in self.vm.classes and self.homes[use.name] <= self.needs.keys()
        ]:
            for package, (name, need) in lost:
                home = min(self.homes[name])
                self.needs.setdefault(package, []).append(need._replace(why=f"{home} is skipped, too"))


def _noun(behavior: Behavior) -> str:
    return "trait" if behavior.is_trait else "class"
