"""The headers of HTTP messages: reading and storing them by name, and describing a body.

All fails for subclasses of ZnHeaders and of its dictionary, and for names that are not ASCII.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, ConstantClosure, Pointers, Value
from pharo_practice.primitives.arguments import BYTE_STRINGS, fields_of
from pharo_practice.primitives.dictionaries import LIMIT, multi_value_at_put, ordered_at, ordered_includes_key
from pharo_practice.primitives.encodings import capitalize_header
from pharo_practice.primitives.process_variables import process_value
from pharo_practice.primitives.shapes import DICTIONARY, TALLY, is_ordered_dictionary

CONTENT_LENGTH, STRING, ENCODER = 1, 2, 3
"""The fields of a ZnStringEntity after the media type; other entities have the first of them."""


def _is_initialized(value: Pointers) -> bool:
    return bool(value.fields) and is_ordered_dictionary(value.fields[0])


Headers: TypeAlias = Annotated[Pointers, _is_initialized]


def headers_in(value: Value) -> Pointers:
    """The dictionary of a ZnHeaders."""
    dictionary: Pointers = fields_of(value, "ZnHeaders")[0]
    fields_of(fields_of(dictionary, "ZnMultiValueDictionary")[DICTIONARY], "Dictionary")
    return dictionary


@primitive("headersAt")
def at(vm: Machine, receiver: Headers, name: Value, absent: Value = None) -> Value:
    """The value of a header; if there is none, fails unless the block for that is a constant one."""
    return ordered_at(vm, headers_in(receiver), capitalize_header(vm, None, name), absent)


@primitive("headersSingleAt")
def single_at(vm: Machine, receiver: Headers, name: Value, absent: Value) -> Value:
    """The same for a header that has one value."""
    if type(absent) is not ConstantClosure:
        raise PrimitiveFailed
    value = at(vm, receiver, name, absent)
    if type(value) is not Bytes:
        raise PrimitiveFailed
    return value


@primitive("headersIncludesKey")
def includes_key(vm: Machine, receiver: Headers, name: Value) -> bool:
    """Whether there is such a header."""
    return bool(ordered_includes_key(vm, headers_in(receiver), capitalize_header(vm, None, name)))


@primitive("headersAtPut")
def at_put(vm: Machine, receiver: Headers, name: Value, value: Value) -> Value:
    """Store the value of a header."""
    return multi_value_at_put(vm, headers_in(receiver), capitalize_header(vm, None, name), value)


@primitive("headersDescribe")
def describe(vm: Machine, receiver: Headers, entity: Value) -> Value:
    """Store the media type, without parameters, and the length of a body of bytes or ASCII text."""
    headers = headers_in(receiver)
    media_type, length = fields_of(entity, "ZnStringEntity", "ZnByteArrayEntity")[: CONTENT_LENGTH + 1]
    main, sub, parameters = fields_of(media_type, "ZnMimeType")[:3]
    limit, tally = headers.fields[LIMIT], headers.fields[DICTIONARY].fields[TALLY]
    if parameters is not None or type(limit) is not int or tally + 2 > limit:
        raise PrimitiveFailed
    name = vm.string(f"{_text(main)}/{_text(sub)}")
    if length is None:
        length = _measure(vm, entity)
    multi_value_at_put(vm, headers, vm.string("Content-Type"), name)
    multi_value_at_put(vm, headers, vm.string("Content-Length"), vm.string(f"{length:d}"))
    return receiver


def _text(string: Value) -> str:
    if type(string) is not Bytes or string.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    return string.data.decode("latin-1")


def _measure(vm: Machine, entity: Pointers) -> int:
    """The length of a body of ASCII text in UTF-8; it remembers that, and its encoder."""
    fields = fields_of(entity, "ZnStringEntity")
    if not _text(fields[STRING]).isascii():
        raise PrimitiveFailed
    encoder = fields[ENCODER]
    if encoder is None:
        encoder = process_value(vm, vm.classes["ZnDefaultCharacterEncoder"])
    if encoder is None:
        encoder = vm.classes["ZnUTF8Encoder"].class_variables["Default"].fields[1]
    fields_of(encoder, "ZnUTF8Encoder")
    fields[ENCODER], fields[CONTENT_LENGTH] = encoder, len(fields[STRING].data)
    return len(fields[STRING].data)
