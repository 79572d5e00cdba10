"""Whether a method is, but for names and layout, one of Pharo's own.

What this project contains is written by its authors. Facts (names, behaviour, printed forms) may come from
Pharo, statements may not. A method counts from 100 characters on, comments and layout aside; the names of its
arguments and temporaries do not matter. The table holds fingerprints, from which no source can be made.
"""

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from pharo_api.pharo_version import DATA
from pharo_api.tonel_reader import tonel_paths

TABLE = DATA / "pharo-methods.bin"
LEAST = 100
FINGERPRINT_BYTES = 7
METHOD = re.compile(
    r"^\{ #category : [^\n]*\}\n(?P<owner>\w+(?: class)?(?: classSide)?) >> (?P<pattern>[^\[\n]*)\[\n"
    r"(?P<body>.*?)^\]\n",
    re.MULTILINE | re.DOTALL,
)
COMMENT = re.compile(r'"[^"]*"')
BLANKS = re.compile(r"\s+")
TOKEN = re.compile(r"'(?:[^']|'')*'|[A-Za-z_]\w*:?|\S")
ARGUMENT = re.compile(r":\s*(\w+)|^\W+\s*(\w+)")
TEMPORARIES = re.compile(r"\|([^|]*)\|")
BLOCK_ARGUMENT = re.compile(r":\s*(\w+)")


class LongMethod(NamedTuple):
    """A method that is long enough to be compared."""

    path: Path
    line: int
    owner: str
    pattern: str
    fingerprint: bytes

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.owner}>>{self.pattern}"


class Comparison(NamedTuple):
    """Methods that are Pharo's own, of so many that were compared."""

    copied: list[LongMethod]
    compared: int

    def summary(self) -> str:
        """How much was found in how much."""
        return (
            f"{len(self.copied)} of {self.compared} methods of {LEAST} characters or more"
            " are Pharo's own but for names and layout"
        )


def compare(folders: Iterable[Path]) -> Comparison:
    """Compare the methods in some folders with the table."""
    data = TABLE.read_bytes()
    known = {data[at : at + FINGERPRINT_BYTES] for at in range(0, len(data), FINGERPRINT_BYTES)}
    methods = list(long_methods(folders))
    return Comparison([each for each in methods if each.fingerprint in known], len(methods))


def write_table(table: Path, sources: Iterable[Path], folders: Iterable[Path]) -> int:
    """Write the fingerprints of Pharo's methods whose classes these folders have, too; answer how many."""
    classes = {match["owner"].split()[0] for folder in folders for _, _, match in written_methods(folder)}
    ours = (each for each in long_methods(sources) if each.owner.split()[0] in classes)
    fingerprints = sorted({each.fingerprint for each in ours})
    table.write_bytes(b"".join(fingerprints))
    return len(fingerprints)


def long_methods(folders: Iterable[Path]) -> Iterator[LongMethod]:
    """The methods in some folders that are long enough."""
    for folder in folders:
        for path, line, match in written_methods(folder):
            code = BLANKS.sub(" ", COMMENT.sub(" ", match["body"])).strip()
            if len(code) >= LEAST:
                mark = fingerprint(match["pattern"], code)
                yield LongMethod(path, line, match["owner"], match["pattern"].strip(), mark)


def written_methods(folder: Path) -> Iterator[tuple[Path, int, re.Match[str]]]:
    """Each method in a folder, with its file and line; found by the layout that an image exports."""
    for path in tonel_paths(folder):
        text = path.read_text("utf-8", errors="replace")
        for match in METHOD.finditer(text):
            yield path, text.count("\n", 0, match.start("owner")) + 1, match


def fingerprint(pattern: str, code: str) -> bytes:
    """What stays of a method when its arguments and temporaries are numbered in order."""
    names = [first or second for first, second in ARGUMENT.findall(pattern)]
    names += " ".join(TEMPORARIES.findall(code)).split() + BLOCK_ARGUMENT.findall(code)
    numbered: dict[str, str] = {}
    for name in names:
        numbered.setdefault(name, f"v{len(numbered)}")
    shape = " ".join(numbered.get(token, token) for token in TOKEN.findall(code))
    return sha256(shape.encode()).digest()[:FINGERPRINT_BYTES]
