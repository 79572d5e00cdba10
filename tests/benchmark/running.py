"""A whole run of the benchmark, and its results as text and as JSON."""

import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import pharo_mcp
from programs import LiveImage, start_practice_image

from .figures import Figure
from .large_image import large_image
from .live_image import live_image
from .measures import Effort, Limits, calls, listing, memory, starts
from .practice import practice_image
from .quiet import Machine
from .servers import OURS, Server, other_server, ours, stub_image
from .tasks import tasks

START, LISTED, CALL, MEMORY_MB = 4.0, 9.3, 1.8, 36.0
LIMITS: Mapping[str, Limits] = {OURS: Limits(START, LISTED, CALL, MEMORY_MB)}
PACKAGES = ("httpx", "httpcore", "h11", "tenacity", "fastjsonschema")


class Run(NamedTuple):
    """The figures of one run, and the circumstances in which they were measured."""

    about: Mapping[str, str]
    figures: Sequence[Figure]

    def to_json(self) -> str:
        """The run, for a file."""
        rows = [each._asdict() for each in self.figures]
        return json.dumps({"about": self.about, "figures": rows}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str) -> "Run":
        """The run in a file."""
        found = json.loads(text)
        return cls(found["about"], [Figure(**row) for row in found["figures"]])


def run(
    effort: Effort,
    beside: Sequence[str],
    port: int,
    live: LiveImage | None,
    report: Callable[[Figure], None],
) -> Run:
    """Measure everything once; each figure is reported as soon as it is known."""
    figures = []
    for figure in all_figures(effort, beside, port, live):
        report(figure)
        figures.append(figure)
    return Run(circumstances(effort), figures)


def all_figures(effort: Effort, beside: Sequence[str], port: int, live: LiveImage | None) -> Iterator[Figure]:
    """The figures, in the order of the page."""
    with tempfile.TemporaryDirectory() as home, stub_image(Path(home), port) as stub:
        plain = ours(stub)
        practice = ours(stub, "--practice")._replace(name=f"{OURS} --practice")
        others = [other_server(text, stub) for text in beside]
        limits = {**LIMITS, practice.name: Limits(START, LISTED)}
        yield from starts([plain, practice, *others], effort, limits)
        yield from calls([plain, *others], stub, effort, limits)
        yield from memory([plain, *others], effort, limits)
        yield from listing([plain, *others])
    if live:
        yield from live_image(live, effort)
    machine = Machine()
    yield from practice_image(effort, machine)
    yield from large_image(machine, effort.large_packages)
    yield from figures_of_tasks(plain)


def figures_of_tasks(server: Server) -> Iterator[Figure]:
    """The figures for the evaluation set, played in the practice image."""
    with tempfile.TemporaryDirectory() as home:
        image = start_practice_image(Path(home))
        with image.program:
            yield from tasks(server, image)


def circumstances(effort: Effort) -> Mapping[str, str]:
    """What the figures depend on: versions, machine, effort."""
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "pharo-mcp": pharo_mcp.__version__,
        "Python": f"{platform.python_implementation()} {platform.python_version()}",
        "packages": ", ".join(f"{name} {metadata.version(name)}" for name in PACKAGES),
        "system": f"{platform.system()} {platform.machine()}",
        "processors": f"{os.cpu_count()} of {processor()}",
        "rounds": f"{effort.rounds}, each with {effort.starts} starts and {effort.calls} calls",
    }


def processor() -> str:
    """The name of the processor, if the system reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or sys.platform


def line(figure: Figure) -> str:
    """One figure as a line of text."""
    value = f"{amount(figure.value, figure.unit)}"
    if figure.ratio is not None:
        value += f", {figure.ratio:.2f} times {figure.reference}"
        value += (
            f" ({figure.low:.2f} to {figure.high:.2f}; {amount(figure.reference_value or 0, figure.unit)})"
        )
    elif figure.low != figure.high:
        value += f" ({amount(figure.low, figure.unit)} to {amount(figure.high, figure.unit)})"
    if figure.limit is not None:
        value += f"; limit {figure.limit:g}: {figure.verdict}"
    return f"{figure.program}: {figure.name}: {value}"


def amount(value: float, unit: str) -> str:
    """A value with its unit, in three digits if it is not a count."""
    number = f"{value:,.0f}" if unit in ("", "bytes") else f"{value:.3g}"
    return f"{number} {unit}".rstrip()
