"""HTTP requests that have arrived: the head or the body in the buffer of a socket's stream, read in one step.

Whatever is incomplete, invalid or unusual fails, and the Smalltalk code reads it.
"""

from __future__ import annotations

import re

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, Pointers, Value
from pharo_practice.primitives.arguments import fields_of, integer
from pharo_practice.primitives.dictionaries import ordered_at, ordered_at_put, ordered_includes_key
from pharo_practice.primitives.encodings import byte_array, capitalized
from pharo_practice.primitives.http_headers import Headers, headers_in
from pharo_practice.primitives.sequences import elements_of, ordered_collection_add, ordered_collection_new
from pharo_practice.primitives.shapes import DICTIONARY, TALLY
from pharo_practice.primitives.socket_streams import READ_BUFFER, StreamBuffer

LONGEST_LINE = 4096
"""Bytes, with the end of the line. Source: ZnConstants class>>maximumLineLength."""

REQUEST_LINE = re.compile(rb"([A-Z]+) (/|(?:/[A-Za-z0-9_-]+)+) (HTTP/[0-9.]+)\r\n")
"""One whose address is a path without dots, escapes, a query and empty parts."""

PLAIN_TYPE = re.compile(rb" *([A-Za-z0-9.+-]+)/([A-Za-z0-9.+-]+) *")
"""A media type without parameters."""

URL_FIELDS = 8
SEGMENTS = 3


def _string(vm: Machine, data: bytes) -> Bytes:
    return Bytes(vm.classes["ByteString"], bytearray(data))


def _new(vm: Machine, name: str, fields: list[Value]) -> Pointers:
    """An instance of a class; fails if the class has got other instance variables."""
    cls = vm.classes[name]
    if cls.instance_size != len(fields):
        raise PrimitiveFailed
    return Pointers(cls, fields)


@primitive("requestLineReadAtHand")
def read_request_line(vm: Machine, receiver: Value, stream: Value, methods: Value, versions: Value) -> bool:
    """Read a request line with one of these methods and versions, and a simple address."""
    arrived = StreamBuffer(stream, READ_BUFFER)
    found = REQUEST_LINE.match(arrived.unread(vm))
    if found is None or len(found[0]) > LONGEST_LINE:
        raise PrimitiveFailed
    line = fields_of(receiver, "ZnRequestLine")
    line[:3] = [_one_of(methods, found[1]), _url(vm, found[2]), _one_of(versions, found[3])]
    arrived.skip(len(found[0]))
    return True


def _one_of(strings: Value, data: bytes) -> Bytes:
    """The string or symbol in an array that consists of these characters."""
    for each in elements_of(strings):
        if type(each) is Bytes and each.data == data:
            return each
    raise PrimitiveFailed


def _url(vm: Machine, path: bytes) -> Pointers:
    """The ZnUrl of a path in which nothing has to be decoded."""
    url = _new(vm, "ZnUrl", [None] * URL_FIELDS)
    if path != b"/":
        url.fields[SEGMENTS] = ordered_collection_new(vm, vm.classes["OrderedCollection"])
        for segment in path[1:].split(b"/"):
            ordered_collection_add(vm, url.fields[SEGMENTS], _string(vm, segment))
    return url


@primitive("headersReadAtHand")
def read_headers(vm: Machine, receiver: Headers, stream: Value, limit: Value) -> bool:
    """Read up to so many headers and the empty line after them; none may come twice or be continued."""
    arrived, headers = StreamBuffer(stream, READ_BUFFER), headers_in(receiver)
    head, end, _ = arrived.unread(vm).partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    if not end or len(lines) > integer(limit) or head.count(b"\n") >= len(lines):
        raise PrimitiveFailed
    found = dict(map(_header, lines))
    if len(found) < len(lines) or headers.fields[DICTIONARY].fields[TALLY]:
        raise PrimitiveFailed
    for name, value in found.items():
        ordered_at_put(vm, headers, _string(vm, name), _string(vm, value))
    arrived.skip(len(head) + len(end))
    return True


def _header(line: bytes) -> tuple[bytes, bytes]:
    """The name and the value in a line."""
    name, _, value = line.partition(b":")
    if line[:1] in (b"", b" ", b"\t") or not name.isascii() or len(line) + 2 > LONGEST_LINE:
        raise PrimitiveFailed
    return capitalized(name), value.lstrip(b" ")


@primitive("entityReadAtHand")
def read_entity(vm: Machine, receiver: Value, limit: Value) -> Pointers:
    """Read a body of bytes whose length, at most ``limit``, and simple media type are in the headers."""
    headers, stream, is_binary = fields_of(receiver, "ZnEntityReader")[:3]
    arrived, dictionary = StreamBuffer(stream, READ_BUFFER), headers_in(headers)
    digits, media_type = (_value(vm, dictionary, name) for name in ("Content-Length", "Content-Type"))
    found = PLAIN_TYPE.fullmatch(media_type)
    if is_binary is not True or not digits.isdigit() or len(digits) > len(str(LONGEST_LINE)) or not found:
        raise PrimitiveFailed
    length, unread = int(digits), arrived.unread(vm)
    if ordered_includes_key(vm, dictionary, vm.string("Transfer-Encoding")):
        raise PrimitiveFailed
    if not 0 < length <= min(len(unread), integer(limit)):
        raise PrimitiveFailed
    main, sub = (_string(vm, each.lower()) for each in found.groups())
    mime_type = _new(vm, "ZnMimeType", [main, sub, None])
    entity = _new(vm, "ZnByteArrayEntity", [mime_type, length, byte_array(vm, unread[:length])])
    arrived.skip(length)
    return entity


def _value(vm: Machine, headers: Pointers, name: str) -> bytes:
    """The only value of a header."""
    value = ordered_at(vm, headers, vm.string(name))
    if type(value) is not Bytes:
        raise PrimitiveFailed
    return bytes(value.data)
