"""What checks find: the problems of all files in all versions, each place and message once."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from pharo_api.problems import Hint, Problem, Severity
from pharo_api.tonel import TonelFile


class Finding(NamedTuple):
    """A problem as people look for it; findings are shown in this order."""

    path: str
    line: int
    column: int
    severity: Severity
    message: str


class Shown(NamedTuple):
    """What else is shown of a finding."""

    versions: list[str]
    hint: Hint | None


class Findings:
    """Collects what one check of some files finds."""

    def __init__(self, files: Sequence[TonelFile]) -> None:
        self.files = files
        self.found: dict[Finding, Shown] = {}

    def add(self, file: TonelFile, problem: Problem, versions: Iterable[str]) -> None:
        """Add a problem, which there is in these versions."""
        place = file.line_and_column(problem.position)
        finding = Finding(str(file.path), *place, problem.severity, problem.message)
        shown = self.found.setdefault(finding, Shown([], problem.hint))
        shown.versions.extend(each for each in versions if each not in shown.versions)

    def add_all(self, file: TonelFile, problems: Iterable[Problem], versions: Sequence[str]) -> None:
        """Add some problems of a file."""
        for problem in problems:
            self.add(file, problem, versions)

    def count(self, severity: Severity) -> int:
        """How many there are of a severity."""
        return sum(finding.severity is severity for finding in self.found)

    def lines(self, *, only_errors: bool = False) -> Iterator[str]:
        """A line for each finding."""
        hints: dict[str, str] = {}
        for finding, shown in sorted(self.found.items(), key=lambda item: item[0]):
            if finding.severity is Severity.ERROR or not only_errors:
                message = finding.message
                if message not in hints and shown.hint is not None:
                    hints[message] = shown.hint()
                place = f"{finding.path}:{finding.line}:{finding.column}"
                text = f"{finding.severity}: {message}{hints.get(message, '')}"
                yield f"{place}: {text} [{','.join(shown.versions)}]"

    def summary(self) -> str:
        """How much was found in how much."""
        errors, warnings = self.count(Severity.ERROR), self.count(Severity.WARNING)
        methods = sum(len(file.methods) for file in self.files)
        classes = sum(file.is_class_or_trait for file in self.files)
        return f"{errors} errors, {warnings} warnings in {methods} methods of {classes} classes"
