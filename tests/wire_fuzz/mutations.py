"""Mutations of messages: of their members, their text or their bytes."""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any


class Raw(str):
    """Text that is inserted into a message as it is, whether it is JSON or not."""

    __slots__ = ()


JUNK: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**30, "", "x", "é\U0001f600", "\ud800", [], {}, [[]], [None], {"": 0}),
    *map(Raw, ["1e400", "-1e400", "1e-999", "-0", "NaN", "Infinity", "01", "0x1", "'x'", "undefined", ""]),
    *map(
        Raw,
        ["9" * 4200, "9" * 5000, "[" * 150 + "]" * 150, '{"a":' * 1200, "[" * 1200, "[" * 700 + "]" * 700],
    ),
    *map(Raw, [r'"\u0000"', r'"\ud83d\ude00"', r'"\x41"', '"\x00"', '"\t"', "/**/1", "1,", '"a":1', '"2.0"']),
)
NAMES = (
    "jsonrpc",
    "id",
    "method",
    "params",
    "_meta",
    "name",
    "uri",
    "cursor",
    "arguments",
    "result",
    "error",
    "",
)
BYTES = (
    *(b"\x00", b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"\xef\xbb\xbf"),
    *(
        b"\n",
        b"\r",
        b"\r\n",
        b"\xe2\x80\xa8",
        b"\xc2\x85",
        b"\x7f",
        b"\x1b[0m",
        b'"',
        b"\\",
        b"\\u",
        b"{",
        b"]",
    ),
)
NOT_JSON = (
    *(
        b"nonsense",
        b"{",
        b"[",
        b'"',
        b"[1,",
        b"NaN",
        b"\xff\xfe",
        b"\x00",
        b"Content-Length: 2",
        b"GET / HTTP/1.1",
    ),
    *(b"", b" ", b"\r", b"\t \r", b"[]", b"[[]]", b"{}", b"42", b"null", b'"ping"', b"[1]", b"1 2", b"{}{}"),
    *(b"[" + b"1," * 1000 + b"1]", b"[" + b",".join([b"1"] * 1000) + b"]", b"[" * 5000, b"x" * 70_000),
)


def mutated_members(random: Random, message: Any) -> Any:
    """A message with one part, at any depth, replaced, removed, added or repeated."""
    message = deepcopy(message)
    container, key = random.choice(positions(message))
    if container is None:
        return random.choice(JUNK)
    if isinstance(container, dict):
        random.choice(CHANGES)(random, container, key)
    else:
        container[key] = random.choice(JUNK)
    return message


def positions(value: Any) -> list[tuple[Any, Any]]:
    """The positions of all parts of a value, as container and key; the value itself has no container."""
    found: list[tuple[Any, Any]] = [(None, None)]
    waiting = [value]
    while waiting:
        container = waiting.pop()
        keys = list(container) if isinstance(container, dict) else range(len(container))
        for key in keys:
            found.append((container, key))
            if isinstance(container[key], dict | list):
                waiting.append(container[key])
    return found


def replace(random: Random, members: dict[str, Any], name: str) -> None:
    """Replace the value of a member."""
    members[name] = random.choice(JUNK)


def remove(random: Random, members: dict[str, Any], name: str) -> None:
    """Remove a member."""
    del members[name]


def add(random: Random, members: dict[str, Any], name: str) -> None:
    """Add an unexpected member."""
    members[random.choice(NAMES)] = random.choice(JUNK)


def repeat(random: Random, members: dict[str, Any], name: str) -> None:
    """Repeat a name, with two values."""
    members[Raw(json.dumps(name) + " ")] = random.choice([members[name], random.choice(JUNK)])


def swap(random: Random, members: dict[str, Any], name: str) -> None:
    """Swap the values of two members."""
    other = random.choice(list(members))
    members[name], members[other] = members[other], members[name]


CHANGES = (replace, replace, remove, remove, add, repeat, swap)


def text_of(value: Any, random: Random) -> str:
    """JSON of a value that may contain raw text, in one of many possible notations."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        gap = random.choice(["", "", "", " ", "\t", " \r "])
        return (
            "{"
            + ",".join(f"{gap}{_name(name, random)}:{text_of(each, random)}" for name, each in value.items())
            + "}"
        )
    if isinstance(value, list):
        return "[" + ",".join(text_of(each, random) for each in value) + "]"
    return json.dumps(
        value, ensure_ascii=isinstance(value, str) and not value.isascii() and random.random() < 0.8
    )


def _name(name: str, random: Random) -> str:
    if isinstance(name, Raw):
        return name
    if name and random.random() < 0.01:
        return '"' + "".join(f"\\u{ord(each):04x}" for each in name) + '"'
    return json.dumps(name)


def line_of(value: Any, random: Random) -> bytes:
    """The bytes of a value; surrogates that are not escaped are invalid UTF-8."""
    return text_of(value, random).encode("utf-8", "surrogatepass")


def mutated_bytes(random: Random, line: bytes) -> bytes:
    """A line with a few mutations of its bytes."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        line = random.choice(BYTE_CHANGES)(random, line)
    return line


def insert(random: Random, line: bytes) -> bytes:
    """Insert bytes."""
    at = random.randrange(len(line) + 1)
    return line[:at] + random.choice(BYTES) + line[at:]


def delete(random: Random, line: bytes) -> bytes:
    """Delete some bytes."""
    at = random.randrange(len(line) + 1)
    return line[:at] + line[at + random.choice([1, 1, 2, 9]) :]


def duplicate(random: Random, line: bytes) -> bytes:
    """Duplicate a part."""
    start, end = sorted([random.randrange(len(line) + 1), random.randrange(len(line) + 1)])
    return line[:end] + line[start:]


def flip(random: Random, line: bytes) -> bytes:
    """Flip one bit."""
    if not line:
        return line
    at = random.randrange(len(line))
    return line[:at] + bytes([line[at] ^ (1 << random.randrange(8))]) + line[at + 1 :]


def truncate(random: Random, line: bytes) -> bytes:
    """Truncate the line."""
    return line[: random.randrange(len(line) + 1)]


def change_encoding(random: Random, line: bytes) -> bytes:
    """Change the encoding."""
    encoding = random.choice(["utf-16-le", "utf-16-be", "utf-16", "utf-32", "utf-7", "latin-1"])
    return line.decode("utf-8", "replace").encode(encoding, "replace")


BYTE_CHANGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(insert, insert, delete, delete, duplicate, flip, flip, truncate, change_encoding),
)
