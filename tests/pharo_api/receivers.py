"""Which class the receiver of a message is known to have, and which class its answer has."""

from enum import Enum, auto
from typing import NamedTuple

from pharo_api.classes import Side
from pharo_api.hierarchy import Hierarchy
from pharo_api.pharo_version import PharoVersion


class Certainty(Enum):
    """How much is known when the class of a receiver is."""

    EXACT = auto()
    """It is an instance of this class, and of no subclass."""
    KIND = auto()
    """It may be an instance of a subclass."""
    SUPER = auto()
    """It is ``super``: methods are looked up from this class on."""


class Receiver(NamedTuple):
    """What is known of an object: an instance of a class, or on the class side the class itself."""

    side: Side
    name: str
    certainty: Certainty

    @property
    def label(self) -> str:
        """How its class is written."""
        return self.side.of(self.name)


CLASS_OF_GLOBAL = {
    "Smalltalk": "SmalltalkImage",
    "Processor": "ProcessorScheduler",
    "Transcript": "ThreadSafeTranscript",
    "Undeclared": None,
    "SystemOrganization": None,
    "Sensor": None,
    "Display": None,
    "World": None,
    "ActiveWorld": None,
    "ActiveHand": None,
    "ActiveEvent": None,
    "SourceFiles": None,
}
"""Globals that are not classes; the class of their value where it is certain."""

CLASS_OF_LITERAL = {
    "string": "ByteString",
    "symbol": "ByteSymbol",
    "character": "Character",
    "array": "Array",
    "bytes": "ByteArray",
    "integer": "SmallInteger",
    "large": "LargePositiveInteger",
    "float": "Float",
    "scaled": "ScaledDecimal",
    "true": "True",
    "false": "False",
}

CONSTRUCTORS = {
    "Collection": {"new", "new:", "with:", "with:with:", "withAll:"},
    "PositionableStream": {"on:", "with:"},
}
"""Selectors of the class side that answer an instance of the receiver, by the class that has them."""

RESULTS = {
    ("SmalltalkImage", Side.INSTANCE, "globals"): "SystemDictionary",
    ("SmalltalkImage", Side.INSTANCE, "vm"): "VirtualMachine",
    ("SmalltalkImage", Side.INSTANCE, "image"): "SmalltalkImage",
    ("SmalltalkImage", Side.INSTANCE, "os"): "OSPlatform",
    ("SmalltalkImage", Side.INSTANCE, "tools"): "ToolRegistry",
    ("SystemAnnouncer", Side.CLASS, "uniqueInstance"): "SystemAnnouncer",
    ("PackageOrganizer", Side.CLASS, "default"): "PackageOrganizer",
    ("DateAndTime", Side.CLASS, "now"): "DateAndTime",
    ("Object", Side.INSTANCE, "printString"): "String",
    ("Object", Side.INSTANCE, "displayString"): "String",
    ("String", Side.INSTANCE, ","): "String",
    ("String", Side.INSTANCE, "asSymbol"): "Symbol",
    ("ProtoObject", Side.INSTANCE, "=="): "Boolean",
}
"""The class of the answer, by class, side and selector."""

PLAIN_CREATION = frozenset({"new", "basicNew", "new:", "basicNew:"})
CLASSES_OF_CLASSES = frozenset({"Behavior", "Class", "ClassDescription"})


def instance_of(
    hierarchy: Hierarchy, name: str | None, certainty: Certainty = Certainty.KIND
) -> Receiver | None:
    """An instance of a class, if there is that class."""
    return Receiver(Side.INSTANCE, name, certainty) if name and name in hierarchy.classes else None


def answer(version: PharoVersion, receiver: Receiver, selector: str, owner: str) -> Receiver | None:
    """What is known of the answer to a message that is sent within a method of the class ``owner``."""
    if selector == "yourself":
        return receiver
    if receiver.certainty is Certainty.SUPER:
        receiver = Receiver(receiver.side, owner, Certainty.KIND)
    if selector == "class" and receiver.side is Side.INSTANCE:
        return receiver._replace(side=Side.CLASS)
    ancestors = [info.name for info in version.chain(receiver.name).classes]
    if receiver.side is Side.CLASS and (created := creation(version, receiver, selector, ancestors)):
        return created
    for ancestor in ancestors:
        if (ancestor, receiver.side, selector) in RESULTS:
            return instance_of(version, RESULTS[ancestor, receiver.side, selector])
    return None


def creation(
    version: PharoVersion, receiver: Receiver, selector: str, ancestors: list[str]
) -> Receiver | None:
    """The new instance, if the selector makes one of the class that receives it."""
    found = version.implementor(receiver.name, Side.CLASS, selector)
    if found is None:
        return None
    implementor, side = found
    if selector in PLAIN_CREATION and side is Side.INSTANCE and implementor in CLASSES_OF_CLASSES:
        return receiver._replace(side=Side.INSTANCE)
    constructs = any(selector in CONSTRUCTORS.get(ancestor, ()) for ancestor in ancestors)
    return instance_of(version, receiver.name) if constructs and implementor not in version.own else None
