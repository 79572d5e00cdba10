"""docs/benchmarks.md and its charts."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from benchmark.charts import Bar, bar_chart
from benchmark.figures import Measured
from benchmark.page import CHARTS, page, write_page
from benchmark.running import Run

DOCS = Path(__file__).parents[2] / "docs"
START = Measured("start", "start to the answer to `initialize`", "pharo-mcp", "ms", 2.2)
RUN = Run(
    {"date": "2026-11-22", "Python": "CPython 3.11.7"},
    [
        START.beside("`python -c pass`", [(20.0, 10.0), (21.0, 10.0), (22.0, 10.0)]),
        START._replace(program="other", limit=None).beside("`python -c pass`", [(650.0, 10.0)]),
        Measured("calls", "a call, p50", "pharo-mcp", "ms", 1.4).beside("bare httpx request", [(1.5, 1.0)]),
        Measured("memory", "after 1,000 calls", "pharo-mcp", "MB", 28.0).alone([25.0]),
        Measured("practice image", "start to the first answer", "practice image", "ms").alone([300.0, 200.0]),
    ],
)


def rows(text: str) -> list[list[str]]:
    """The cells of all tables, without headings."""
    lines = re.findall(r"^\| (.*) \|$", text, re.M)
    return [line.split(" | ") for line in lines if "---" not in line and "program" not in line]


def test_each_figure_is_a_row_with_its_ratio_range_and_limit() -> None:
    assert rows(page(RUN))[:5] == [
        [
            "`pharo-mcp`",
            "start to the answer to `initialize`",
            "21 ms",
            "2.10 (2.00 to 2.20) times `python -c pass` (10 ms)",
            "2.2 times",
            "kept",
        ],
        [
            "`other`",
            "start to the answer to `initialize`",
            "650 ms",
            "65.00 (65.00 to 65.00) times `python -c pass` (10 ms)",
            "",
            "",
        ],
        [
            "`pharo-mcp`",
            "a call, p50",
            "1.5 ms",
            "1.50 (1.50 to 1.50) times bare httpx request (1 ms)",
            "1.4 times",
            "**exceeded**",
        ],
        ["`pharo-mcp`", "after 1,000 calls", "25 MB", "", "28 MB", "kept"],
        ["`practice image`", "start to the first answer", "250 ms", "(200 ms to 300 ms)", "", ""],
    ]


def test_the_page_names_the_date_the_versions_and_how_to_repeat_it() -> None:
    text = page(RUN)
    assert "| date | 2026-11-22 |" in text
    assert "| Python | CPython 3.11.7 |" in text
    assert "`scripts/bench --page`" in text


def test_chapters_without_figures_are_left_out() -> None:
    assert "## Tasks" not in page(RUN)


def test_a_chart_has_a_bar_with_its_value_for_each_program() -> None:
    drawn = bar_chart("Start", "x", [Bar("python", 1, is_reference=True), Bar("pharo-mcp", 2.1)])
    texts = [each.text for each in ElementTree.fromstring(drawn).iter() if each.text]
    assert {"Start", "python", "pharo-mcp", "1x", "2.1x"} <= set(texts)
    assert texts.index("pharo-mcp") < texts.index("python")  # pygal draws from the bottom


def test_the_same_figures_give_the_same_bytes() -> None:
    bars = [Bar("python", 1), Bar("pharo-mcp", 2.1)]
    assert bar_chart("Start", "", bars) == bar_chart("Start", "", bars)


def test_a_chart_contains_no_script_and_loads_nothing() -> None:
    drawn = bar_chart("Start", "", [Bar("pharo-mcp", 2.1)])
    assert "script" not in drawn
    assert set(re.findall(r'https?://[^"]+', drawn)) == {"http://www.w3.org/2000/svg"}


def test_the_page_its_charts_and_its_run_are_written_together(tmp_path: Path) -> None:
    write_page(RUN, tmp_path)
    text = (tmp_path / "benchmarks.md").read_text("utf-8")
    linked = set(re.findall(r"\]\((benchmarks/[^)]+)\)", text))
    assert linked == {"benchmarks/run.json", *(f"benchmarks/{name}.svg" for name in CHARTS)}
    assert all((tmp_path / path).is_file() for path in linked)


@pytest.mark.skipif(not (DOCS / "benchmarks.md").exists(), reason="no page was made yet")
def test_the_page_in_docs_shows_the_run_beside_it() -> None:
    run = Run.from_json((DOCS / "benchmarks" / "run.json").read_text("utf-8"))
    assert (DOCS / "benchmarks.md").read_text("utf-8") == page(run)
