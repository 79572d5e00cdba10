"""Arrays, strings and ordered collections: frequent operations, each done in one step.

Many fail for subclasses, which may store or find their elements in their own way.
"""

from __future__ import annotations

from collections.abc import Sequence

from pharo_practice.machine.limits import POINTER
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Bytes, Character, Pointers, Value, character
from pharo_practice.primitives.arguments import BYTE_STRINGS, STRINGS, class_name, codes_of
from pharo_practice.primitives.collections import comparable, store_elements
from pharo_practice.primitives.objects import MOST_ELEMENTS, new_instance
from pharo_practice.primitives.shapes import OrderedCollection, Writable

MOST_AT_ONCE = 500_000
"""Elements that a primitive goes through one by one: nothing can interrupt it. Smalltalk does with more."""

FEW = 500
"""Elements up to which a new collection is not counted by itself, and a search may look at all."""

# the fields of an OrderedCollection
ARRAY, FIRST_INDEX, LAST_INDEX = range(3)


def elements_of(value: Value) -> Sequence[Value]:
    """The elements of an array or ordered collection.

    Raises:
        PrimitiveFailed: If the value is something else.
    """
    if type(value) is not Pointers:
        raise PrimitiveFailed
    name = value.cls.name
    if name == "OrderedCollection":
        return _between(value)
    if name != "Array":
        raise PrimitiveFailed
    fields: Sequence[Value] = value.fields
    return fields


def few(elements: Sequence[Value]) -> Sequence[Value]:
    """The elements, if they are not too many for one step."""
    if len(elements) > MOST_AT_ONCE:
        raise PrimitiveFailed
    return elements


def _between(collection: Pointers) -> list[Value]:
    """The elements of an ordered collection of any class."""
    array, first, last = collection.fields[:3]
    if type(array) is not Pointers or not type(first) is type(last) is int:
        raise PrimitiveFailed  # it is not initialized
    elements: list[Value] = array.fields[first - 1 : last]
    return elements


def new_ordered_collection(vm: Machine, elements: list[Value]) -> Pointers:
    """An OrderedCollection; ``elements`` becomes its content."""
    return Pointers(vm.classes["OrderedCollection"], [vm.array(elements), 1, len(elements)])


@primitive("exceptionClassUnion")
def exception_class_union(vm: Machine, receiver: Behavior, other: Value) -> Pointers:
    """A set of two exception classes."""
    cls = vm.classes["ExceptionSet"]
    if cls.instance_size != 1:
        raise PrimitiveFailed
    return Pointers(cls, [new_ordered_collection(vm, [receiver, other])])


@primitive("elementAt")
def element_at(_vm: Machine, receiver: Value, index: Value, _absent: Value) -> Value:
    """An element of an array or string; fails if there is none."""
    name = receiver.cls.name
    elements = receiver.fields if name == "Array" else codes_of(receiver)
    if type(index) is not int or not 1 <= index <= len(elements):
        raise PrimitiveFailed
    if name == "Array":
        return elements[index - 1]
    if name in STRINGS:
        return character(elements[index - 1])
    raise PrimitiveFailed


# searching


@primitive("collectionIsEmpty")
def is_empty(_vm: Machine, receiver: Value) -> bool:
    """Whether a string, array or ordered collection has no elements."""
    if receiver.cls.name in STRINGS:
        return not receiver.data
    return not elements_of(receiver)


@primitive("indexOfElement")
def index_of_element(_vm: Machine, receiver: Value, sought: Value, start: Value = 1) -> int:
    """The index of an element at or after ``start``; 0 if there is none."""
    if type(start) is not int or start < 1:
        raise PrimitiveFailed
    elements = elements_of(receiver)
    if type(sought) is Character and len(elements) <= FEW and {*map(type, elements)} == {Character}:
        return elements.index(sought, start - 1) + 1 if sought in elements[start - 1 :] else 0
    key = comparable(sought)
    for place in range(start - 1, len(few(elements))):
        each = elements[place]
        if each is sought or comparable(each) == key:
            return place + 1
    return 0


