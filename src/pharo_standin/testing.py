"""Running SUnit tests of packages, one line of JSON for each test."""

from __future__ import annotations

import json
import sys

from pharo_standin.execution import evaluate
from pharo_standin.machine import Machine
from pharo_standin.objects import Pointers, Value

RUN = """
| results |
results := OrderedCollection new.
testClasses do: [ :class |
	class isAbstract ifFalse: [
		class suite tests do: [ :case | results add: (self primRun: case) ] ] ].
results asArray
"""


def run_tests(vm: Machine, pattern: str) -> int:
    """Run the tests of the packages whose names match; 1 if any did not pass."""
    raise NotImplementedError
