"""What a command prints, and whether it is a failure."""

from collections.abc import Iterable
from typing import NamedTuple

from pharo_api.copied import Comparison
from pharo_api.findings import Findings
from pharo_api.problems import Severity


class Outcome(NamedTuple):
    """Of a command."""

    lines: Iterable[str]
    failed: bool = False


def of_findings(findings: Findings, *, only_errors: bool = False) -> Outcome:
    """All findings, or only the errors; errors are a failure."""
    lines = [*findings.lines(only_errors=only_errors), findings.summary()]
    return Outcome(lines, failed=findings.count(Severity.ERROR) > 0)


def of_comparison(comparison: Comparison) -> Outcome:
    """The methods that are Pharo's own; any is a failure."""
    return Outcome([*map(str, comparison.copied), comparison.summary()], failed=bool(comparison.copied))