@primitive("includesElement")
def includes_element(vm: Machine, receiver: Value, sought: Value) -> bool:
    """Whether an element is included."""
    if type(receiver) is not Bytes:
        return bool(index_of_element(vm, receiver, sought))
    if receiver.cls.name not in BYTE_STRINGS or type(sought) is not Character:
        raise PrimitiveFailed
    code: int = sought.code
    return code < 256 and code in receiver.data


# ordered collections


@primitive("orderedCollectionReplacing")
def ordered_collection_replacing(
    vm: Machine, receiver: OrderedCollection, start: int, stop: int, replacement: Value
) -> Pointers:
    """A copy in which a part is replaced by other elements; fails for subclasses and missing parts."""
    if receiver.cls.name != "OrderedCollection" or type(replacement) is not Pointers:
        raise PrimitiveFailed
    if replacement.cls.name not in ("Array", "OrderedCollection"):
        raise PrimitiveFailed
    ours, others = elements_of(receiver), elements_of(replacement)
    if not 1 <= start <= stop + 1 <= len(ours) + 1:
        raise PrimitiveFailed
    vm.limits.reserve((len(ours) + len(others)) * POINTER)
    return new_ordered_collection(vm, [*ours[: start - 1], *others, *ours[stop:]])


@primitive("orderedCollectionSize")
def ordered_collection_size(_vm: Machine, receiver: OrderedCollection) -> int:
    """The number of elements."""
    _, first, last = receiver.fields[:3]
    size: int = last - first + 1
    return size


@primitive("orderedCollectionAt")
def ordered_collection_at(_vm: Machine, receiver: OrderedCollection, index: Value) -> Value:
    """The element at an index; fails if there is none."""
    array, first, last = receiver.fields[:3]
    if type(index) is not int or not 1 <= index <= last - first + 1:
        raise PrimitiveFailed
    return array.fields[first + index - 2]


@primitive("orderedCollectionAddLast")
def ordered_collection_add_last(vm: Machine, receiver: OrderedCollection, value: Value) -> Value:
    """Add an element at the end."""
    fields = receiver.fields
    last, elements = fields[LAST_INDEX], fields[ARRAY].fields
    if last == len(elements):
        _make_room(vm, receiver)
        last, elements = fields[LAST_INDEX], fields[ARRAY].fields
    elements[last] = value
    fields[LAST_INDEX] = last + 1
    return value


def _make_room(vm: Machine, collection: Pointers) -> None:
    """Make room at the end; fails for subclasses, which may do it in their own way.

    Source: OrderedCollection>>makeRoomAtLast.
    """
    array, first, last = collection.fields[:3]
    if collection.cls.name != "OrderedCollection" or 2 * last > MOST_ELEMENTS:
        raise PrimitiveFailed
    size = last - first + 1
    vm.limits.reserve(2 * last * POINTER)
    if size * 2 >= last:
        collection.fields[ARRAY] = Pointers(array.cls, [*array.fields, *[None] * max(last, 1)])
        return
    moved = last // 2
    array.fields[moved - size : moved] = _between(collection)
    array.fields[first - 1 :] = [None] * size
    collection.fields[1:3] = (moved - size + 1, moved) if size else (1, 0)


@primitive("orderedCollectionAdd")
def ordered_collection_add(vm: Machine, receiver: OrderedCollection, value: Value) -> Value:
    """The same, unless a subclass overrides it."""
    if receiver.cls.name != "OrderedCollection":
        raise PrimitiveFailed
    return ordered_collection_add_last(vm, receiver, value)


