"""Whether classes that stand in for Pharo's have only what Pharo's have.

What they define beyond Pharo would let code pass with them that fails in Pharo.
"""

from collections.abc import Iterator, Sequence, Set

from pharo_api.findings import Findings
from pharo_api.pharo_version import PharoVersion
from pharo_api.problems import Problem, error, warning
from pharo_api.syntax_tree import Method
from pharo_api.tonel import TonelFile


def check_subset(
    files: Sequence[TonelFile], versions: Sequence[PharoVersion], allowed: Set[str] = frozenset()
) -> Findings:
    """Check that every class and every selector in some files exists in each version of Pharo."""
    findings = Findings(files)
    for file in files:
        findings.add_all(file, file.problems, [version.number for version in versions])
        for version in versions:
            findings.add_all(file, beyond(file, version, allowed), [version.number])
    return findings


def beyond(file: TonelFile, version: PharoVersion, allowed: Set[str]) -> Iterator[Problem]:
    """What a file defines that a version of Pharo has not."""
    if not file.has_methods or file.name in allowed:
        return
    if not version.knows(file.name):
        yield error(file.header.position, f"Pharo has no {file.kind.lower()} {file.name}")
        return
    yield from superclass_problems(file, version)
    for method in file.methods:
        yield from method_problems(file.name, method, version, allowed)


def superclass_problems(file: TonelFile, version: PharoVersion) -> Iterator[Problem]:
    """Whether a class inherits from a class that it inherits from in Pharo, too."""
    name = file.name
    known = version.classes[name]
    if file.kind != "Class" or known.is_trait:
        return
    superclass = file.header.class_info().superclass
    above = {info.name for info in version.chain(name).classes[1:]} | {"nil"}
    if superclass not in above:
        wrong = f"{name} inherits from {superclass}, in Pharo from {known.superclass}"
        yield error(file.header.position, wrong)


def method_problems(name: str, method: Method, version: PharoVersion, allowed: Set[str]) -> Iterator[Problem]:
    """Whether Pharo's class understands the selector: itself, by inheritance or by traits."""
    label = method.side.of(name)
    if is_primitive(method) or not allowed.isdisjoint({method.selector, f"{label}>>{method.selector}"}):
        return
    understood = version.understood(name, method.side)
    if method.selector not in understood.selectors:
        report = error if understood.is_complete else warning
        yield report(method.position, f"in Pharo, {label} does not understand #{method.selector}")


def is_primitive(method: Method) -> bool:
    """Whether a method is our own way to a primitive, which nobody else sends."""
    return method.selector.startswith("prim") and method.protocol.startswith(("private", "primitive"))
