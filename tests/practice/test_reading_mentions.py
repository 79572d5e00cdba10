"""The quick look at source never takes something else for a message."""

import re
from pathlib import Path

import pytest

from pharo_practice.image import KERNEL
from pharo_practice.reading.mentions import surely_sends
from pharo_practice.reading.nodes import MessageNode, Node
from pharo_practice.reading.parser import parse_source
from pharo_practice.tonel.reader import read_folder


@pytest.mark.parametrize(
    ("source", "is_sure"),
    [
        ("asking ^ self sent", True),
        ("asking ^ 3 sent + 4", True),
        ("asking self foo. ^ [ self sent ]", True),
        ("asking ^ self sent: 3", False),
        ("asking ^ self sentMore", False),
        ("asking sent foo", False),
        ("asking: sent ^ sent", False),
        ("asking ^ sent", False),
        ("asking ^ 'x' , '^ self sent'", False),
        ('asking "^ self sent" ^ self foo', False),
        ("asking ^ #(self sent)", False),
        ("asking | sent | ^ sent", False),
    ],
)
def test_what_is_plain_is_told(source: str, *, is_sure: bool) -> None:
    assert surely_sends(source, "sent") is is_sure


def test_a_parser_agrees_with_every_word_of_the_kernel() -> None:
    folder = Path(KERNEL[0]) / "Collections-Sequenceable"
    methods = [method.source for each in read_folder(folder) for method in each.methods]
    told = [(source, word) for source in methods for word in words(source) if surely_sends(source, word)]
    assert len(told) > 100
    assert [(source, word) for source, word in told if word not in selectors(source)] == []


def words(source: str) -> set[str]:
    return set(re.findall(r"[a-zA-Z_]\w*", source))


def selectors(source: str) -> set[str]:
    found: set[str] = set()
    pending: list[object] = [parse_source(source, is_doit=False)[0]]
    while pending:
        part = pending.pop()
        if isinstance(part, MessageNode):
            found.add(part.selector)
        if isinstance(part, list):
            pending += part
        elif isinstance(part, Node):
            pending += [getattr(part, name, None) for name in vars(part)]
    return found
