"""What this project's own Smalltalk is held to; a clone that breaks one of these rules fails its checks."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from pharo_api.copied import compare
from pharo_api.outcome import Outcome, of_comparison, of_findings
from pharo_api.pharo_version import INDEXED, VERSIONS, pharo_version
from pharo_api.project_check import check_project
from pharo_api.subset_check import check_subset
from pharo_api.tonel import TonelFile
from pharo_api.tonel_reader import tonel_files

ROOT = Path(__file__).parents[2]
COMPANION = ROOT / "pharo"
PRACTICE_IMAGE = ROOT / "src" / "pharo_practice"


class Rule(NamedTuple):
    """A sentence that has to hold, and what finds out."""

    sentence: str
    check: Callable[[], Outcome]


def own_files(folder: Path) -> list[TonelFile]:
    """The sources in one of our folders; that there are none is an error, or a rule would hold of nothing.

    Raises:
        FileNotFoundError: If there are none.
    """
    files = tonel_files(folder)
    if not files:
        raise FileNotFoundError(f"there is no Smalltalk in {folder}")
    return files


def check_companion() -> Outcome:
    """Check the companion in every version."""
    versions = [pharo_version(number) for number in VERSIONS]
    return of_findings(check_project(own_files(COMPANION), versions))


def check_kernel(folder: str, numbers: Sequence[str]) -> Outcome:
    """Check a kernel of the practice image against these versions."""
    versions = [pharo_version(number) for number in numbers]
    return of_findings(check_subset(own_files(PRACTICE_IMAGE / folder), versions))


RULES = (
    Rule(f"The companion uses only what Pharo {', '.join(VERSIONS)} have", check_companion),
    Rule(
        "The practice image has no class and no selector that Pharo lacks",
        lambda: check_kernel("kernel", INDEXED),
    ),
    Rule("Its classes of Pharo 13 alone are in Pharo 13", lambda: check_kernel("kernel13", ["13"])),
    Rule(
        "No method is Pharo's own but for names and layout",
        lambda: of_comparison(compare([COMPANION, PRACTICE_IMAGE])),
    ),
)


def check_own() -> Outcome:
    """Check every rule; one that is broken is a failure."""
    outcomes = [(rule.sentence, rule.check()) for rule in RULES]
    lines = [line for sentence, outcome in outcomes for line in (f"{sentence}:", *outcome.lines)]
    return Outcome(lines, failed=any(outcome.failed for _, outcome in outcomes))