@primitive("orderedCollectionNew")
def ordered_collection_new(vm: Machine, receiver: Behavior, room: Value = 10) -> Pointers:
    """Create an empty ordered collection with that capacity."""
    if receiver.name != "OrderedCollection" or receiver.instance_size != LAST_INDEX + 1:
        raise PrimitiveFailed
    if type(room) is not int or not 0 <= room <= FEW:
        _reserve(vm, room)
    return Pointers(receiver, [vm.array([None] * room), 1, 0])


def _reserve(vm: Machine, room: Value) -> None:
    """Reserve memory for a large collection."""
    if type(room) is not int or not 0 <= room <= MOST_ELEMENTS:
        raise PrimitiveFailed
    vm.limits.reserve(room * POINTER)


@primitive("orderedCollectionSetCollection")
def ordered_collection_set_collection(_vm: Machine, receiver: Writable, array: Value) -> Pointers:
    """Initialize an empty ordered collection with an array to fill."""
    receiver.fields[:3] = [array, 1, 0]
    return receiver


@primitive("orderedCollectionAsArray")
def ordered_collection_as_array(vm: Machine, receiver: Pointers) -> Pointers:
    """A new array of the elements."""
    elements = elements_of(receiver)
    vm.limits.reserve(len(elements) * POINTER)
    return vm.array(list(elements))


@primitive("orderedCollectionAddAll")
def ordered_collection_add_all(vm: Machine, receiver: OrderedCollection, values: Value) -> Value:
    """Add the elements of an array or ordered collection at the end."""
    elements = elements_of(values)
    if receiver.cls.name != "OrderedCollection":
        raise PrimitiveFailed
    if 2 * (receiver.fields[LAST_INDEX] + len(elements)) > MOST_ELEMENTS:
        raise PrimitiveFailed  # before anything is stored: Smalltalk would store it again
    while elements:
        array, _, last = receiver.fields
        added = elements[: len(array.fields) - last]
        array.fields[last : last + len(added)] = added
        receiver.fields[LAST_INDEX] = last + len(added)
        elements = elements[len(added) :]
        if elements:
            _make_room(vm, receiver)
    return values


# in order


@primitive("sortAscending")
def sort_ascending(vm: Machine, receiver: Pointers) -> Pointers:
    """Sort strings of bytes, or integers, in their own order."""
    match receiver.cls.name:
        case "Array":
            store_elements(receiver.fields, 0, len(receiver.fields), _sorted(vm, receiver.fields))
        case "OrderedCollection":
            sort_between(vm, receiver)
        case _:
            raise PrimitiveFailed
    return receiver


@primitive("sortedCollectionSort")
def sort_between(vm: Machine, receiver: OrderedCollection) -> Pointers:
    """The same for an ordered collection of any class."""
    elements = _sorted(vm, _between(receiver))
    array, first, last = receiver.fields[:3]
    store_elements(array.fields, first - 1, last, elements)
    return receiver


def _sorted(vm: Machine, elements: Sequence[Value]) -> list[Value]:
    few(elements)
    if all(type(each) is int for each in elements) and not vm.redefined:
        return sorted(elements)
    if any(class_name(each) not in BYTE_STRINGS for each in elements):
        raise PrimitiveFailed
    return sorted(elements, key=lambda each: each.data)


# made of their elements


@primitive("indexedFields")
def indexed_fields(vm: Machine, receiver: Value) -> Pointers:
    """A new array of an object's indexed fields."""
    if type(receiver) is not Pointers or receiver.cls.kind != "variable":
        raise PrimitiveFailed
    vm.limits.reserve(len(receiver.fields) * POINTER)
    return vm.array(receiver.fields[receiver.cls.instance_size :])


@primitive("newFilled")
def new_filled(vm: Machine, receiver: Behavior, values: Value) -> Value:
    """An instance of a class with only indexed fields, filled with these elements."""
    elements = elements_of(values)
    if receiver.kind != "variable" or receiver.instance_size or len(elements) > MOST_ELEMENTS:
        raise PrimitiveFailed
    instance = new_instance(vm, receiver, len(elements))
    instance.fields[:] = elements
    return instance
