"""docs/benchmarks.md and its charts, made from a run."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .charts import Bar, bar_chart
from .figures import EXCEEDED, Figure
from .quiet import QUIET
from .running import Run, amount

INTRODUCTION = f"""\
# Benchmarks

How long pharo-mcp takes to start and to answer, and how much memory it takes: \
one run of `scripts/bench` ([run.json](benchmarks/run.json)).

Absolute times depend on the machine, ratios much less.
Each value is measured in several rounds, alternating with a reference; *compared* is its ratio to the \
reference, the median of all rounds with their range in parentheses.
*At most* is the limit that the project has set itself.
Where a range is wide the machine was busy: the least value is then the better guess.
But for *A live image*, a stub or the practice image answers.
Times without a reference are taken in quiet moments: a fixed calculation then took at most {QUIET:g} times \
its least time.
"""

CHAPTERS: Mapping[str, tuple[str, str]] = {
    "start": (
        "Start",
        "From starting the process, as `setup` lets clients start it, to its first answers.\n"
        "The reference is a Python that does nothing.",
    ),
    "calls": (
        "Calls",
        "`evaluate` with `3 + 4`, sent to a stub: a program that answers at once, as an image does not, "
        "so that only the time of pharo-mcp is measured.\n"
        "The reference is the same request, sent by httpx over a kept-alive connection.\n"
        "p50 is the median of all calls; 99 of 100 calls are faster than p99.",
    ),
    "memory": ("Memory", "The resident memory of the process and of those that it started."),
    "reading": (
        "Reading",
        "The list of tools, which takes space in the context of every session of an assistant.",
    ),
    "live image": (
        "A live image",
        "A complete Pharo on the machine of this run; what the calls change is undone.\n"
        "The search reads the sources of all methods.",
    ),
    "practice image": (
        "Practice image",
        "Requests are sent to it by httpx.",
    ),
    "tasks": (
        "Tasks",
        "Tasks of a Smalltalk developer, each with the calls that solve it, played in the practice image.",
    ),
}
"""The title and the first sentences of each chapter."""

REPEAT = """\
## How to repeat it

Close other programs first.
`scripts/bench` prints all of this, and `scripts/bench --page` writes this page.
`scripts/bench --live` measures the Pharo image that you have open, too.
`scripts/bench --beside 'NAME=COMMAND'` measures another MCP server, too; `{port}` in its command is \
replaced by the port of the stub, which answers every POST request.
"""

RUN = "run.json"


def write_page(run: Run, folder: Path) -> None:
    """Write the page, its charts and the run that they show into a folder."""
    charts = folder / "benchmarks"
    charts.mkdir(exist_ok=True)
    (charts / RUN).write_text(run.to_json(), "utf-8")
    for name, draw in CHARTS.items():
        (charts / f"{name}.svg").write_text(draw(chapter(run, name)), "utf-8")
    (folder / "benchmarks.md").write_text(page(run), "utf-8")


def page(run: Run) -> str:
    """The whole page."""
    chapters = [section(run, name) for name in CHAPTERS if chapter(run, name)]
    rows = [(name, value) for name, value in run.about.items()]
    machine = "## Machine and versions\n\n" + table(("", ""), rows)
    return "\n".join((INTRODUCTION, *chapters, machine, REPEAT))


def chapter(run: Run, name: str) -> list[Figure]:
    """The figures of one chapter."""
    return [figure for figure in run.figures if figure.chapter == name]


def section(run: Run, name: str) -> str:
    """One chapter: what is measured, its chart, its table."""
    title, about = CHAPTERS[name]
    figures = chapter(run, name)
    picture = (
        f"![{title}: a bar chart of the table below](benchmarks/{name}.svg)\n\n" if name in CHARTS else ""
    )
    headings = ("program", "measured", "value", "compared", "at most", "limit")
    return f"## {title}\n\n{about}\n\n{picture}{table(headings, [cells(each) for each in figures])}"


def cells(figure: Figure) -> Sequence[str]:
    """A figure as a row."""
    verdict = f"**{EXCEEDED}**" if figure.verdict == EXCEEDED else figure.verdict
    limit = "" if figure.limit is None else f"{figure.limit:g}{limit_unit(figure)}"
    return (
        f"`{figure.program}`",
        figure.name,
        amount(figure.value, figure.unit),
        comparison(figure),
        limit,
        verdict,
    )


def limit_unit(figure: Figure) -> str:
    """The unit of a figure's limit."""
    return f" {figure.unit}" if figure.ratio is None else " times"


def comparison(figure: Figure) -> str:
    """The ratio with its range and reference, or the range of the values."""
    if figure.ratio is not None:
        reference = f"{figure.reference} ({amount(figure.reference_value or 0, figure.unit)})"
        return f"{figure.ratio:.2f} ({figure.low:.2f} to {figure.high:.2f}) times {reference}"
    if figure.low == figure.high:
        return ""
    return f"({amount(figure.low, figure.unit)} to {amount(figure.high, figure.unit)})"


def table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = (headings, ["---"] * len(headings), *rows)
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def ratios(title: str) -> Callable[[Sequence[Figure]], str]:
    """A function that draws ratios to the reference, which is 1."""

    def draw(figures: Sequence[Figure]) -> str:
        programs = {figure.program for figure in figures}
        names = {figure.name for figure in figures}
        bars = [Bar((figures[0].reference or "").strip("`"), 1, is_reference=True)]
        for figure in figures:
            words = [figure.program] * (len(programs) > 1) + [figure.name] * (len(names) > 1)
            bars.append(Bar(": ".join(words) or figure.program, figure.compared))
        return bar_chart(title, "×", bars)  # noqa: RUF001 - the sign is meant

    return draw


def megabytes(figures: Sequence[Figure]) -> str:
    """A chart of memory."""
    return bar_chart(
        f"Resident memory {figures[0].name}, in MB", "", [Bar(each.program, each.value) for each in figures]
    )


CHARTS: Mapping[str, Callable[[Sequence[Figure]], str]] = {
    "start": ratios("Start to the first answers, in times of a bare Python"),
    "calls": ratios("A call, in times of a bare httpx request"),
    "memory": megabytes,
}
"""The chapters that have a chart, and what draws it."""
