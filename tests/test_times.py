"""Every time has its unit in its name, and who gives up before whom is as it should be."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMPANION = "\n".join(file.read_text("utf-8") for file in ROOT.glob("pharo/PharoMcp-*/PmcTimes.*.st"))
SOURCES = ROOT / "src" / "pharo_mcp"
UNITS = ("_SECONDS", "_MILLISECONDS")
# A number that a module compares with a clock, or hands to something that waits.
TIMED = re.compile(r"(?:SECONDS|TIMEOUT|PATIENCE|PAUSE|INTERVAL|DELAY|DEADLINE|GRACE)\b")

ORDER = (
    ("REQUEST_SECONDS", "LONG_REQUEST_SECONDS", "the image ends ordinary requests first"),
    ("WAIT_SECONDS", "MAX_WAIT_SECONDS", "callers may ask for a little more"),
    ("FOLLOW_SECONDS", "WAIT_SECONDS", "following an evaluation waits no longer than starting it"),
    (
        "MAX_EVALUATION_SECONDS",
        "TASK_MILLISECONDS",
        "the result of the longest evaluation can still be fetched",
    ),
    ("LONG_REQUEST_SECONDS", "ANSWER_SECONDS", "the image's own answer arrives before the call must be over"),
    (
        "WAIT_SECONDS",
        "ANSWER_SECONDS",
        "the id of a long evaluation is returned before the call must be over",
    ),
    (
        "ANSWER_SECONDS",
        "IMAGE_REQUESTS_SECONDS",
        "a request to the image is cut only after its call was answered",
    ),
    ("STATUS_CHECK_SECONDS", "PRACTICE_SILENCE_SECONDS", "one slow status request replaces no image"),
    ("PRACTICE_SILENCE_SECONDS", "LAUNCHED_SILENCE_SECONDS", "an image file has more to lose"),
    ("ANSWER_SECONDS", "DRAIN_SECONDS", "every call in flight at the end of input can still be answered"),
    ("EVENTS_PAUSE_SECONDS", "CATCH_UP_SECONDS", "events arrive while an answer waits for them"),
    ("CONNECT_SECONDS", "STATUS_SECONDS", "a failed connection is reported as such"),
    (
        "SAVING_SECONDS",
        "ANSWER_SECONDS",
        "that the image is being saved is reported before the call must be over",
    ),
    ("STOP_WORK_SECONDS", "CONNECTIONS_END_SECONDS", "connections stop their work before they are abandoned"),
)
"""Who gives up before whom, and why: the first of each row is the shorter."""

IN_THE_IMAGE = {
    "evaluationSeconds": "EVALUATION_SECONDS",
    "longestTimeLimitSeconds": "MAX_EVALUATION_SECONDS",
    "longestWaitSeconds": "MAX_WAIT_SECONDS",
    "longestEventWaitSeconds": "POLL_SECONDS",
    "objectSeconds": "LONG_REQUEST_SECONDS",
    "packageSeconds": "LONG_REQUEST_SECONDS",
    "projectLoadSeconds": "LOAD_SECONDS",
    "refactoringSeconds": "LONG_REQUEST_SECONDS",
    "searchSeconds": "REQUEST_SECONDS",
    "testRunSeconds": "TESTS_SECONDS",
    "waitSeconds": "WAIT_SECONDS",
}
"""The times of `PmcTimes` that must be the same here, by its selectors."""


def numbers(module: Path) -> dict[str, float]:
    """The module's constants that are plain numbers."""
    return {
        target.id: node.value.value
        for node in ast.parse(module.read_text("utf-8")).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, int | float)
    }


TIMES = [
    (name, value, module)
    for module in sorted(SOURCES.rglob("*.py"))
    for name, value in numbers(module).items()
    if TIMED.search(name)
]


def value(name: str) -> float:
    """The value of a time, wherever it is; there is one of that name."""
    [found] = [value for each, value, _ in TIMES if each == name]
    return found


def seconds(name: str) -> float:
    return value(name) / 1000 if name.endswith("_MILLISECONDS") else value(name)


def test_every_time_has_its_unit_in_its_name() -> None:
    assert len(TIMES) > 60
    assert [name for name, _, _ in TIMES if not name.endswith(UNITS)] == []


def test_what_several_modules_share_is_a_time() -> None:
    shared = numbers(SOURCES / "times.py")
    assert [name for name in shared if not name.endswith(UNITS)] == []


@pytest.mark.parametrize(("shorter", "longer", "reason"), ORDER)
def test_the_shorter_time_is_shorter(shorter: str, longer: str, reason: str) -> None:
    assert seconds(shorter) < seconds(longer), reason


@pytest.mark.parametrize(("selector", "name"), IN_THE_IMAGE.items())
def test_the_companion_has_the_same_time(selector: str, name: str) -> None:
    method = rf"PmcTimes class >> {selector} \[\n.*?\t\^ (\d+)\n\]"
    found = re.search(method, COMPANION, re.S)
    assert found, f"PmcTimes has no {selector} that answers a number"
    assert float(found[1]) == value(name)


def test_every_time_is_used() -> None:
    sources = "\n".join(module.read_text("utf-8") for module in SOURCES.rglob("*.py"))
    assert [name for name, _, _ in TIMES if len(re.findall(rf"\b{name}\b", sources)) < 2] == []
