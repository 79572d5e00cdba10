"""Bar charts of figures, as SVG drawn by pygal. The same figures give the same bytes."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import pygal
from pygal.style import Style

WIDTH = 800
BAR = 38
"""The height of a bar, with the space around it."""
AROUND = 110
"""The height of the title and the axis."""
STYLE = Style(
    background="white",
    plot_background="white",
    guide_stroke_color="#e4e4e4",
    major_guide_stroke_color="#e4e4e4",
    font_family="sans-serif",
    title_font_size=18,
    label_font_size=13,
    value_font_size=13,
    colors=("#4c72b0",),
    value_colors=("#000000",),
)
REFERENCE_COLOR = "#b0b0b0"


class Bar(NamedTuple):
    """A bar; those that others are compared with are gray."""

    label: str
    value: float
    is_reference: bool = False


def bar_chart(title: str, unit: str, bars: Sequence[Bar]) -> str:
    """Horizontal bars, the first at the top, each with its value."""
    chart = pygal.HorizontalBar(
        title=title,
        style=STYLE,
        width=WIDTH,
        height=AROUND + BAR * len(bars),
        js=[],
        show_legend=False,
        print_values=True,
        print_values_position="center",
        range=(0, max(bar.value for bar in bars) * 1.15),
        truncate_label=-1,
        formatter=lambda value: f"{value:.3g}{unit}",
        no_prefix=True,
        disable_xml_declaration=True,
    )
    upwards = list(reversed(bars))  # pygal begins at the bottom
    chart.x_labels = [bar.label for bar in upwards]
    values = [
        {"value": bar.value, **({"color": REFERENCE_COLOR} if bar.is_reference else {})} for bar in upwards
    ]
    chart.add(None, values)
    chart.uuid = "chart"
    text: str = chart.render(is_unicode=True)
    return plain(text) + "\n"


def plain(svg: str) -> str:
    """A drawing without scripts, which a picture does not run, and comments, which name the day."""
    return re.sub(r"<script.*?</script>|<!--.*?-->", "", svg, flags=re.DOTALL)
