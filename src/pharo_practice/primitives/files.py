"""Files and folders. Names come as absolute paths; a file's handle is its descriptor."""

from __future__ import annotations

import os
import stat

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import Primitive, PrimitiveFailed
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Bytes, Value
from pharo_practice.primitives.arguments import integer
from pharo_practice.primitives.system_calls import system_call

BINARY = getattr(os, "O_BINARY", 0)
"""Keeps Windows from translating the ends of lines."""
MOST_BYTES = 1 << 20
"""How many bytes one read returns at most: an endless device must not block the machine."""


FILES: dict[str, Primitive] = {
    "fileExists": lambda _vm, _receiver, name: os.path.exists(text_of(name)),
    "fileIsDirectory": lambda _vm, _receiver, name: os.path.isdir(text_of(name)),
    "fileIsFile": lambda _vm, _receiver, name: (
        os.path.exists(path := text_of(name)) and not os.path.isdir(path)
    ),
    "fileIsSymlink": lambda _vm, _receiver, name: os.path.islink(text_of(name)),
    "fileSize": lambda _vm, _receiver, name: os.stat(text_of(name)).st_size,
    "filePermissions": lambda _vm, _receiver, name: stat.S_IMODE(os.stat(text_of(name)).st_mode) & 0o777,
    "fileUid": lambda _vm, _receiver, name: os.stat(text_of(name)).st_uid,
    "fileChildNames": lambda vm, _receiver, name: vm.array(
        [vm.string(child) for child in sorted(os.listdir(text_of(name)))]
    ),
}
"""What is asked about a file by its name; as in Pharo, devices are files."""

for _name, _function in FILES.items():
    system_call(_name)(_function)


@system_call("fileModificationTime")
def modification_time(vm: Machine, receiver: Value, name: Value) -> Value:
    """The modification time, in seconds since 1970."""
    return int(os.stat(text_of(name)).st_mtime)


@system_call("fileSetPermissions")
def set_permissions(vm: Machine, receiver: Value, name: Value, mode: Value) -> Value:
    """Set the permissions, as nine bits."""
    os.chmod(text_of(name), mode)
    return receiver


@system_call("fileCreateDirectory")
def create_directory(vm: Machine, receiver: Value, name: Value) -> Value:
    """Create a folder in an existing one."""
    os.mkdir(text_of(name))
    return receiver


@system_call("fileDelete")
def delete(vm: Machine, receiver: Value, name: Value) -> Value:
    """Delete a file, a link, or an empty folder."""
    path = text_of(name)
    is_folder = os.path.isdir(path) and not os.path.islink(path)
    (os.rmdir if is_folder else os.unlink)(path)
    return receiver


@system_call("fileRename")
def rename(vm: Machine, receiver: Value, name: Value, other: Value) -> Value:
    """Rename a file, atomically if the system can do it."""
    os.rename(text_of(name), text_of(other))
    return receiver


@system_call("fileOpen")
def open_file(vm: Machine, receiver: Value, name: Value, writing: Value) -> Value:
    """Open a file and return its descriptor; if it is opened for writing, it is created if necessary."""
    flags = os.O_RDWR | os.O_CREAT if writing else os.O_RDONLY
    return os.open(text_of(name), flags | BINARY, 0o666)


@system_call("fileRead")
def read(vm: Machine, receiver: Value, handle: Value, count: Value) -> Value:
    """Read bytes: fewer than requested only at the end, or above the maximum of one call."""
    wanted = min(integer(count), MOST_BYTES)
    if wanted > 0:
        vm.limits.reserve(wanted)
    found = bytearray()
    while len(found) < wanted and (part := os.read(handle, wanted - len(found))):
        found += part
    return Bytes(vm.classes["ByteArray"], found)


@system_call("fileWrite")
def write(vm: Machine, receiver: Value, handle: Value, data: Value) -> Value:
    """Write all of the bytes."""
    if not isinstance(data, Bytes):
        raise PrimitiveFailed
    rest = memoryview(bytes(data.data))
    while rest:
        rest = rest[os.write(handle, rest) :]
    return receiver


@system_call("fileAtEnd")
def at_end(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Whether the position is at the end; that of a device never is."""
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        return False
    return os.lseek(handle, 0, os.SEEK_CUR) >= status.st_size


@system_call("fileTruncate")
def truncate(vm: Machine, receiver: Value, handle: Value, length: Value) -> Value:
    """Truncate the file; a position behind its new end moves there."""
    os.ftruncate(handle, length)
    if os.lseek(handle, 0, os.SEEK_CUR) > length:
        os.lseek(handle, length, os.SEEK_SET)
    return receiver


@system_call("fileSetToEnd")
def set_to_end(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Move the position to the end."""
    os.lseek(handle, 0, os.SEEK_END)
    return receiver


@system_call("fileClose")
def close(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Close the file."""
    os.close(handle)
    return receiver
