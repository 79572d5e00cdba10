"""What the checks of one method share."""

from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field

from pharo_api.hierarchy import Variables
from pharo_api.pharo_version import PharoVersion
from pharo_api.problems import Problem
from pharo_api.syntax_tree import Assignment, Method, walk


@dataclass(frozen=True)
class Context:
    """A method, the version of Pharo that it is checked against, and the problems found so far."""

    version: PharoVersion
    allowed: Set[str]
    method: Method
    variables: Variables
    assignments: Counter[str]
    """How often each name is assigned to."""
    in_trait: bool
    sees_everything: bool
    """Whether all variables that the method can see are known."""
    problems: list[Problem] = field(default_factory=list)

    def is_variable(self, name: str) -> bool:
        """Whether a name is that of an instance, class or pool variable."""
        return name in self.variables.instance or name in self.variables.shared

    def report(self, problem: Problem) -> None:
        """Take down a problem."""
        self.problems.append(problem)


def context_of(method: Method, version: PharoVersion, allowed: Set[str]) -> Context:
    """The context in which a method is checked."""
    in_trait = version.is_trait(method.owner)
    nodes = walk(method.body.statements)
    return Context(
        version,
        allowed,
        method,
        version.variables(method.owner, method.side),
        Counter(node.variable.name for node in nodes if isinstance(node, Assignment)),
        in_trait,
        sees_everything=version.chain(method.owner).is_complete and not in_trait,
    )
