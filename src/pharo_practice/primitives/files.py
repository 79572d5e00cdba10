"""Files and folders. Names come as absolute paths; a file's handle is its descriptor."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import Primitive, PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, Value
from pharo_practice.primitives.arguments import integer, text_of

_last_error: list[int] = [0]
BINARY = getattr(os, "O_BINARY", 0)
"""Keeps Windows from translating the ends of lines."""
MOST_BYTES = 1 << 20
"""How many bytes one read returns at most: an endless device must not block the machine."""


def attempt(operation: Callable[..., Value], *arguments: Value) -> Value:
    """Call the operation; if it fails, record why and fail."""
    try:
        return operation(*arguments)
    except OSError as cause:
        _last_error[0] = cause.errno or 0
    except (TypeError, ValueError, OverflowError):  # the functions of ``os`` check their arguments
        _last_error[0] = 0
    raise PrimitiveFailed


@primitive("fileReason")
def reason(vm: Machine, receiver: Value, name: Value) -> Value:
    """The reason why the last operation failed, with the file's name."""
    return vm.string(f"{text_of(name)}: {os.strerror(_last_error[0])}")


@primitive("fileExists")
def exists(vm: Machine, receiver: Value, name: Value) -> Value:
    """Whether the name exists."""
    return os.path.exists(text_of(name))


@primitive("fileIsDirectory")
def is_directory(vm: Machine, receiver: Value, name: Value) -> Value:
    """Whether the name is that of a folder."""
    return os.path.isdir(text_of(name))


@primitive("fileIsFile")
def is_file(vm: Machine, receiver: Value, name: Value) -> Value:
    """Whether the name exists and is not a folder; as in Pharo, devices are files."""
    return exists(vm, receiver, name) and not is_directory(vm, receiver, name)


FILES: dict[str, Primitive] = {
    "fileIsSymlink": lambda _vm, _receiver, name: os.path.islink(text_of(name)),
    "fileSize": lambda _vm, _receiver, name: attempt(os.stat, text_of(name)).st_size,
    "filePermissions": lambda _vm, _receiver, name: (
        stat.S_IMODE(attempt(os.stat, text_of(name)).st_mode) & 0o777
    ),
    "fileUid": lambda _vm, _receiver, name: attempt(os.stat, text_of(name)).st_uid,
    "fileChildNames": lambda vm, _receiver, name: vm.array(
        [vm.string(child) for child in sorted(attempt(os.listdir, text_of(name)))]
    ),
}
"""What is asked about a file by its name."""

for _name, _function in FILES.items():
    primitive(_name)(_function)


@primitive("fileModificationTime")
def modification_time(vm: Machine, receiver: Value, name: Value) -> Value:
    """The modification time, in seconds since 1970."""
    return int(attempt(os.stat, text_of(name)).st_mtime)


@primitive("fileSetPermissions")
def set_permissions(vm: Machine, receiver: Value, name: Value, mode: Value) -> Value:
    """Set the permissions, as nine bits."""
    attempt(os.chmod, text_of(name), mode)
    return receiver


@primitive("fileCreateDirectory")
def create_directory(vm: Machine, receiver: Value, name: Value) -> Value:
    """Create a folder in an existing one."""
    attempt(os.mkdir, text_of(name))
    return receiver


@primitive("fileDelete")
def delete(vm: Machine, receiver: Value, name: Value) -> Value:
    """Delete a file, a link, or an empty folder."""
    path = text_of(name)
    is_folder = os.path.isdir(path) and not os.path.islink(path)
    attempt(os.rmdir if is_folder else os.unlink, path)
    return receiver


@primitive("fileRename")
def rename(vm: Machine, receiver: Value, name: Value, other: Value) -> Value:
    """Rename a file, atomically if the system can do it."""
    attempt(os.rename, text_of(name), text_of(other))
    return receiver


@primitive("fileOpen")
def open_file(vm: Machine, receiver: Value, name: Value, writing: Value) -> Value:
    """Open a file and return its descriptor; if it is opened for writing, it is created if necessary."""
    flags = os.O_RDWR | os.O_CREAT if writing else os.O_RDONLY
    return attempt(os.open, text_of(name), flags | BINARY, 0o666)


@primitive("fileRead")
def read(vm: Machine, receiver: Value, handle: Value, count: Value) -> Value:
    """Read bytes: fewer than requested only at the end, or above the maximum of one call."""
    wanted = min(integer(count), MOST_BYTES)
    if wanted > 0:
        vm.limits.reserve(wanted)
    found = bytearray()
    while len(found) < wanted and (part := attempt(os.read, handle, wanted - len(found))):
        found += part
    return Bytes(vm.classes["ByteArray"], found)


@primitive("fileWrite")
def write(vm: Machine, receiver: Value, handle: Value, data: Value) -> Value:
    """Write all of the bytes."""
    if not isinstance(data, Bytes):
        raise PrimitiveFailed
    vm.limits.reserve(len(data.data))
    rest = memoryview(bytes(data.data))
    while rest:
        rest = rest[attempt(os.write, handle, rest) :]
    return receiver


@primitive("fileAtEnd")
def at_end(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Whether the position is at the end; that of a device never is."""
    status = attempt(os.fstat, handle)
    if not stat.S_ISREG(status.st_mode):
        return False
    return attempt(os.lseek, handle, 0, os.SEEK_CUR) >= status.st_size


@primitive("fileTruncate")
def truncate(vm: Machine, receiver: Value, handle: Value, length: Value) -> Value:
    """Truncate the file; a position behind its new end moves there."""
    attempt(os.ftruncate, handle, length)
    if attempt(os.lseek, handle, 0, os.SEEK_CUR) > length:
        attempt(os.lseek, handle, length, os.SEEK_SET)
    return receiver


@primitive("fileSetToEnd")
def set_to_end(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Move the position to the end."""
    attempt(os.lseek, handle, 0, os.SEEK_END)
    return receiver


@primitive("fileClose")
def close(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Close the file."""
    attempt(os.close, handle)
    return receiver
