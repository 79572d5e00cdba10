"""HTTP responses, written to the buffer of a socket's stream in one step.

What is unusual, or does not fit into the buffer, fails, and the Smalltalk code writes it.
"""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, Pointers, Value
from pharo_practice.primitives.arguments import BYTE_STRINGS, fields_of
from pharo_practice.primitives.dictionaries import at, ordered_at
from pharo_practice.primitives.http_headers import headers_in
from pharo_practice.primitives.sequences import elements_of
from pharo_practice.primitives.shapes import ORDERED_KEYS
from pharo_practice.primitives.socket_streams import WRITE_BUFFER, StreamBuffer

MOST_HEADERS = 64

REASON = 2
"""The field of a ZnStatusLine, which is filled when it is first needed."""


@primitive("responseWrite")
def write_response(vm: Machine, receiver: Value, stream: Value) -> Value:
    """Write a response without a body, or with one of bytes or ASCII text."""
    headers, entity, status = fields_of(receiver, "ZnResponse")[:3]
    buffer = StreamBuffer(stream, WRITE_BUFFER)
    vm.limits.reserve(2 * len(buffer.bytes))
    line, reason = _status_line(vm, status)
    body = _body(entity, len(buffer.bytes))
    buffer.write(b"".join((line, *_header_lines(vm, headers_in(headers)), b"\r\n", body)))
    status.fields[REASON] = reason
    return receiver


def _data(string: Value) -> bytes:
    """The bytes of a string of bytes."""
    if type(string) is not Bytes or string.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    return bytes(string.data)


def _status_line(vm: Machine, status: Value) -> tuple[bytes, Value]:
    """The first line, and the reason that it gives: that of the code unless it has another one."""
    version, code, reason = fields_of(status, "ZnStatusLine")[: REASON + 1]
    if type(code) is not int:
        raise PrimitiveFailed
    if reason is None:
        reason = at(vm, vm.classes["ZnConstants"].class_variables["HTTPStatusCodes"].fields[1], code)
    return b"%b %d %b\r\n" % (_data(version), code, _data(reason)), reason


def _header_lines(vm: Machine, headers: Pointers) -> list[bytes]:
    """The lines of the headers; none may have several values, or say that the body comes in chunks."""
    names = elements_of(headers.fields[ORDERED_KEYS])
    if len(names) > MOST_HEADERS:
        raise PrimitiveFailed
    lines: list[bytes] = []
    for name in names:
        written = _data(name)
        if written == b"Transfer-Encoding":
            raise PrimitiveFailed
        lines.append(b"%b: %b\r\n" % (written, _data(ordered_at(vm, headers, name))))
    return lines


def _body(entity: Value, limit: int) -> bytes:
    """The bytes of a body, at most so many; its encoder, where it has one, writes UTF-8."""
    if entity is None:
        return b""
    content, encoder = (*fields_of(entity, "ZnStringEntity", "ZnByteArrayEntity"), None)[2:4]
    if type(content) is not Bytes or len(content.data) > limit:
        raise PrimitiveFailed
    if entity.cls.name == "ZnByteArrayEntity" and content.cls.name == "ByteArray":
        return bytes(content.data)
    fields_of(encoder, "ZnUTF8Encoder")
    data = _data(content)
    if not data.isascii():
        raise PrimitiveFailed
    return data
