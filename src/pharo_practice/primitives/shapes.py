"""The types of the fields of some objects, as the signatures of primitives declare them.

An instance that was never initialized, is read-only, or was changed from outside has other contents. As all
of a signature, that is looked at only after an error (see ``machine.primitive``).
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pharo_practice.machine.scheduler import EXCESS_SIGNALS, HIGHEST, MY_LIST, PRIORITY
from pharo_practice.model.object_memory import is_read_only
from pharo_practice.model.objects import Bytes, Pointers, Value, Words

# the fields of a hashed collection and of an association
TALLY, ARRAY = 0, 1
KEY, VALUE = 0, 1

# the fields of an OrderedDictionary
DICTIONARY, ORDERED_KEYS = 0, 1

# the fields of a PositionableStream and a WriteStream that are used here
COLLECTION, POSITION, READ_LIMIT, WRITE_LIMIT = range(4)


def _is_writable(value: Value) -> bool:
    return isinstance(value, Pointers | Bytes | Words) and not is_read_only(value)


def _is_ordered(value: Pointers) -> bool:
    match value.fields[:3]:
        case [Pointers() as array, int() as first, int() as last]:
            return _is_writable(array) and first >= 1 and last <= len(array.fields)
    return False


def _is_hashed(value: Pointers) -> bool:
    match value.fields[:2]:
        case [int(), Pointers() as array]:
            return bool(array.fields) and _is_writable(array) and _is_writable(value)
    return False


def _is_dictionary(value: Pointers) -> bool:
    return _is_hashed(value) and all(
        each is None or (isinstance(each, Pointers) and len(each.fields) > VALUE and _is_writable(each))
        for each in value.fields[ARRAY].fields
    )


def is_ordered_dictionary(value: Value) -> bool:
    """Whether an object has what an OrderedDictionary needs, and can be changed."""
    if type(value) is not Pointers:
        return False
    match value.fields[:2]:
        case [Pointers() as dictionary, Pointers() as keys]:
            return _is_dictionary(dictionary) and _is_ordered(keys) and _is_writable(keys)
    return False


def _is_stream(value: Pointers) -> bool:
    match value.fields[:3]:
        case [Pointers() | Bytes() | Words(), int(), int()]:
            return _is_writable(value)
    return False


def _is_write_stream(value: Pointers) -> bool:
    match value.fields[:4]:
        case [collection, int(), int(), int()]:
            return _is_writable(collection) and _is_writable(value)
    return False


def _is_process(value: Pointers) -> bool:
    priority = value.fields[PRIORITY] if len(value.fields) > MY_LIST else None
    return type(priority) is int and 1 <= priority <= HIGHEST and _is_writable(value)


def is_semaphore(value: Value) -> bool:
    """Whether an object can be signalled like a semaphore; checked now if it is signalled later."""
    return (
        type(value) is Pointers
        and len(value.fields) > EXCESS_SIGNALS
        and type(value.fields[EXCESS_SIGNALS]) is int
        and _is_writable(value)
    )


Writable: TypeAlias = Annotated[Pointers, _is_writable]
OrderedCollection: TypeAlias = Annotated[Pointers, _is_ordered, _is_writable]
HashedCollection: TypeAlias = Annotated[Pointers, _is_hashed]
Dictionary: TypeAlias = Annotated[Pointers, _is_dictionary]
OrderedDictionary: TypeAlias = Annotated[Pointers, is_ordered_dictionary]
Stream: TypeAlias = Annotated[Pointers, _is_stream]
WriteStream: TypeAlias = Annotated[Pointers, _is_write_stream]
Process: TypeAlias = Annotated[Pointers, _is_process]
Semaphore: TypeAlias = Annotated[Pointers, is_semaphore]
