"""Every time has its unit in its name, and who gives up before whom is as it should be."""

import ast
import re
from pathlib import Path

import pytest

from pharo_mcp import times
from pharo_mcp.app.launched_image import LAUNCHED_SILENCE_SECONDS
from pharo_mcp.app.own_images import STATUS_CHECK_SECONDS
from pharo_mcp.app.practice_image import PRACTICE_SILENCE_SECONDS

COMPANION = Path(__file__).parents[1] / "pharo" / "PharoMcp-Model" / "PmcTimes.class.st"
SOURCES = Path(times.__file__).parent
UNITS = ("_SECONDS", "_MILLISECONDS")
# A number that a module compares with a clock, or hands to something that waits.
TIMED = re.compile(r"(?:SECONDS|TIMEOUT|PATIENCE|PAUSE|INTERVAL|DELAY|DEADLINE|GRACE)\b")


def seconds(name: str) -> float:
    value = float(getattr(times, name))
    return value / 1000 if name.endswith("_MILLISECONDS") else value


def assigned_numbers(module: Path) -> list[str]:
    """The module's constants that are plain numbers."""
    nodes = ast.parse(module.read_text("utf-8")).body
    return [
        target.id
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, int | float)
    ]


def test_every_time_has_its_unit_in_its_name() -> None:
    names = assigned_numbers(Path(times.__file__))
    assert len(names) > 40
    assert [name for name in names if not name.endswith(UNITS)] == []


@pytest.mark.parametrize(("shorter", "longer", "reason"), times.ORDER)
def test_the_shorter_time_is_shorter(shorter: str, longer: str, reason: str) -> None:
    assert seconds(shorter) < seconds(longer), reason


def test_every_time_of_a_module_has_its_unit_in_its_name() -> None:
    others = [
        f"{module.relative_to(SOURCES)}: {name}"
        for module in SOURCES.rglob("*.py")
        for name in assigned_numbers(module)
        if TIMED.search(name) and not name.endswith(UNITS)
    ]
    assert others == []


def test_an_image_is_replaced_only_after_several_unanswered_requests_and_an_image_file_last() -> None:
    assert STATUS_CHECK_SECONDS < PRACTICE_SILENCE_SECONDS < LAUNCHED_SILENCE_SECONDS


@pytest.mark.parametrize(("selector", "name"), times.IN_THE_IMAGE.items())
def test_the_companion_has_the_same_time(selector: str, name: str) -> None:
    method = rf"PmcTimes class >> {selector} \[\n.*?\t\^ (\d+)\n\]"
    found = re.search(method, COMPANION.read_text("utf-8"), re.S)
    assert found, f"PmcTimes has no {selector} that answers a number"
    assert float(found[1]) == getattr(times, name)


def test_every_time_is_used() -> None:
    used = "\n".join(
        module.read_text("utf-8") for module in SOURCES.rglob("*.py") if module.name != "times.py"
    )
    names = assigned_numbers(Path(times.__file__))
    assert [name for name in names if not re.search(rf"\b{name}\b", used)] == []
