"""The names that newer versions of Pharo lack or deprecate, with rewrites where there are any.

`rules.tsv` is written by hand, a row for each class or method; its columns are the fields of `Rule`.
`names13.tsv` is made by `scripts/check-smalltalk names 12 13`: the classes and selectors of Pharo 12 that are
gone in 13, or that all who implement them there deprecate.

They are here and not in the companion, because an image cannot know what a later version lacks. It is only
asked where packages use these names.
"""

import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
OLDEST, NEWEST = 13, 14
"""The versions that code can be moved to; it comes from the version before or from an older one."""
SELECTOR = re.compile(r"[a-z]\w*|([a-z]\w*:)+")
KEYWORD = re.compile(r"\w+:")
WORD = re.compile(r"(?<![`@\w])[A-Za-z]\w*:?")
ALWAYS_THERE = {"self", "Smalltalk"}


class Rule(NamedTuple):
    """A class or method that a version lacks (`gone`) or deprecates, and what to use instead.

    `old` is a class, or a method as `Class>>selector` or `Class class>>selector`. `new` is a class, a
    selector with as many arguments, or an expression of `` `@receiver ``, `` `@arg1 `` and so on. `apply`
    says where it is certain: `always`, or `after` the move; with `look` a person has to look at each send,
    with `named` at those in methods that name the class, too. `source` is a class or file of a version's
    sources, or the number of a pull request or issue of pharo-project/pharo.
    """

    version: int
    state: str
    old: str
    new: str = ""
    apply: str = "look"
    note: str = ""
    source: str = ""

    @property
    def owner(self) -> str:
        """The class of the method, or of its class side."""
        return self.old.partition(">>")[0].removesuffix(" class")

    @property
    def name(self) -> str:
        """The class or selector that the code may use."""
        return self.old.rpartition(">>")[2]

    @property
    def is_sent_to_class(self) -> bool:
        """Whether it is a method of the class side: only sends to the class by its name are rewritten."""
        return " class>>" in self.old

    @property
    def needs_class_named(self) -> bool:
        """Whether only methods that name the class matter, since others have such a method, too."""
        return self.is_sent_to_class or self.apply == "named"

    @property
    def rewrite(self) -> tuple[str, str]:
        """The pattern and its replacement, in the syntax of Pharo's parse tree rewriter."""
        if ">>" not in self.old:
            return self.old, self.new
        receiver = self.owner if self.is_sent_to_class else "`@receiver"
        return (
            f"{receiver} {message(self.name)}",
            f"{receiver} {message(self.new)}" if self.has_new_selector else self.new,
        )

    @property
    def has_new_selector(self) -> bool:
        """Whether only the selector changes."""
        return ">>" in self.old and SELECTOR.fullmatch(self.new) is not None

    @property
    def needed(self) -> Set[str]:
        """The classes and selectors that the replacement uses."""
        words = WORD.findall(re.sub(r"`@\w+|#\w+|\$.", " ", self.new))
        keywords = "".join(word for word in words if word.endswith(":"))
        others = {word for word in words if not word.endswith(":")} - ALWAYS_THERE
        return others | ({keywords} if keywords else set())


def message(selector: str) -> str:
    """Return a message as a pattern has it: `` at: `@arg1 put: `@arg2 ``."""
    keywords = KEYWORD.findall(selector)
    return " ".join(f"{each} `@arg{n}" for n, each in enumerate(keywords, 1)) or selector


@cache
def rules(version: int) -> tuple[Rule, ...]:
    """Return the rules for code of an older version that moves to this one."""
    return tuple(rule for rule in all_rules() if rule.version <= version)


def all_rules() -> Iterator[Rule]:
    """Yield the rows of the table."""
    _, _, *rows = (FOLDER / "rules.tsv").read_text("utf-8").splitlines()
    for row in rows:
        number, *others = row.split("\t")
        yield Rule(int(number), *others)


@cache
def names_without_rule(version: int) -> tuple[Rule, ...]:
    """Return a rule without a rewrite for each other name that 13 lacks or deprecates altogether."""
    known = {rule.name for rule in rules(version)}
    rows = (line.split("\t") for line in (FOLDER / "names13.tsv").read_text("utf-8").splitlines()[1:])
    return tuple(Rule(13, state, name) for state, name in rows if name not in known)
