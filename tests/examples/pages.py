"""The pages for people, the skills for assistants, and the examples in them."""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
SKILLS = sorted((ROOT / "src" / "pharo_mcp" / "skills").glob("*/SKILL.md"))
PAGES = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *SKILLS,
)
FENCE = re.compile(r"^( *)```(\S*)\n(.*?)^\1```$", re.M | re.S)


class Block(NamedTuple):
    """A fenced block, its text without the indentation of its fence."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


class Command(NamedTuple):
    """A command of a console block, and the output that is shown below it."""

    block: Block
    line: str
    output: str

    def __str__(self) -> str:
        return f"{self.block.page}: {self.line}"


def blocks_in(path: Path) -> list[Block]:
    """The fenced blocks of a page."""
    page = path.read_text("utf-8")
    name = path.relative_to(ROOT).as_posix()
    return [
        Block(
            name,
            page.count("\n", 0, found.start()) + 1,
            found[2],
            re.sub(f"^{found[1]}", "", found[3], flags=re.M),
        )
        for found in FENCE.finditer(page)
    ]


BLOCKS = [block for path in PAGES for block in blocks_in(path)]


def blocks_of(language: str) -> list[Block]:
    """The blocks of one language."""
    return [block for block in BLOCKS if block.language == language]


def commands_in(block: Block) -> list[Command]:
    """The commands of a console block, without their comments."""
    commands = []
    for entry in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
        line, _, output = entry.partition("\n")
        commands.append(Command(block, re.sub(r"  +#.*", "", line).strip(), output))
    return commands


COMMANDS = [command for block in blocks_of("console") for command in commands_in(block)]


def matches(shown: str, real: str) -> bool:
    """Whether a text is what is shown, where `…` stands for any text."""
    return re.fullmatch(".*".join(map(re.escape, shown.split("…"))), real, re.S) is not None
