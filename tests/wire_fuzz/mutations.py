"""What can go wrong with a message on its way to the wire: in its members, its text or its bytes."""

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any


class Raw(str):
    """Text that stands in a message as it is, JSON or not."""

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


def with_other_members(random: Random, message: Any) -> Any:
    """A message with one of its parts, at any depth, exchanged, left out, added or repeated."""
    message = deepcopy(message)
    container, key = random.choice(places(message))
    if container is None:
        return random.choice(JUNK)
    if isinstance(container, dict):
        random.choice(CHANGES)(random, container, key)
    else:
        container[key] = random.choice(JUNK)
    return message


def places(value: Any) -> list[tuple[Any, Any]]:
    """Where the parts of a value are: containers with the keys in them; the value itself is in none."""
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


def exchange(random: Random, members: dict[str, Any], name: str) -> None:
    """Give a member another value."""
    members[name] = random.choice(JUNK)


def leave_out(random: Random, members: dict[str, Any], name: str) -> None:
    """Take a member away."""
    del members[name]


def add(random: Random, members: dict[str, Any], name: str) -> None:
    """Add a member that does not belong there."""
    members[random.choice(NAMES)] = random.choice(JUNK)


def repeat(random: Random, members: dict[str, Any], name: str) -> None:
    """Name a member twice, with two values."""
    members[Raw(json.dumps(name) + " ")] = random.choice([members[name], random.choice(JUNK)])


def swap(random: Random, members: dict[str, Any], name: str) -> None:
    """Let two members change places."""
    other = random.choice(list(members))
    members[name], members[other] = members[other], members[name]


CHANGES = (exchange, exchange, leave_out, leave_out, add, repeat, swap)


def text_of(value: Any, random: Random) -> str:
    """JSON for a value in which raw text may stand; written in one of the many ways that there are."""
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
    """The bytes of a value; surrogates that are not escaped are no UTF-8."""
    return text_of(value, random).encode("utf-8", "surrogatepass")


def with_other_bytes(random: Random, line: bytes) -> bytes:
    """A line to which a few things happened."""
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        line = random.choice(DAMAGES)(random, line)
    return line


def insert(random: Random, line: bytes) -> bytes:
    """Put bytes in."""
    at = random.randrange(len(line) + 1)
    return line[:at] + random.choice(BYTES) + line[at:]


def delete(random: Random, line: bytes) -> bytes:
    """Lose some bytes."""
    at = random.randrange(len(line) + 1)
    return line[:at] + line[at + random.choice([1, 1, 2, 9]) :]


def duplicate(random: Random, line: bytes) -> bytes:
    """Send a part twice."""
    start, end = sorted([random.randrange(len(line) + 1), random.randrange(len(line) + 1)])
    return line[:end] + line[start:]


def flip(random: Random, line: bytes) -> bytes:
    """Change one bit."""
    if not line:
        return line
    at = random.randrange(len(line))
    return line[:at] + bytes([line[at] ^ (1 << random.randrange(8))]) + line[at + 1 :]


def truncate(random: Random, line: bytes) -> bytes:
    """Break off."""
    return line[: random.randrange(len(line) + 1)]


def encode_otherwise(random: Random, line: bytes) -> bytes:
    """Write in another encoding."""
    encoding = random.choice(["utf-16-le", "utf-16-be", "utf-16", "utf-32", "utf-7", "latin-1"])
    return line.decode("utf-8", "replace").encode(encoding, "replace")


DAMAGES: tuple[Callable[[Random, bytes], bytes], ...] = (
    *(insert, insert, delete, delete, duplicate, flip, flip, truncate, encode_otherwise),
)
