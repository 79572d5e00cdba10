"""Whether a project uses only what Pharo has."""

from collections.abc import Iterator, Sequence, Set

from pharo_api.findings import Findings
from pharo_api.headers import definition_problems, style_problems
from pharo_api.method_checker import check_method
from pharo_api.pharo_version import PharoVersion
from pharo_api.problems import Problem
from pharo_api.tonel import TonelFile


def check_project(
    files: Sequence[TonelFile],
    versions: Sequence[PharoVersion],
    allowed: Set[str] = frozenset(),
    loaded: Sequence[TonelFile] = (),
) -> Findings:
    """Check some files in several versions of Pharo, with others loaded that are not checked."""
    findings = Findings(files)
    for file in files:
        numbers = [version.number for version in versions]
        findings.add_all(file, [*file.problems, *style_problems(file)], numbers)
    for version in versions:
        before = version.with_project(loaded) if loaded else version
        for file, problem in before.collisions(files):
            findings.add(file, problem, [version.number])
        after = before.with_project(files)
        for file in files:
            findings.add_all(file, file_problems(file, after, allowed), [version.number])
    return findings


def file_problems(file: TonelFile, version: PharoVersion, allowed: Set[str]) -> Iterator[Problem]:
    """What is wrong with a file in a version that has all files of the project."""
    yield from definition_problems(file, version, allowed)
    for method in file.methods:
        yield from check_method(method, version, allowed)
